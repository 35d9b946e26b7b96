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

/* Whether the unit of a takes one after that of b: with stage.by_port those of
 * a kind after another, of sub-cores in their order, else by age, as the one
 * of memory does (GPGPU-Sim, shader_core_ctx::execute). */
static bool is_behind(const struct collectors *c, const struct collector *a,
                      const struct collector *b)
{
    static const uint8_t turn[EXEC_UNITS] = {
        [UNIT_SP] = 0,     [UNIT_DP] = 1,     [UNIT_INT] = 2, [UNIT_SFU] = 3,
        [UNIT_TENSOR] = 4, [UNIT_BRANCH] = 5, [UNIT_MEM] = 6};
    if (c->by_port && a->unit != b->unit)
        return turn[a->unit] > turn[b->unit];
    bool apart = c->by_port && a->unit != UNIT_MEM && a->latch != b->latch;
    return apart ? a->latch > b->latch : is_newer(a, b);
}

/* Into the list of another stage, to its place by age or, of those that are
 * ready, by unit. */
static void move(struct collectors *c, uint8_t id, enum stage to)
{
    struct collector_list *list = &c->in_stage[to];
    struct collector *of = &c->collector[id];
    int at = list->count++;
    for (; at > 0; at--) {
        const struct collector *before = &c->collector[list->id[at - 1]];
        if (to == STAGE_READY ? !is_behind(c, before, of)
                              : !is_newer(before, of))
            break;
        list->id[at] = list->id[at - 1];
    }
    list->id[at] = id;
    c->moved = true;
}

/* To the units. */
static void execute(struct collectors *c)
{
    struct collector_list *ready = &c->in_stage[STAGE_READY];
    int kept = 0;
    for (int i = 0; i < ready->count; i++) {
        uint8_t id = ready->id[i];
        const struct collector *of = &c->collector[id];
        if (collectors_dispatch(c, of) != DISPATCHED) {
            ready->id[kept++] = id;
            continue;
        }
        c->after_free[of->latch]++;
        collectors_release(c, id);
        c->moved = true;
    }
    ready->count = kept;
}

static bool may_leave(const struct collectors *c, const struct collector *of)
{
    return c->after_free[of->latch] > 0;
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
    const struct collector_list *list = &c->in_stage[STAGE_COLLECTED];
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
    struct collector_list *list = &c->in_stage[STAGE_COLLECTED];
    uint8_t id = list->id[at];
    const struct collector *of = &c->collector[id];
    list->id[at] = list->id[--list->count];
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

/* Out of the collectors. */
static void leave_collectors(struct collectors *c)
{
    const struct collector_list *list = &c->in_stage[STAGE_COLLECTED];
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
}

static void add_last(struct collectors *c, uint8_t id, enum stage to)
{
    struct collector_list *list = &c->in_stage[to];
    list->id[list->count++] = id;
}

/* The operands of those that stay. */
static void read_operands(struct collectors *c, int step)
{
    struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        uint8_t id = list->id[i];
        struct collector *of = &c->collector[id];
        int left = of->left;
        collectors_read(c, of, step);
        c->moved |= of->left < left;
        if (of->left > 0)
            list->id[kept++] = id;
        else
            add_last(c, id, STAGE_COLLECTED);
    }
    list->count = kept;
}

/* With stage.by_port banks serve collectors as they came to hold instructions
 * (GPGPU-Sim, arbiter_t::add_read_requests), else by age. */
static void enter(struct collectors *c, uint8_t id)
{
    struct collector *of = &c->collector[id];
    uint64_t *places = c->places[of->pool];
    int word = places[0] == 0;
    int bit = __builtin_ctzll(places[word]);
    of->place = (uint8_t)(word * 64 + bit);
    places[word] &= ~BIT(bit);
    c->pool_free[of->pool]--;
    collectors_give_room(c, &c->before_free[of->latch]);
    c->issued_count--;
    if (of->left == 0)
        add_last(c, id, STAGE_COLLECTED);
    else if (c->by_port)
        add_last(c, id, STAGE_COLLECTING);
    else
        move(c, id, STAGE_COLLECTING);
    c->moved = true;
}

static void drop_first(struct collector_list *list)
{
    list->count--;
    for (int i = 0; i < list->count; i++)
        list->id[i] = list->id[i + 1];
}

/* By class in this order, round after round, the oldest of each; one that finds
 * none holds up those behind it, of other schedulers too (GPGPU-Sim,
 * opndcoll_rfu_t::allocate_cu). */
static void enter_by_class(struct collectors *c)
{
    static const uint8_t order[EXEC_UNITS] = {UNIT_SP,     UNIT_SFU, UNIT_MEM,
                                              UNIT_TENSOR, UNIT_DP,  UNIT_INT,
                                              UNIT_BRANCH};
    for (bool any = true; any && c->issued_count > 0;) {
        any = false;
        for (size_t i = 0; i < sizeof(order); i++) {
            struct collector_list *issued = &c->issued[order[i]];
            if (issued->count == 0 ||
                c->pool_free[c->collector[issued->id[0]].pool] == 0)
                continue;
            enter(c, issued->id[0]);
            drop_first(issued);
            any = true;
        }
    }
}

/* Those of the units of a mask. */
static void enter_units(struct collectors *c, uint32_t units)
{
    struct collector_list *issued = &c->issued[0];
    int moves[EXEC_UNITS], kept = 0;
    memcpy(moves, c->moves, sizeof(moves));
    for (int i = 0; i < issued->count; i++) {
        uint8_t id = issued->id[i];
        const struct collector *of = &c->collector[id];
        if ((units >> of->unit & 1) == 0 || c->pool_free[of->pool] == 0 ||
            moves[of->unit] == 0) {
            issued->id[kept++] = id;
            continue;
        }
        moves[of->unit]--;
        enter(c, id);
    }
    issued->count = kept;
}

/* Unit after unit in the order of their ports (GPGPU-Sim,
 * shader_core_ctx::create_exec_pipeline). */
static void enter_by_port(struct collectors *c)
{
    static const uint8_t order[EXEC_UNITS] = {UNIT_SP,  UNIT_BRANCH, UNIT_DP,
                                              UNIT_SFU, UNIT_TENSOR, UNIT_MEM,
                                              UNIT_INT};
    const struct collector_list *issued = &c->issued[0];
    uint32_t units = 0;
    for (int i = 0; i < issued->count; i++)
        units |= 1u << c->collector[issued->id[i]].unit;
    if ((units & (units - 1)) == 0)
        enter_units(c, units);
    else
        for (int i = 0; i < EXEC_UNITS; i++)
            if ((units >> order[i] & 1) != 0)
                enter_units(c, 1u << order[i]);
}

static void read_step(struct collectors *c, int step)
{
    if (c->in_stage[STAGE_COLLECTED].count > 0)
        leave_collectors(c);
    if (c->in_stage[STAGE_COLLECTING].count > 0)
        read_operands(c, step);
    if (c->issued_count == 0)
        return;
    if (c->by_class)
        enter_by_class(c);
    else if (c->by_port)
        enter_by_port(c);
    else
        enter_units(c, UINT32_MAX);
}

/* Nothing has moved. */
static void stand_still(struct collectors *c)
{
    bool reads = c->in_stage[STAGE_COLLECTING].count > 0;
    collectors_await(c, &c->in_stage[STAGE_READY],
                     reads ? c->core->now + 1 : UINT64_MAX);
}

void collectors_staged_cycle(struct collectors *c)
{
    if (collectors_stand_still(c))
        return;
    c->moved = false;
    c->still_until = 0;
    if (c->in_stage[STAGE_READY].count > 0)
        execute(c);
    for (int step = 0; step < c->banks.ports; step++)
        read_step(c, step);
    c->core->active_cycle |= c->moved;
    if (!c->moved)
        stand_still(c);
}

uint64_t collectors_staged_wake(struct collectors *c)
{
    return latest(c->still_until, c->core->now + 1);
}
