/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/unroll.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/unroll_loop.h"
#include "kernels/ptx/lower/lower_code.h"
#include "kernels/ptx/lower/peephole.h"

#include <stdlib.h>
#include <string.h>

#define LABELS 4 /* of a loop, at most */

/* False where a branch may go to several labels, which name instructions. */
static bool count_targets(const struct unroller *u)
{
    for (uint32_t i = 0; i < u->code->count; i++) {
        if (u->op[i].action == ACTION_BRANCH_INDEX)
            return false;
        if (u->op[i].action == ACTION_BRANCH)
            u->targeted[u->op[i].target - u->code->first]++;
    }
    return true;
}

/* ---- slots -------------------------------------------------------------- */

static int32_t slot_now(const struct unroller *u, int32_t slot)
{
    return slot < 0 ? slot : u->now[slot];
}

/* A slot like `slot` for trips of the set; none: no memory. */
static int32_t other_slot(struct unroller *u, uint32_t set, int32_t slot)
{
    int32_t *other = &u->other[set * u->slots + (uint32_t)slot];
    struct ptx_code *c = u->code;
    if (*other != PTX_SLOT_NONE)
        return *other;
    if (!array_room(&c->copy_of, c->copies, 1))
        return PTX_SLOT_NONE;
    c->copy_of[c->copies++] = slot;
    return *other = (int32_t)c->slots++;
}

/* ---- a trip of a group -------------------------------------------------- */

/* `trips` trips laid out behind each other; `whole`: they are all of the
 * loop's, else its comparison is left out, and what steps by a constant is
 * counted from where it stood before the group. */
struct group {
    const struct loop *loop;
    uint32_t trips;
    bool whole;
};

/* Whether an address of an op is all that it makes of the slot. */
static bool is_offset(const struct ptx_op *op, int32_t slot)
{
    return op->base == slot && op->addresses == 1 &&
           (op->action == ACTION_LOAD || op->action == ACTION_STORE);
}

/* Whether a stepped slot is needed nowhere but in addresses, which can take the
 * steps into their offsets. */
static bool is_all_offset(const struct unroller *u, const struct loop *l,
                          uint32_t step_at)
{
    int32_t slot = u->op[step_at].result[0];
    for (uint32_t i = l->first; i < l->branch; i++) {
        const struct ptx_op *op = &u->op[i];
        if (i == step_at || i == l->counter.compare_at || !ptx_reads(op, slot))
            continue;
        struct ptx_op rest = *op;
        rest.base = PTX_SLOT_NONE;
        if (!is_offset(op, slot) || ptx_reads(&rest, slot) ||
            u->op[step_at].result_bytes != 8)
            return false;
    }
    return true;
}

/* What the steps before trip `trip`, and in it before op `at`, add to an
 * address. */
static void take_into_offset(const struct unroller *u, const struct group *g,
                             uint32_t trip, uint32_t at, struct ptx_op *op)
{
    const struct loop *l = g->loop;
    for (uint32_t i = l->first; i < l->branch; i++) {
        const struct ptx_op *step = &u->op[i];
        if (!unroll_steps(u, step) || !is_offset(op, step->result[0]) ||
            !is_all_offset(u, l, i))
            continue;
        bool is_there = i < at && trip + 1 == g->trips;
        uint64_t steps = is_there ? 0 : trip + (i < at);
        op->offset =
            (int64_t)((uint64_t)op->offset + steps * unroll_step(u, step));
    }
}

/* A step: counted from before the group, and left out where only addresses
 * want it before the last trip. */
static bool lay_out_step(struct unroller *u, const struct group *g,
                         uint32_t trip, uint32_t at, struct ptx_op *op)
{
    int32_t slot = op->result[0];
    uint64_t step = unroll_value(u, op->source[1]) * (trip + 1);
    bool is_last = trip + 1 == g->trips;
    if (!is_last && is_all_offset(u, g->loop, at)) {
        u->mades--;
        return true;
    }
    op->source[1] = ptx_constant_slot(
        u->p, op->result_bytes == 8 ? step : step & UINT32_MAX);
    op->result[0] = u->now[slot] =
        is_last ? slot : other_slot(u, trip % UNROLL_SETS, slot);
    return op->source[1] != PTX_SLOT_NONE && op->result[0] != PTX_SLOT_NONE;
}

/* The last trip leaves what lives on where the loop did. */
static bool rename_results(struct unroller *u, const struct group *g,
                           uint32_t trip, struct ptx_op *op)
{
    for (int k = 0; k < op->results; k++) {
        int32_t slot = op->result[k];
        if (slot < 0)
            continue;
        if (u->inside[slot] == 1)
            u->now[slot] = trip + 1 == g->trips && u->lives_on[slot]
                               ? slot
                               : other_slot(u, trip % UNROLL_SETS, slot);
        if (u->now[slot] == PTX_SLOT_NONE)
            return false;
        op->result[k] = u->now[slot];
    }
    return true;
}

static struct ptx_op *add_op(struct unroller *u, const struct ptx_op *op)
{
    if (!array_room(&u->made, u->mades, 1))
        return NULL;
    u->made[u->mades] = *op;
    return &u->made[u->mades++];
}

static bool lay_out_op(struct unroller *u, const struct group *g, uint32_t trip,
                       uint32_t at)
{
    if (!g->whole && at == g->loop->counter.compare_at)
        return true;
    struct ptx_op *op = add_op(u, &u->op[at]);
    if (op == NULL)
        return false;
    if (!g->whole && unroll_steps(u, op))
        return lay_out_step(u, g, trip, at, op);
    if (!g->whole)
        take_into_offset(u, g, trip, at, op);
    for (int k = 0; k < op->sources; k++)
        op->source[k] = slot_now(u, op->source[k]);
    op->guard = slot_now(u, op->guard);
    op->base = slot_now(u, op->base);
    op->second_base = slot_now(u, op->second_base);
    op->third_base = slot_now(u, op->third_base);
    return rename_results(u, g, trip, op);
}

static void note_read(struct unroller *u, int32_t slot, const bool *made)
{
    if (slot >= 0 && !made[slot])
        u->lives_on[slot] = true;
}

/* Which slots are read outside the loop, or in it before it writes them. */
static bool find_lives_on(struct unroller *u, const struct loop *l)
{
    int32_t slot[PTX_READS_MAX];
    bool *made = calloc((size_t)u->slots + 1, sizeof(*made));
    if (made == NULL)
        return false;
    memset(u->lives_on, 0, u->slots * sizeof(*u->lives_on));
    for (uint32_t i = 0; i < u->code->count; i++) {
        const struct ptx_op *op = &u->op[i];
        if (i == l->first || i == l->branch + 1)
            memset(made, 0, u->slots * sizeof(*made));
        for (size_t n = ptx_slots_read(op, slot); n > 0; n--)
            note_read(u, slot[n - 1], made);
        for (int k = 0; i >= l->first && i <= l->branch && k < op->results; k++)
            if (op->result[k] >= 0)
                made[op->result[k]] = true;
    }
    free(made);
    return true;
}

/* Copies are a group's own: a register that two share would be taken from the
 * one to the other. */
static void begin_group(struct unroller *u)
{
    for (uint32_t s = 0; s < u->slots; s++)
        u->now[s] = (int32_t)s;
    for (size_t i = 0; i < UNROLL_SETS * (size_t)u->slots; i++)
        u->other[i] = PTX_SLOT_NONE;
}

static bool lay_out(struct unroller *u, const struct group *g)
{
    begin_group(u);
    for (uint32_t trip = 0; trip < g->trips; trip++)
        for (uint32_t i = g->loop->first; i < g->loop->branch; i++)
            if (!lay_out_op(u, g, trip, i))
                return false;
    return true;
}

/* ---- by groups ---------------------------------------------------------- */

static uint32_t new_label(struct unroller *u)
{
    return u->code->count + u->labels++;
}

static void place(struct unroller *u, uint32_t label)
{
    u->moved[label] = (uint32_t)u->mades;
}

/* A branch like the loop's, to a label where the slot holds `when`. */
static bool add_branch(struct unroller *u, const struct loop *l, int32_t guard,
                       bool when, uint32_t label)
{
    struct ptx_op *op = add_op(u, &u->op[l->branch]);
    if (op == NULL || guard == PTX_SLOT_NONE)
        return false;
    op->guard = guard;
    op->guard_negated = !when;
    op->target = u->code->first + label;
    return true;
}

/* Whether so many trips are to come, into a slot of its own; `ran`, so many
 * slots, say which lanes have begun. */
static int32_t add_trips(struct unroller *u, const struct loop *l,
                         struct ptx_trips trips, const int32_t *ran, int rans)
{
    const struct counter *c = &l->counter;
    struct ptx_op *op = add_op(u, &u->op[c->compare_at]);
    begin_group(u);
    int32_t slot = other_slot(u, 0, u->op[l->branch].guard);
    if (op == NULL)
        return PTX_SLOT_NONE;
    op->action = ACTION_TRIPS;
    op->result[0] = slot;
    op->trips = trips;
    op->trips.counter = c->limit_first;
    op->trips.step = (int64_t)c->step;
    for (int i = 0; i < rans; i++)
        op->source[op->sources++] = ran[i];
    if (u->op[l->branch].guard_negated)
        op->truth ^= RELATION_LESS | RELATION_EQUAL | RELATION_GREATER;
    return slot;
}

/* Four trips again and again, then two, then one, each where there are as many
 * to come. */
static bool lay_out_grouped(struct unroller *u, const struct loop *l)
{
    uint32_t again = new_label(u), two = new_label(u), one = new_label(u);
    uint32_t done = new_label(u);
    int32_t ran[2];
    ran[0] = add_trips(u, l, (struct ptx_trips){.count = 4, .begins = true},
                       NULL, 0);
    if (!add_branch(u, l, ran[0], false, two))
        return false;
    place(u, again);
    if (!lay_out(u, &(struct group){l, 4, false}))
        return false;
    int32_t more = add_trips(u, l, (struct ptx_trips){.count = 4}, NULL, 0);
    if (!add_branch(u, l, more, true, again))
        return false;
    place(u, two);
    ran[1] =
        add_trips(u, l, (struct ptx_trips){.count = 2, .begins = true}, ran, 1);
    if (!add_branch(u, l, ran[1], false, one) ||
        !lay_out(u, &(struct group){l, 2, false}))
        return false;
    place(u, one);
    more =
        add_trips(u, l, (struct ptx_trips){.count = 1, .begins = true}, ran, 2);
    if (!add_branch(u, l, more, false, done) ||
        !lay_out(u, &(struct group){l, 1, false}))
        return false;
    place(u, done);
    return true;
}

/* ---- a function --------------------------------------------------------- */

static bool keep(struct unroller *u, uint32_t at)
{
    place(u, at);
    return add_op(u, &u->op[at]) != NULL;
}

/* Every op in its place; a loop's own ones, kept first, give way to it. */
static bool lay_out_all(struct unroller *u)
{
    struct loop l;
    for (uint32_t i = 0; i < u->code->count; i++) {
        if (!unroll_find(u, i, &l)) {
            if (!keep(u, i))
                return false;
            continue;
        }
        u->mades = u->moved[l.first];
        place(u, i);
        if (!find_lives_on(u, &l))
            return false;
        if (l.trips > 0 ? !lay_out(u, &(struct group){&l, l.trips, true})
                        : !lay_out_grouped(u, &l))
            return false;
    }
    return true;
}

/* What was made in place of what was there. */
static bool replace(struct unroller *u)
{
    struct ptx_program *p = u->p;
    struct ptx_code *c = u->code;
    if (u->mades > c->count && !array_room(&p->op, p->ops, u->mades - c->count))
        return false;
    for (size_t i = 0; i < u->mades; i++)
        if (u->made[i].action == ACTION_BRANCH)
            u->made[i].target =
                c->first + u->moved[u->made[i].target - c->first];
    memcpy(p->op + c->first, u->made, u->mades * sizeof(*u->made));
    p->ops = c->first + u->mades;
    c->count = (uint32_t)u->mades;
    return true;
}

static bool prepare(struct unroller *u)
{
    size_t ops = (size_t)u->code->count + 1, slots = (size_t)u->slots + 1;
    u->targeted = calloc(ops, sizeof(*u->targeted));
    u->moved = calloc((1 + LABELS) * ops, sizeof(*u->moved));
    u->defined = calloc(slots, sizeof(*u->defined));
    u->inside = calloc(slots, sizeof(*u->inside));
    u->lives_on = calloc(slots, sizeof(*u->lives_on));
    u->now = calloc(slots, sizeof(*u->now));
    u->other = malloc(UNROLL_SETS * slots * sizeof(*u->other));
    if (u->targeted == NULL || u->moved == NULL || u->defined == NULL ||
        u->inside == NULL || u->lives_on == NULL || u->now == NULL ||
        u->other == NULL)
        return false;
    unroll_count_definitions(u, 0, u->code->count, u->defined);
    return true;
}

bool ptx_unroll(struct ptx_program *p, uint32_t function)
{
    struct ptx_code *c = &p->code[function];
    struct unroller u = {
        .p = p, .code = c, .op = p->op + c->first, .slots = c->slots};
    c->first_copy = c->slots;
    bool ok = prepare(&u);
    if (ok && count_targets(&u))
        ok = lay_out_all(&u) && replace(&u);
    free(u.targeted);
    free(u.moved);
    free(u.defined);
    free(u.inside);
    free(u.lives_on);
    free(u.now);
    free(u.other);
    free(u.made);
    return ok;
}
