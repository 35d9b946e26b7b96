/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_staged.h"

#include "base/bits.h"

#include <limits.h>
#include <string.h>

/* Whether a was issued after b. */
static bool is_newer(const struct collector *a, const struct collector *b)
{
    return (int32_t)(a->number - b->number) > 0;
}

/* Into the list of another stage, to its place by age. */
static void move(struct collectors *c, uint8_t id, enum stage to)
{
    struct collector_list *list = &c->in_stage[to];
    struct collector *of = &c->collector[id];
    int at = list->count++;
    for (; at > 0 && is_newer(&c->collector[list->id[at - 1]], of); at--)
        list->id[at] = list->id[at - 1];
    list->id[at] = id;
    of->stage = (uint8_t)to;
    c->core->active_cycle = true;
}

/* To the units. */
static void execute(struct collectors *c)
{
    struct collector_list *ready = &c->in_stage[STAGE_READY];
    int kept = 0;
    for (int i = 0; i < ready->count; i++) {
        uint8_t id = ready->id[i];
        const struct collector *of = &c->collector[id];
        if (!collectors_dispatch(c, of)) {
            ready->id[kept++] = id;
            continue;
        }
        c->after_free[of->latch]++;
        collectors_release(c, id);
        c->core->active_cycle = true;
    }
    ready->count = kept;
}

static bool may_leave(const struct collectors *c, const struct collector *of)
{
    return of->left == 0 && c->after_free[of->latch] > 0;
}

/* Units share a set of collectors, of which each scheduler may have a part. */
static int set_of(const struct collector *of)
{
    return of->pool / MAX_SCHEDULERS;
}

/* How far a collector is from where a move of a read step begins: in its
 * sub-core at the first, else behind the one that it found last (GPGPU-Sim,
 * dispatch_unit_t::find_ready). */
static int way_to(const struct collectors *c, const struct collector *of, int m)
{
    int first = c->core->gpu->sm.sub_core ? 0 : c->taken[of->pool][m] + 1;
    return of->pool << 8 | (uint8_t)(of->place - first);
}

/* Of a set's instructions that may leave the one that a move finds first, by
 * its place in the list; -1: none. */
static int find_ready(const struct collectors *c, int set, int m)
{
    const struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    int found = -1, nearest = INT_MAX;
    for (int i = 0; i < list->count; i++) {
        const struct collector *of = &c->collector[list->id[i]];
        int way = way_to(c, of, m);
        if (way >= nearest || set_of(of) != set || !may_leave(c, of))
            continue;
        found = i;
        nearest = way;
    }
    return found;
}

static void leave(struct collectors *c, int at, int m)
{
    struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    uint8_t id = list->id[at];
    const struct collector *of = &c->collector[id];
    list->count--;
    for (int i = at; i < list->count; i++)
        list->id[i] = list->id[i + 1];
    c->taken[of->pool][m] = of->place;
    c->places[of->pool][of->place / 64] |= BIT(of->place % 64);
    c->after_free[of->latch]--;
    c->pool_free[of->pool]++;
    move(c, id, STAGE_READY);
}

static void leave_set(struct collectors *c, int set)
{
    for (int m = 0; m < c->moves[set] && m < MAX_MOVES; m++) {
        int at = find_ready(c, set, m);
        if (at < 0)
            return;
        leave(c, at, m);
    }
}

/* Out of the collectors, and the operands of those that stay. */
static void leave_collectors(struct collectors *c, int step)
{
    const struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    uint32_t sets = 0;
    int ready = 0, last = 0;
    for (int i = 0; i < list->count; i++) {
        const struct collector *of = &c->collector[list->id[i]];
        if (!may_leave(c, of))
            continue;
        sets |= 1u << set_of(of);
        last = i;
        ready++;
    }
    if (ready == 1)
        leave(c, last, 0);
    else
        for (; sets != 0; sets &= sets - 1)
            leave_set(c, __builtin_ctz(sets));
    for (int i = 0; i < list->count; i++) {
        struct collector *of = &c->collector[list->id[i]];
        if (of->left > 0)
            collectors_read(c, of, step);
    }
}

/* The oldest instruction of each unit that waits for a collector, by its place
 * in the list, or -1. */
static void oldest_issued(const struct collectors *c, int oldest[])
{
    const struct collector_list *issued = &c->in_stage[STAGE_ISSUED];
    for (int u = 0; u < EXEC_UNITS; u++)
        oldest[u] = -1;
    for (int i = issued->count - 1; i >= 0; i--) {
        const struct collector *of = &c->collector[issued->id[i]];
        if (of->stage == STAGE_ISSUED)
            oldest[of->unit] = i;
    }
}

static void enter(struct collectors *c, uint8_t id)
{
    struct collector *of = &c->collector[id];
    uint64_t *places = c->places[of->pool];
    int word = places[0] == 0;
    int bit = __builtin_ctzll(places[word]);
    of->place = (uint8_t)(word * 64 + bit);
    places[word] &= ~BIT(bit);
    c->pool_free[of->pool]--;
    c->before_free[of->latch]++;
    move(c, id, STAGE_COLLECTING);
}

/* Take those that have entered off the list. */
static void drop_entered(struct collectors *c)
{
    struct collector_list *issued = &c->in_stage[STAGE_ISSUED];
    int kept = 0;
    for (int i = 0; i < issued->count; i++)
        if (c->collector[issued->id[i]].stage == STAGE_ISSUED)
            issued->id[kept++] = issued->id[i];
    issued->count = kept;
}

/* By class in this order, round after round, the oldest of each; one that finds
 * none holds up those behind it, of other schedulers too (GPGPU-Sim,
 * opndcoll_rfu_t::allocate_cu). */
static void enter_by_class(struct collectors *c)
{
    static const uint8_t order[] = {UNIT_SP, UNIT_SFU, UNIT_MEM,   UNIT_TENSOR,
                                    UNIT_DP, UNIT_INT, UNIT_BRANCH};
    const struct collector_list *issued = &c->in_stage[STAGE_ISSUED];
    int oldest[EXEC_UNITS], left = issued->count;
    for (bool any = true; any && left > 0;) {
        any = false;
        oldest_issued(c, oldest);
        for (size_t i = 0; i < sizeof(order); i++) {
            int at = oldest[order[i]];
            if (at < 0 || c->pool_free[c->collector[issued->id[at]].pool] == 0)
                continue;
            enter(c, issued->id[at]);
            left--;
            any = true;
        }
    }
    drop_entered(c);
}

static void enter_collectors(struct collectors *c)
{
    struct collector_list *issued = &c->in_stage[STAGE_ISSUED];
    int moves[EXEC_UNITS], kept = 0;
    memcpy(moves, c->moves, sizeof(moves));
    for (int i = 0; i < issued->count; i++) {
        uint8_t id = issued->id[i];
        const struct collector *of = &c->collector[id];
        if (c->pool_free[of->pool] == 0 || moves[of->unit] == 0) {
            issued->id[kept++] = id;
            continue;
        }
        moves[of->unit]--;
        enter(c, id);
    }
    issued->count = kept;
}

void collectors_staged_cycle(struct collectors *c)
{
    const struct gpu *g = c->core->gpu;
    bool by_class = g->stage.by_class && g->collector.generic > 0;
    if (c->in_stage[STAGE_READY].count > 0)
        execute(c);
    for (int step = 0; step < c->banks.ports; step++) {
        if (c->in_stage[STAGE_COLLECTING].count > 0)
            leave_collectors(c, step);
        if (c->in_stage[STAGE_ISSUED].count == 0)
            continue;
        if (by_class)
            enter_by_class(c);
        else
            enter_collectors(c);
    }
}

uint64_t collectors_staged_wake(struct collectors *c)
{
    const struct collector_list *collecting = &c->in_stage[STAGE_COLLECTING];
    const struct collector_list *ready = &c->in_stage[STAGE_READY];
    uint64_t wake = UINT64_MAX;
    for (int i = 0; i < collecting->count; i++)
        if (c->collector[collecting->id[i]].left > 0)
            return c->core->now + 1;
    for (int i = 0; i < ready->count; i++)
        wake = earliest(wake,
                        collectors_unit_wake(c, &c->collector[ready->id[i]]));
    return wake;
}
