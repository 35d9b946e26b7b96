/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operand collectors, register banks and execution units (Liu et al., US patent
 * 7,834,881; GPGPU-Sim 3.x manual, "Register Access and the Operand
 * Collector"): an issued instruction holds a collector until its operands are
 * read and its unit takes it. Written registers go before read ones at a bank.
 *
 * With stage.registers it waits for a collector in one pipeline register and
 * for its unit in another. A cycle hands instructions to units, then does its
 * read steps: out of collectors, operands, into collectors (opndcoll_rfu_t::
 * step in GPGPU-Sim's shader.h). Where instructions compete the oldest goes
 * first; there it is the next in turn. */
#include "sampler/machine.h"
#include "sampler/sm/sm.h"

#include <assert.h>
#include <string.h>

static const struct exec_unit_row *row_of(const struct sm *sm, int unit)
{
    return &sm->machine->exec.unit[unit];
}

static int pool_of(const struct sm *sm, int scheduler, int unit)
{
    int kind = sm->gpu->collector.generic > 0 ? 0 : (int)row_of(sm, unit)->pool;
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
    if (g->sm.sub_core || !sm->machine->policies->warp.warp->warp_sharing)
        return g->sm.sub_core;
    return g->collector.generic == 0 && sm->unit_count[unit] >= schedulers &&
           row_of(sm, unit)->collectors >= schedulers;
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

static int side_of(const struct sm *sm, int scheduler, int unit)
{
    return unit * MAX_SCHEDULERS + (sm->sub_cores > 1 ? scheduler : 0);
}

/* The pipeline registers on both sides of a unit's collectors. */
static int init_registers(struct sm *sm, int unit)
{
    int total = 0, count = row_of(sm, unit)->registers;
    for (int s = 0; s < sm->sub_cores; s++) {
        int size = at_least_one(count / sm->sub_cores);
        sm->before_free[side_of(sm, s, unit)] = size;
        sm->after_free[side_of(sm, s, unit)] = size;
        total += 2 * size;
    }
    return total;
}

bool collect_init(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    bool sharing = sm->machine->policies->warp.warp->warp_sharing;
    sm->sub_cores = g->sm.sub_core ? g->sm.schedulers : 1;
    int total = 0;
    for (int unit = 0; unit < EXEC_UNITS; unit++) {
        const struct exec_unit_row *row = row_of(sm, unit);
        sm->unit_count[unit] = row->count;
        sm->moves[unit] =
            g->collector.generic > 0 ? MAX_COLLECTORS : row->moves;
        sm->own_pool[unit] = parted(sm, row->pool);
        sm->shares_warps |= sharing && collect_is_own(sm, unit);
        if (g->collector.generic == 0 && (int)row->pool == unit)
            total += init_pools(sm, unit, row->collectors);
        else if (unit == 0)
            total += init_pools(sm, unit, g->collector.generic);
        if (g->stage.registers)
            total += init_registers(sm, unit);
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
    int room = sm->gpu->stage.registers
                   ? sm->before_free[side_of(sm, scheduler, unit)]
                   : sm->pool_free[pool_of(sm, scheduler, unit)];
    return room > 0 && (unit != UNIT_MEM || ldst_has_entry(sm));
}

bool collect_is_own(const struct sm *sm, int unit)
{
    return sm->own_pool[unit] && sm->gpu->sm.schedulers > 1 &&
           sm->unit_count[unit] >= sm->gpu->sm.schedulers;
}

/* ---- register banks ----------------------------------------------------- */

/* Registers are spread over the banks with the warp as offset; a sub-core owns
 * its share of them (GPGPU-Sim, register_bank in shader.cc). */
static int bank_of(const struct sm *sm, int warp, int reg)
{
    int banks = at_least_one(sm->gpu->collector.banks / sm->sub_cores);
    int bank = (reg + warp) % banks;
    return sm->sub_cores > 1 ? warp_scheduler(sm, warp) * banks + bank : bank;
}

/* Read steps are counted over the cycles: collector.ports in each. */
static bool take_bank(struct sm *sm, int bank, int step)
{
    const struct gpu *g = sm->gpu;
    uint64_t at = sm->now * (uint64_t)g->collector.ports + (uint64_t)step;
    if (sm->bank_step[bank] != at) {
        sm->bank_step[bank] = at;
        sm->bank_used[bank] = 0;
    }
    if (sm->bank_used[bank] >= (g->stage.registers ? 1 : g->collector.ports))
        return false;
    sm->bank_used[bank]++;
    return true;
}

void collect_mark_write(struct sm *sm, int warp, const struct inst *i)
{
    for (int r = 0; r < i->dst_count; r++)
        if (i->dst[r] < REG_PREDICATE)
            take_bank(sm, bank_of(sm, warp, i->dst[r]), 0);
}

static void read_operands(struct sm *sm, struct collector *c, int step)
{
    int left = 0;
    for (int i = 0; i < c->left; i++)
        if (!take_bank(sm, c->operand[i], step))
            c->operand[left++] = c->operand[i];
    sm->active_cycle |= left < c->left;
    c->left = (uint8_t)left;
}

/* ---- collectors --------------------------------------------------------- */

/* A register that stands for several operands is read once. */
static bool is_new(const struct inst *i, int source)
{
    for (int r = 0; r < source; r++)
        if (i->src[r] == i->src[source])
            return false;
    return i->src[source] < REG_PREDICATE;
}

void collect_allocate(struct sm *sm, int scheduler, int warp, uint32_t inst,
                      int unit, uint16_t entry)
{
    const struct inst *i = &sm->kernel->inst[inst];
    bool registers = sm->gpu->stage.registers != 0;
    uint8_t id = sm->free_collector[--sm->free_collector_count];
    struct collector *c = &sm->collector[id];
    *c = (struct collector){
        .inst = inst,
        .warp = (uint8_t)warp,
        .scheduler = (uint8_t)scheduler,
        .pool = (uint8_t)pool_of(sm, scheduler, unit),
        .side = (uint8_t)side_of(sm, scheduler, unit),
        .unit = (uint8_t)unit,
        .exec = sm->machine->decoded[inst].exec,
        .stage = registers ? STAGE_ISSUED : STAGE_COLLECTING,
        .entry = entry,
    };
    for (int r = 0; r < i->src_count; r++)
        if (is_new(i, r))
            c->operand[c->left++] = (uint16_t)bank_of(sm, warp, i->src[r]);
    *(registers ? &sm->before_free[c->side] : &sm->pool_free[c->pool]) -= 1;
    sm->staged[c->stage]++;
    sm->active[sm->active_count++] = id;
}

/* ---- units -------------------------------------------------------------- */

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

/* Whether one more result may end in cycle `end`; then it is counted. */
static bool take_result(struct sm *sm, uint64_t end)
{
    if (sm->gpu->unit.results == 0)
        return true;
    size_t at = end % RESULT_CYCLES;
    if (sm->result_cycle[at] != end) {
        sm->result_cycle[at] = end;
        sm->result_used[at] = 0;
    }
    if (sm->result_used[at] >= sm->gpu->unit.results)
        return false;
    sm->result_used[at]++;
    return true;
}

static bool dispatch(struct sm *sm, const struct collector *c)
{
    int unit = first_unit(sm, c);
    if (sm->unit_free[c->unit][unit] > sm->now)
        return false;
    const struct exec_class_row *row = &sm->machine->exec.class[c->exec];
    uint64_t interval = (uint64_t)row->interval;
    if (c->unit == UNIT_MEM) {
        if (!ldst_has_room(sm))
            return false;
        sm->unit_free[UNIT_MEM][unit] = sm->now + interval;
        ldst_accept(sm, c->entry);
        return true;
    }
    uint64_t end = sm->now + (uint64_t)row->result;
    if (!take_result(sm, end))
        return false;
    sm->unit_free[c->unit][unit] = sm->now + interval;
    sm_schedule(sm, end, DONE_ALU, c->warp, c->inst);
    return true;
}

/* ---- a cycle ------------------------------------------------------------ */

static void release(struct sm *sm, uint8_t id)
{
    sm->staged[sm->collector[id].stage]--;
    sm->free_collector[sm->free_collector_count++] = id;
}

static void move(struct sm *sm, struct collector *c, enum stage to)
{
    sm->staged[c->stage]--;
    sm->staged[to]++;
    c->stage = (uint8_t)to;
    sm->active_cycle = true;
}

/* To the units. */
static void execute(struct sm *sm)
{
    int kept = 0;
    for (int i = 0; i < sm->active_count; i++) {
        uint8_t id = sm->active[i];
        struct collector *c = &sm->collector[id];
        if (c->stage != STAGE_READY || !dispatch(sm, c)) {
            sm->active[kept++] = id;
            continue;
        }
        sm->after_free[c->side]++;
        release(sm, id);
        sm->active_cycle = true;
    }
    sm->active_count = kept;
}

/* Instructions of each unit's collectors that may still move in this step. */

/* Out of the collectors, and the operands of those that stay. */
static void leave_collectors(struct sm *sm, int step)
{
    int moves[EXEC_UNITS];
    memcpy(moves, sm->moves, sizeof(moves));
    for (int i = 0; i < sm->active_count; i++) {
        struct collector *c = &sm->collector[sm->active[i]];
        if (c->stage != STAGE_COLLECTING)
            continue;
        if (c->left > 0) {
            read_operands(sm, c, step);
        } else if (sm->after_free[c->side] > 0 && moves[c->unit] > 0) {
            sm->after_free[c->side]--;
            sm->pool_free[c->pool]++;
            moves[c->unit]--;
            move(sm, c, STAGE_READY);
        }
    }
}

/* The oldest instruction of each unit that waits for a collector. */
static void oldest_issued(const struct sm *sm, struct collector *oldest[],
                          struct collector *all)
{
    for (int u = 0; u < EXEC_UNITS; u++)
        oldest[u] = NULL;
    for (int i = sm->active_count - 1; i >= 0; i--) {
        struct collector *c = &all[sm->active[i]];
        if (c->stage == STAGE_ISSUED)
            oldest[c->unit] = c;
    }
}

static void enter(struct sm *sm, struct collector *c)
{
    sm->pool_free[c->pool]--;
    sm->before_free[c->side]++;
    move(sm, c, STAGE_COLLECTING);
}

/* By class in this order, round after round, the oldest of each; one that finds
 * none holds up those behind it, of other schedulers too (GPGPU-Sim,
 * opndcoll_rfu_t::allocate_cu). */
static void enter_by_class(struct sm *sm)
{
    static const uint8_t order[] = {UNIT_SP, UNIT_SFU, UNIT_MEM,   UNIT_TENSOR,
                                    UNIT_DP, UNIT_INT, UNIT_BRANCH};
    struct collector *oldest[EXEC_UNITS];
    bool any = true;
    while (any && sm->staged[STAGE_ISSUED] > 0) {
        any = false;
        oldest_issued(sm, oldest, sm->collector);
        for (size_t i = 0; i < sizeof(order); i++) {
            struct collector *c = oldest[order[i]];
            if (c == NULL || sm->pool_free[c->pool] == 0)
                continue;
            enter(sm, c);
            any = true;
        }
    }
}

static void enter_collectors(struct sm *sm)
{
    if (sm->gpu->stage.by_class && sm->gpu->collector.generic > 0) {
        enter_by_class(sm);
        return;
    }
    int moves[EXEC_UNITS];
    memcpy(moves, sm->moves, sizeof(moves));
    for (int i = 0; i < sm->active_count; i++) {
        struct collector *c = &sm->collector[sm->active[i]];
        if (c->stage != STAGE_ISSUED || sm->pool_free[c->pool] == 0 ||
            moves[c->unit] == 0)
            continue;
        moves[c->unit]--;
        enter(sm, c);
    }
}

static void staged_cycle(struct sm *sm)
{
    if (sm->staged[STAGE_READY] > 0)
        execute(sm);
    for (int step = 0; step < sm->gpu->collector.ports; step++) {
        if (sm->staged[STAGE_COLLECTING] > 0)
            leave_collectors(sm, step);
        if (sm->staged[STAGE_ISSUED] > 0)
            enter_collectors(sm);
    }
}

void collect_cycle(struct sm *sm)
{
    if (sm->gpu->stage.registers) {
        staged_cycle(sm);
        return;
    }
    int kept = 0;
    for (int i = 0; i < sm->active_count; i++) {
        uint8_t id = sm->active[i];
        struct collector *c = &sm->collector[id];
        if (c->left > 0)
            read_operands(sm, c, 0);
        if (c->left > 0 || !dispatch(sm, c)) {
            sm->active[kept++] = id;
            continue;
        }
        sm->pool_free[c->pool]++;
        release(sm, id);
    }
    sm->active_count = kept;
}

/* Whether c only waits for a unit. */
static bool awaits_unit(const struct sm *sm, const struct collector *c)
{
    return c->left == 0 &&
           (c->stage == STAGE_READY || !sm->gpu->stage.registers);
}

/* The load/store unit takes its next instruction when it has done a step, which
 * is a wake-up of its own; what waits for another register or a collector gets
 * it when something moves. */
uint64_t collect_wake(const struct sm *sm)
{
    uint64_t wake = NO_EVENT;
    for (int i = 0; i < sm->active_count; i++) {
        const struct collector *c = &sm->collector[sm->active[i]];
        if (!awaits_unit(sm, c)) {
            if (c->left > 0 && c->stage == STAGE_COLLECTING)
                return sm->now + 1;
            continue;
        }
        uint64_t at = sm->unit_free[c->unit][first_unit(sm, c)];
        if (at <= sm->now && c->unit != UNIT_MEM)
            return sm->now + 1;
        if (at > sm->now && at < wake)
            wake = at;
    }
    return wake;
}
