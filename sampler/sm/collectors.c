/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors.h"

#include <assert.h>

/* ---- instructions ------------------------------------------------------- */

static struct collector_list *list_of_issued(struct collectors *c, int unit)
{
    return c->staged ? &c->issued[c->by_class ? unit : 0]
                     : &c->in_stage[STAGE_COLLECTING];
}

void collectors_take(struct collectors *c, int scheduler, int warp,
                     uint32_t inst, uint16_t entry)
{
    const struct decoded *d = &c->core->decoded[inst];
    uint8_t id = c->free[--c->free_count];
    struct collector *of = &c->collector[id];
    struct collector_list *list = list_of_issued(c, d->unit);
    *of = (struct collector){
        .inst = inst,
        .number = (uint32_t)c->core->counts.warp_insts,
        .warp = (uint8_t)warp,
        .scheduler = (uint8_t)scheduler,
        .unit = d->unit,
        .exec = d->exec,
        .pool = c->pool_of[d->unit][scheduler],
        .latch = c->latch_of[d->unit][scheduler],
        .left = d->sources,
        .entry = entry,
    };
    for (int r = 0; r < d->sources; r++)
        of->operand[r] = (uint16_t)register_bank(&c->banks, warp, d->source[r]);
    collectors_take_room(c, c->staged ? &c->before_free[of->latch]
                                      : &c->pool_free[of->pool]);
    list->id[list->count++] = id;
    c->issued_count += c->staged;
    c->still_until = 0;
}

void collectors_read(struct collectors *c, struct collector *of, int step)
{
    int left = 0;
    for (int i = 0; i < of->left; i++)
        if (!register_bank_take(&c->banks, of->operand[i], c->core->now, step))
            of->operand[left++] = of->operand[i];
    c->core->active_cycle |= left < of->left;
    of->left = (uint8_t)left;
}

enum dispatched collectors_dispatch(struct collectors *c,
                                    const struct collector *of)
{
    struct sm_core *core = c->core;
    const struct decoded *d = &core->decoded[of->inst];
    uint64_t *free = units_first(&c->units, of->unit, of->scheduler, core->now);
    if (*free > core->now)
        return NONE_OF_THEM;
    if (of->unit == UNIT_MEM) {
        if (!ldst_has_room(c->ldst))
            return NONE_OF_THEM;
        ldst_accept(c->ldst, of->entry);
    } else {
        uint64_t end =
            core->now + (uint64_t)core->exec->class[of->exec].result + d->late;
        if (!units_take_result(&c->units, end))
            return NOT_THIS_ONE;
        core_schedule(core, end, DONE_ALU, of->warp, of->inst);
    }
    core->counts.unit_cycles[of->unit] += d->interval;
    *free = core->now + d->interval;
    return DISPATCHED;
}

void collectors_await(struct collectors *c, const struct collector_list *these,
                      uint64_t until)
{
    c->still_until = until;
    c->awaits_ldst = false;
    for (int i = 0; i < these->count; i++) {
        const struct collector *of = &c->collector[these->id[i]];
        uint64_t wake =
            of->left > 0 ? c->core->now + 1 : collectors_unit_wake(c, of);
        c->awaits_ldst |= of->unit == UNIT_MEM;
        c->still_until = earliest(c->still_until, wake);
    }
}

void collectors_book(struct collectors *c, int scheduler, int warp,
                     uint32_t inst)
{
    struct sm_core *core = c->core;
    const struct decoded *d = &core->decoded[inst];
    const struct exec_class_row *row = &core->exec->class[d->exec];
    uint64_t *free = units_first(&c->units, d->unit, scheduler, core->now);
    core->counts.unit_cycles[d->unit] += d->interval;
    *free = latest(*free, core->now + 1) + d->interval;
    uint64_t end = *free + (uint64_t)(row->result - row->interval) + d->late;
    core->results_ahead[warp_scheduler(core, warp)]++;
    core_schedule(core, earliest(end, core->now + WHEEL_SIZE - 1), DONE_ALU,
                  warp, inst);
}

/* ---- life --------------------------------------------------------------- */

static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

bool collectors_are_own(const struct collectors *c, int unit)
{
    const struct gpu *g = c->core->gpu;
    return g->sm.sub_core && g->sm.schedulers > 1 &&
           c->units.count[unit] >= g->sm.schedulers;
}

/* Which collectors and which pipeline registers are whose: sub-cores have their
 * own. */
static void number_pools(struct collectors *c, int unit, int pool)
{
    bool sub_core = c->core->gpu->sm.sub_core != 0;
    for (int s = 0; s < MAX_SCHEDULERS; s++) {
        int part = sub_core ? s : 0;
        c->pool_of[unit][s] = (uint8_t)(pool * MAX_SCHEDULERS + part);
        c->latch_of[unit][s] = (uint8_t)(unit * MAX_SCHEDULERS + part);
    }
}

static int parts(const struct gpu *g)
{
    return g->sm.sub_core ? g->sm.schedulers : 1;
}

/* Divide the collectors of `unit` among its pools; returns how many there are.
 */
static int fill_pools(struct collectors *c, int unit, int collectors)
{
    int pools = parts(c->core->gpu), total = 0;
    for (int s = 0; s < pools; s++) {
        int size = at_least_one(collectors / pools + (s < collectors % pools));
        c->pool_free[c->pool_of[unit][s]] = size;
        c->places[c->pool_of[unit][s]][0] = UINT64_MAX;
        c->places[c->pool_of[unit][s]][1] = UINT64_MAX;
        total += size;
    }
    return total;
}

/* Likewise the pipeline registers on both sides of a unit's collectors. */
static int fill_latches(struct collectors *c, int unit, int registers)
{
    int sets = parts(c->core->gpu), total = 0;
    for (int s = 0; s < sets; s++) {
        int size = at_least_one(registers / sets);
        c->before_free[c->latch_of[unit][s]] = size;
        c->after_free[c->latch_of[unit][s]] = size;
        total += 2 * size;
    }
    return total;
}

/* Returns the instructions that may be in collectors and registers of `unit`,
 * those of a pool counted with the first unit that has it. */
static int init_unit(struct collectors *c, int unit, bool shares_warps)
{
    const struct gpu *g = c->core->gpu;
    const struct exec_unit_row *row = &c->core->exec->unit[unit];
    bool generic = g->collector.generic > 0;
    int pool = generic ? 0 : (int)row->pool, total = 0;
    c->moves[unit] = generic ? MAX_COLLECTORS : row->moves;
    c->shares_warps |= shares_warps && collectors_are_own(c, unit);
    number_pools(c, unit, pool);
    if (pool == unit)
        total = fill_pools(c, unit,
                           generic ? g->collector.generic : row->collectors);
    if (c->staged)
        total += fill_latches(c, unit, row->registers);
    return total;
}

int collectors_init(struct collectors *c, bool shares_warps)
{
    int total = 0;
    c->staged = c->core->gpu->stage.registers != 0;
    c->by_class = c->core->gpu->stage.by_class != 0 &&
                  c->core->gpu->collector.generic > 0;
    c->by_port = c->core->gpu->stage.by_port != 0;
    units_init(&c->units, c->core->gpu, c->core->exec);
    register_banks_init(&c->banks, c->core->gpu);
    for (int unit = 0; unit < EXEC_UNITS; unit++)
        total += init_unit(c, unit, shares_warps);
    if (total > MAX_COLLECTORS)
        return 0;
    for (int i = 0; i < total; i++)
        c->free[c->free_count++] = (uint8_t)(total - 1 - i);
    return total;
}
