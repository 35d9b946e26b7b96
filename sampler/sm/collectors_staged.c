/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_staged.h"

#include <string.h>

static void move(struct collectors *c, struct collector *of, enum stage to)
{
    c->in_stage[of->stage]--;
    c->in_stage[to]++;
    of->stage = (uint8_t)to;
    c->core->active_cycle = true;
}

/* To the units. */
static void execute(struct collectors *c)
{
    int kept = 0;
    for (int i = 0; i < c->active_count; i++) {
        uint8_t id = c->active[i];
        struct collector *of = &c->collector[id];
        if (of->stage != STAGE_READY || !collectors_dispatch(c, of)) {
            c->active[kept++] = id;
            continue;
        }
        c->after_free[of->latch]++;
        collectors_release(c, id);
        c->core->active_cycle = true;
    }
    c->active_count = kept;
}

/* Out of the collectors, and the operands of those that stay. */
static void leave_collectors(struct collectors *c, int step)
{
    int moves[EXEC_UNITS];
    memcpy(moves, c->moves, sizeof(moves));
    for (int i = 0; i < c->active_count; i++) {
        struct collector *of = &c->collector[c->active[i]];
        if (of->stage != STAGE_COLLECTING)
            continue;
        if (of->left > 0) {
            collectors_read(c, of, step);
        } else if (c->after_free[of->latch] > 0 && moves[of->unit] > 0) {
            c->after_free[of->latch]--;
            c->pool_free[of->pool]++;
            moves[of->unit]--;
            move(c, of, STAGE_READY);
        }
    }
}

/* The oldest instruction of each unit that waits for a collector. */
static void oldest_issued(struct collectors *c, struct collector *oldest[])
{
    for (int u = 0; u < EXEC_UNITS; u++)
        oldest[u] = NULL;
    for (int i = c->active_count - 1; i >= 0; i--) {
        struct collector *of = &c->collector[c->active[i]];
        if (of->stage == STAGE_ISSUED)
            oldest[of->unit] = of;
    }
}

static void enter(struct collectors *c, struct collector *of)
{
    c->pool_free[of->pool]--;
    c->before_free[of->latch]++;
    move(c, of, STAGE_COLLECTING);
}

/* By class in this order, round after round, the oldest of each; one that finds
 * none holds up those behind it, of other schedulers too (GPGPU-Sim,
 * opndcoll_rfu_t::allocate_cu). */
static void enter_by_class(struct collectors *c)
{
    static const uint8_t order[] = {UNIT_SP, UNIT_SFU, UNIT_MEM,   UNIT_TENSOR,
                                    UNIT_DP, UNIT_INT, UNIT_BRANCH};
    struct collector *oldest[EXEC_UNITS];
    bool any = true;
    while (any && c->in_stage[STAGE_ISSUED] > 0) {
        any = false;
        oldest_issued(c, oldest);
        for (size_t i = 0; i < sizeof(order); i++) {
            struct collector *of = oldest[order[i]];
            if (of == NULL || c->pool_free[of->pool] == 0)
                continue;
            enter(c, of);
            any = true;
        }
    }
}

static void enter_collectors(struct collectors *c)
{
    const struct gpu *g = c->core->gpu;
    if (g->stage.by_class && g->collector.generic > 0) {
        enter_by_class(c);
        return;
    }
    int moves[EXEC_UNITS];
    memcpy(moves, c->moves, sizeof(moves));
    for (int i = 0; i < c->active_count; i++) {
        struct collector *of = &c->collector[c->active[i]];
        if (of->stage != STAGE_ISSUED || c->pool_free[of->pool] == 0 ||
            moves[of->unit] == 0)
            continue;
        moves[of->unit]--;
        enter(c, of);
    }
}

void collectors_staged_cycle(struct collectors *c)
{
    if (c->in_stage[STAGE_READY] > 0)
        execute(c);
    for (int step = 0; step < c->banks.ports; step++) {
        if (c->in_stage[STAGE_COLLECTING] > 0)
            leave_collectors(c, step);
        if (c->in_stage[STAGE_ISSUED] > 0)
            enter_collectors(c);
    }
}

uint64_t collectors_staged_wake(struct collectors *c)
{
    uint64_t wake = UINT64_MAX;
    for (int i = 0; i < c->active_count; i++) {
        const struct collector *of = &c->collector[c->active[i]];
        if (of->left > 0 && of->stage == STAGE_COLLECTING)
            return c->core->now + 1;
        if (of->stage == STAGE_READY)
            wake = earliest(wake, collectors_unit_wake(c, of));
    }
    return wake;
}
