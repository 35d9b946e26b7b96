/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operand collectors, register banks and execution units (Liu et al., US patent
 * 7,834,881; GPGPU-Sim 3.x manual, "Register Access and the Operand
 * Collector"): an issued instruction holds a collector until its operands are
 * read and its unit takes it. Written registers go before read ones at a bank.
 */
#include "sampler/machine.h"
#include "sampler/sm.h"

#include <assert.h>
#include <string.h>

static int collectors_of(const struct gpu *g, int unit)
{
    switch (unit) {
    case UNIT_SP:
    case UNIT_INT:
        return g->collector.sp;
    case UNIT_SFU:
        return g->collector.sfu;
    case UNIT_DP:
        return g->collector.dp;
    case UNIT_TENSOR:
        return g->collector.tensor;
    default:
        return g->collector.mem;
    }
}

static int units_of(const struct gpu *g, int unit)
{
    const int count[EXEC_UNITS] = {
        [UNIT_SP] = g->unit.sp,         [UNIT_INT] = g->unit.integer,
        [UNIT_SFU] = g->unit.sfu,       [UNIT_DP] = g->unit.dp,
        [UNIT_TENSOR] = g->unit.tensor, [UNIT_MEM] = g->unit.mem,
    };
    int n = count[unit];
    return n < MAX_UNITS ? n : MAX_UNITS;
}

static int pool_of(const struct sm *sm, int scheduler, int unit)
{
    int kind = sm->gpu->collector.generic > 0 ? 0 : unit;
    return kind * MAX_SCHEDULERS + (sm->own_pool[unit] ? scheduler : 0);
}

static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

/* Sub-cores own their collectors. Warp sharing presumes that (kaws Sec. 2.1);
 * elsewhere it parts those of the classes whose units and collectors go round
 * the schedulers. */
static bool parted(const struct sm *sm, int unit)
{
    const struct gpu *g = sm->gpu;
    int schedulers = g->sm.schedulers;
    if (g->sm.sub_core || !sm->machine->policies->warp.policy->warp_sharing)
        return g->sm.sub_core;
    return g->collector.generic == 0 && sm->unit_count[unit] >= schedulers &&
           collectors_of(g, unit) >= schedulers;
}

/* Fill the pools of `unit`; returns the number of collectors in them. */
static int init_pools(struct sm *sm, int unit, int collectors)
{
    int pools = sm->own_pool[unit] ? sm->gpu->sm.schedulers : 1, total = 0;
    for (int s = 0; s < pools; s++) {
        int size = collectors / pools + (s < collectors % pools);
        sm->pool_free[pool_of(sm, s, unit)] = at_least_one(size);
        total += at_least_one(size);
    }
    return total;
}

bool collect_init(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    bool sharing = sm->machine->policies->warp.policy->warp_sharing;
    sm->sub_cores = g->sm.sub_core ? g->sm.schedulers : 1;
    int total = 0;
    for (int unit = 0; unit < EXEC_UNITS; unit++) {
        sm->unit_count[unit] = units_of(g, unit);
        sm->own_pool[unit] = parted(sm, unit);
        sm->shares_warps |= sharing && collect_is_own(sm, unit);
        if (g->collector.generic == 0)
            total += init_pools(sm, unit, collectors_of(g, unit));
        else if (unit == 0)
            total += init_pools(sm, unit, g->collector.generic);
    }
    if (total > MAX_COLLECTORS)
        return false;
    for (int i = 0; i < total; i++)
        sm->free_collector[sm->free_collector_count++] =
            (uint8_t)(total - 1 - i);
    return true;
}

bool collect_has_room(const struct sm *sm, int scheduler, int unit)
{
    return sm->pool_free[pool_of(sm, scheduler, unit)] > 0 &&
           (unit != UNIT_MEM || ldst_has_entry(sm));
}

bool collect_is_own(const struct sm *sm, int unit)
{
    return sm->own_pool[unit] && sm->gpu->sm.schedulers > 1 &&
           sm->unit_count[unit] >= sm->gpu->sm.schedulers;
}

/* ---- register banks ----------------------------------------------------- */

/* Registers are spread over the banks with the warp as offset; a sub-core owns
 * its share of them. */
static int bank_of(const struct sm *sm, int warp, int reg)
{
    int banks = at_least_one(sm->gpu->collector.banks / sm->sub_cores);
    int bank = (reg + warp / sm->table.schedulers) % banks;
    return sm->sub_cores > 1 ? warp_scheduler(sm, warp) * banks + bank : bank;
}

static bool take_bank(struct sm *sm, int bank)
{
    if (sm->bank_cycle[bank] != sm->now) {
        sm->bank_cycle[bank] = sm->now;
        sm->bank_used[bank] = 0;
    }
    if (sm->bank_used[bank] >= sm->gpu->collector.ports)
        return false;
    sm->bank_used[bank]++;
    return true;
}

void collect_mark_write(struct sm *sm, int warp, const struct inst *i)
{
    for (int r = 0; r < i->dst_count; r++)
        if (i->dst[r] < REG_PREDICATE)
            take_bank(sm, bank_of(sm, warp, i->dst[r]));
}

static void read_operands(struct sm *sm, struct collector *c)
{
    int left = 0;
    for (int i = 0; i < c->left; i++)
        if (!take_bank(sm, c->operand[i]))
            c->operand[left++] = c->operand[i];
    c->left = (uint8_t)left;
}

/* ---- collectors --------------------------------------------------------- */

void collect_allocate(struct sm *sm, int scheduler, int warp, uint32_t inst,
                      int unit, uint16_t entry)
{
    const struct inst *i = &sm->kernel->inst[inst];
    uint8_t id = sm->free_collector[--sm->free_collector_count];
    struct collector *c = &sm->collector[id];
    *c = (struct collector){
        .inst = inst,
        .warp = (uint8_t)warp,
        .scheduler = (uint8_t)scheduler,
        .pool = (uint8_t)pool_of(sm, scheduler, unit),
        .unit = (uint8_t)unit,
        .exec = sm->machine->decoded[inst].exec,
        .entry = entry,
    };
    for (int r = 0; r < i->src_count; r++)
        if (i->src[r] < REG_PREDICATE)
            c->operand[c->left++] = (uint16_t)bank_of(sm, warp, i->src[r]);
    sm->pool_free[c->pool]--;
    sm->active[sm->active_count++] = id;
}

/* Of the units of c's kind that it may go to the one that is free first: with
 * sub-cores a scheduler has its own where there are enough to go round. */
static int first_unit(const struct sm *sm, const struct collector *c)
{
    const uint64_t *free = sm->unit_free[c->unit];
    int count = sm->unit_count[c->unit], first = 0, step = 1;
    if (sm->sub_cores > 1 && count >= sm->table.schedulers) {
        first = c->scheduler;
        step = sm->table.schedulers;
    }
    int best = first;
    for (int i = first + step; i < count && free[best] > sm->now; i += step)
        if (free[i] < free[best])
            best = i;
    return best;
}

static bool dispatch(struct sm *sm, const struct collector *c)
{
    int unit = first_unit(sm, c);
    if (sm->unit_free[c->unit][unit] > sm->now)
        return false;
    if (c->unit == UNIT_MEM) {
        if (!ldst_has_room(sm))
            return false;
        sm->unit_free[UNIT_MEM][unit] =
            sm->now + (uint64_t)sm->gpu->interval.mem;
        ldst_accept(sm, c->entry);
        return true;
    }
    const struct machine *m = sm->machine;
    sm->unit_free[c->unit][unit] = sm->now + (uint64_t)m->interval[c->exec];
    sm_schedule(sm, sm->now + (uint64_t)m->latency[c->exec], DONE_ALU, c->warp,
                c->inst);
    return true;
}

void collect_cycle(struct sm *sm)
{
    int kept = 0;
    for (int i = 0; i < sm->active_count; i++) {
        uint8_t id = sm->active[i];
        struct collector *c = &sm->collector[id];
        if (c->left > 0)
            read_operands(sm, c);
        if (c->left > 0 || !dispatch(sm, c)) {
            sm->active[kept++] = id;
            continue;
        }
        sm->pool_free[c->pool]++;
        sm->free_collector[sm->free_collector_count++] = id;
    }
    sm->active_count = kept;
}

/* The load/store unit takes its next instruction when it has done a step, which
 * is a wake-up of its own. */
uint64_t collect_wake(const struct sm *sm)
{
    uint64_t wake = NO_EVENT;
    for (int i = 0; i < sm->active_count; i++) {
        const struct collector *c = &sm->collector[sm->active[i]];
        uint64_t at = sm->unit_free[c->unit][first_unit(sm, c)];
        if (c->left > 0 || (at <= sm->now && c->unit != UNIT_MEM))
            return sm->now + 1;
        if (at > sm->now && at < wake)
            wake = at;
    }
    return wake;
}
