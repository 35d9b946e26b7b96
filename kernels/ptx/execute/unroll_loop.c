/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/unroll_loop.h"

#include "kernels/ptx/execute/trips.h"
#include "kernels/ptx/lower/peephole.h"

#include <string.h>

/* The most instructions that a loop of so many becomes: the largest loops of a
 * constant number of trips that ptxas 13.0 -arch=sm_75 lays out whole. */
static const struct {
    uint32_t body, ops;
} unroll_ops[] = {{8, 2048}, {12, 1536}, {16, 1024}, {24, 768},
                  {32, 640}, {48, 480},  {96, 384},  {128, 256}};

/* A loop whose number of trips only the run knows is laid out four and two
 * trips at a time where it has at most so many instructions, loads not counted
 * and a store for another one: 21 multiply-adds or special functions with the
 * loop's own, 15 loads and adds, 9 stores (ptxas 13.0, sm_75 and sm_90 alike).
 */
#define GROUPED_INSTS 21

/* ---- what is where ------------------------------------------------------ */

static bool leaves(const struct ptx_op *op)
{
    return op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX ||
           op->action == ACTION_RETURN || op->action == ACTION_EXIT ||
           op->action == ACTION_TRAP || op->action == ACTION_CALL;
}

/* Counts definitions in ops from..end; one that is guarded counts twice, since
 * what was there before may stay. */
void unroll_count_definitions(const struct unroller *u, uint32_t from,
                              uint32_t end, uint32_t *count)
{
    memset(count, 0, u->slots * sizeof(*count));
    for (uint32_t i = from; i < end; i++)
        for (int k = 0; k < u->op[i].results; k++)
            if (u->op[i].result[k] >= 0)
                count[u->op[i].result[k]] +=
                    u->op[i].guard == PTX_SLOT_NONE ? 1 : 2;
}

static bool is_one_block(const struct unroller *u, const struct loop *l)
{
    if (u->targeted[l->first] != 1 || u->op[l->first].inst->nounroll)
        return false;
    for (uint32_t i = l->first; i < l->branch; i++)
        if (leaves(&u->op[i]) || u->op[i].wides > 0 || u->targeted[i + 1] > 0)
            return false;
    return true;
}

/* ---- how often it runs -------------------------------------------------- */

static bool is_constant(int32_t slot)
{
    return slot < 0 && slot != PTX_SLOT_NONE;
}

uint64_t unroll_value(const struct unroller *u, int32_t slot)
{
    return ptx_constant_value(u->p, slot);
}

static bool always(const struct ptx_op *op)
{
    return op->guard == PTX_SLOT_NONE;
}

/* The op of the loop that alone defines the slot, or PTX_NONE. */
static uint32_t definition(const struct unroller *u, const struct loop *l,
                           int32_t slot)
{
    if (slot < 0 || u->inside[slot] != 1)
        return PTX_NONE;
    uint32_t i = l->first;
    for (; i < l->branch; i++)
        for (int k = 0; k < u->op[i].results; k++)
            if (u->op[i].result[k] == slot)
                return i;
    return PTX_NONE;
}

static bool is_whole(const struct ptx_inst *inst, uint8_t *bytes)
{
    const struct ptx_type_row *t = &ptx_types[inst->type[inst->types - 1]];
    *bytes = t->bytes;
    return !t->is_float && (t->bytes == 4 || t->bytes == 8);
}

bool unroll_steps(const struct unroller *u, const struct ptx_op *op)
{
    uint8_t bytes;
    bool adds = op->action == ACTION_LANES &&
                (strcmp(op->inst->form->mnemonic, "add") == 0 ||
                 strcmp(op->inst->form->mnemonic, "sub") == 0);
    if (!adds || !always(op) || op->sources != 2 || op->results != 1 ||
        op->saturate || op->source[0] != op->result[0] ||
        !is_constant(op->source[1]) || !is_whole(op->inst, &bytes))
        return false;
    return u->inside[op->result[0]] == 1;
}

uint64_t unroll_step(const struct unroller *u, const struct ptx_op *op)
{
    uint64_t step = unroll_value(u, op->source[1]);
    return strcmp(op->inst->form->mnemonic, "add") == 0 ? step : 0 - step;
}

/* counter += step, or -= step. */
static bool find_step(const struct unroller *u, const struct loop *l,
                      int32_t counter, struct counter *c)
{
    c->slot = counter;
    c->step_at = definition(u, l, counter);
    if (c->step_at == PTX_NONE || !unroll_steps(u, &u->op[c->step_at]))
        return false;
    const struct ptx_op *op = &u->op[c->step_at];
    c->step = unroll_step(u, op);
    return is_whole(op->inst, &c->bytes);
}

/* The counter is set to a constant on the way that alone leads to the loop. */
static bool find_start(const struct unroller *u, const struct loop *l,
                       struct counter *c)
{
    if (!is_constant(c->limit) || u->defined[c->slot] != 2)
        return false;
    for (uint32_t i = l->first; i-- > 0;) {
        const struct ptx_op *op = &u->op[i];
        if (leaves(op) && always(op))
            return false;
        if (op->results == 1 && op->result[0] == c->slot) {
            bool sets = op->action == ACTION_MOVE && always(op) &&
                        op->sources == 1 && is_constant(op->source[0]);
            c->start = sets ? unroll_value(u, op->source[0]) : 0;
            return sets;
        }
        if (u->targeted[i] > 0)
            return false;
    }
    return false;
}

static bool stays(const struct unroller *u, int32_t slot)
{
    return slot != PTX_SLOT_NONE && (slot < 0 || u->inside[slot] == 0);
}

/* What is compared with a limit that stays, and stepped by a constant. */
static bool find_counter(const struct unroller *u, const struct loop *l,
                         struct counter *c)
{
    uint8_t bytes;
    c->compare_at = definition(u, l, u->op[l->branch].guard);
    if (c->compare_at == PTX_NONE)
        return false;
    const struct ptx_op *op = &u->op[c->compare_at];
    if (op->action != ACTION_COMPARE || op->sources != 2 || op->results != 1 ||
        op->inst->types != 1 || !is_whole(op->inst, &bytes))
        return false;
    c->limit_first = stays(u, op->source[0]);
    c->limit = op->source[!c->limit_first];
    return stays(u, c->limit) &&
           find_step(u, l, op->source[c->limit_first], c) && bytes == c->bytes;
}

/* 0 when there are more than `most`. */
static uint32_t count_trips(const struct unroller *u, const struct loop *l,
                            uint32_t most)
{
    const struct counter *c = &l->counter;
    const struct ptx_op *compare = &u->op[c->compare_at];
    uint64_t counter = c->start, limit = unroll_value(u, c->limit);
    for (uint32_t trips = 1; trips <= most; trips++) {
        uint64_t next = counter + c->step;
        uint64_t compared = c->step_at < c->compare_at ? next : counter;
        bool goes_on = c->limit_first
                           ? ptx_whole_holds(compare, limit, compared)
                           : ptx_whole_holds(compare, compared, limit);
        if (goes_on == u->op[l->branch].guard_negated)
            return trips;
        counter = next;
    }
    return 0;
}

static uint32_t most_trips(uint32_t body)
{
    for (size_t i = 0; i < sizeof(unroll_ops) / sizeof(unroll_ops[0]); i++)
        if (body <= unroll_ops[i].body)
            return unroll_ops[i].ops / body;
    return 0;
}

static bool is_read(const struct unroller *u, uint32_t but, int32_t slot)
{
    for (uint32_t i = 0; i < u->code->count; i++)
        if (i != but && ptx_reads(&u->op[i], slot))
            return true;
    return false;
}

/* Whether the loop is small enough to be laid out by groups of trips, which
 * compare in their own way. */
static bool is_grouped(const struct unroller *u, const struct loop *l)
{
    const struct counter *c = &l->counter;
    uint32_t insts = l->branch - l->first + 1;
    if (c->step_at > c->compare_at || !always(&u->op[c->compare_at]) ||
        is_read(u, l->branch, u->op[l->branch].guard))
        return false;
    for (uint32_t i = l->first; i < l->branch; i++) {
        insts += u->op[i].action == ACTION_STORE;
        insts -= u->op[i].action == ACTION_LOAD;
    }
    return insts <= GROUPED_INSTS;
}

bool unroll_find(const struct unroller *u, uint32_t at, struct loop *l)
{
    const struct ptx_op *op = &u->op[at];
    if (op->action != ACTION_BRANCH || always(op) ||
        op->target - u->code->first >= at)
        return false;
    *l = (struct loop){.first = op->target - u->code->first, .branch = at};
    if (!is_one_block(u, l))
        return false;
    unroll_count_definitions(u, l->first, at, u->inside);
    if (!find_counter(u, l, &l->counter))
        return false;
    if (find_start(u, l, &l->counter))
        l->trips = count_trips(u, l, most_trips(at - l->first));
    return l->trips > 0 || is_grouped(u, l);
}
