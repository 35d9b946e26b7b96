/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/unroll.h"

#include "base/arrays.h"

#define UNROLL_SETS 4

/* The most instructions that a loop of so many becomes: the largest loops of a
 * constant number of trips that ptxas 13.0 -arch=sm_75 lays out whole. */
static const struct {
    uint32_t body, ops;
} unroll_ops[] = {{8, 2048}, {12, 1536}, {16, 1024}, {24, 768},
                  {32, 640}, {48, 480},  {96, 384},  {128, 256}};

struct loop {
    uint32_t first, branch; /* ops, counted from the function's first */
    uint32_t trips;
};

struct unroller {
    struct ptx_program *p;
    struct ptx_code *code;
    struct ptx_op *op;  /* the function's */
    uint32_t *targeted; /* by op: how many branches lead there */
    uint32_t *defined;  /* by slot: in the whole function, at most */
    uint32_t *inside;   /* by slot: in the loop looked at */
    uint32_t slots;     /* before any were added */
    int32_t *now;       /* by slot: the one it has in this trip */
    int32_t *other;     /* by set and slot: its copy, or none */
    struct ptx_op *made;
    size_t mades;
    uint32_t *moved; /* by op: where it is now */
};

/* ---- what is where ------------------------------------------------------ */

static bool leaves(const struct ptx_op *op)
{
    return op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX ||
           op->action == ACTION_RETURN || op->action == ACTION_EXIT ||
           op->action == ACTION_TRAP || op->action == ACTION_CALL;
}

/* Counts definitions in ops from..end; one that is guarded counts twice, since
 * what was there before may stay. */
static void count_definitions(const struct unroller *u, uint32_t from,
                              uint32_t end, uint32_t *count)
{
    memset(count, 0, u->slots * sizeof(*count));
    for (uint32_t i = from; i < end; i++)
        for (int k = 0; k < u->op[i].results; k++)
            if (u->op[i].result[k] >= 0)
                count[u->op[i].result[k]] +=
                    u->op[i].guard == PTX_SLOT_NONE ? 1 : 2;
}

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

static uint64_t value_of(const struct unroller *u, int32_t slot)
{
    return u->p->constant[(size_t)~slot * WARP_LANES];
}

static bool always(const struct ptx_op *op)
{
    return op->guard == PTX_SLOT_NONE;
}

/* A counter: its start, its step and what it is compared with. */
struct counter {
    uint32_t step_at, compare_at;
    uint64_t start, step, limit;
    const struct ptx_op *compare;
    bool limit_first; /* limit REL counter */
    uint8_t bytes;
};

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

/* counter += step, or -= step. */
static bool find_step(const struct unroller *u, const struct loop *l,
                      int32_t counter, struct counter *c)
{
    c->step_at = definition(u, l, counter);
    if (c->step_at == PTX_NONE || u->defined[counter] != 2)
        return false;
    const struct ptx_op *op = &u->op[c->step_at];
    bool adds = strcmp(op->inst->form->mnemonic, "add") == 0;
    bool takes = strcmp(op->inst->form->mnemonic, "sub") == 0;
    if ((!adds && !takes) || op->action != ACTION_LANES || op->sources != 2 ||
        op->saturate || op->source[0] != counter ||
        !is_constant(op->source[1]) || !is_whole(op->inst, &c->bytes))
        return false;
    uint64_t step = value_of(u, op->source[1]);
    c->step = adds ? step : 0 - step;
    return true;
}

/* The counter is set to a constant on the way that alone leads to the loop. */
static bool find_start(const struct unroller *u, const struct loop *l,
                       int32_t counter, struct counter *c)
{
    for (uint32_t i = l->first; i-- > 0;) {
        const struct ptx_op *op = &u->op[i];
        if (leaves(op) && always(op))
            return false;
        if (op->results == 1 && op->result[0] == counter) {
            bool sets = op->action == ACTION_MOVE && always(op) &&
                        op->sources == 1 && is_constant(op->source[0]);
            c->start = sets ? value_of(u, op->source[0]) : 0;
            return sets;
        }
        if (u->targeted[i] > 0)
            return false;
    }
    return false;
}

static bool find_counter(const struct unroller *u, const struct loop *l,
                         struct counter *c)
{
    uint8_t bytes;
    c->compare_at = definition(u, l, u->op[l->branch].guard);
    if (c->compare_at == PTX_NONE)
        return false;
    const struct ptx_op *op = c->compare = &u->op[c->compare_at];
    if (op->action != ACTION_COMPARE || op->sources != 2 || op->results != 1 ||
        !is_whole(op->inst, &bytes))
        return false;
    c->limit_first = is_constant(op->source[0]);
    int32_t limit = op->source[!c->limit_first];
    int32_t counter = op->source[c->limit_first];
    if (!is_constant(limit) || counter < 0)
        return false;
    c->limit = value_of(u, limit);
    return find_step(u, l, counter, c) && find_start(u, l, counter, c) &&
           bytes == c->bytes;
}

static bool holds(const struct counter *c, uint64_t counter)
{
    uint64_t a = c->limit_first ? c->limit : counter;
    uint64_t b = c->limit_first ? counter : c->limit;
    unsigned up = 64 - 8u * c->bytes;
    const struct ptx_inst *inst = c->compare->inst;
    bool is_signed = ptx_types[inst->type[inst->types - 1]].is_signed;
    uint64_t bias = is_signed ? UINT64_C(1) << 63 : 0;
    a = (a << up) ^ bias;
    b = (b << up) ^ bias;
    enum ptx_relation r = a < b    ? RELATION_LESS
                          : a == b ? RELATION_EQUAL
                                   : RELATION_GREATER;
    return (c->compare->truth & r) != 0;
}

/* 0 when there are more than `most`. */
static uint32_t count_trips(const struct unroller *u, const struct loop *l,
                            const struct counter *c, uint32_t most)
{
    uint64_t counter = c->start;
    for (uint32_t trips = 1; trips <= most; trips++) {
        uint64_t next = counter + c->step;
        uint64_t compared = c->step_at < c->compare_at ? next : counter;
        if (holds(c, compared) == u->op[l->branch].guard_negated)
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

/* Whether the op is the branch back of a loop to lay out. */
static bool find_loop(const struct unroller *u, uint32_t at, struct loop *l)
{
    const struct ptx_op *op = &u->op[at];
    struct counter c;
    if (op->action != ACTION_BRANCH || always(op) ||
        op->target - u->code->first >= at)
        return false;
    *l = (struct loop){op->target - u->code->first, at, 0};
    if (!is_one_block(u, l))
        return false;
    count_definitions(u, l->first, at, u->inside);
    if (find_counter(u, l, &c))
        l->trips = count_trips(u, l, &c, most_trips(at - l->first));
    return l->trips > 0;
}

/* ---- laying out --------------------------------------------------------- */

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

/* The last trip leaves its results where the loop did. */
static bool rename_results(struct unroller *u, const struct loop *l,
                           uint32_t trip, struct ptx_op *op)
{
    for (int k = 0; k < op->results; k++) {
        int32_t slot = op->result[k];
        if (slot < 0)
            continue;
        if (u->inside[slot] == 1)
            u->now[slot] = trip + 1 == l->trips
                               ? slot
                               : other_slot(u, trip % UNROLL_SETS, slot);
        if (u->now[slot] == PTX_SLOT_NONE)
            return false;
        op->result[k] = u->now[slot];
    }
    return true;
}

static bool lay_out_op(struct unroller *u, const struct loop *l, uint32_t trip,
                       uint32_t at)
{
    if (!array_room(&u->made, u->mades, 1))
        return false;
    struct ptx_op *op = &u->made[u->mades++];
    *op = u->op[at];
    for (int k = 0; k < op->sources; k++)
        op->source[k] = slot_now(u, op->source[k]);
    op->guard = slot_now(u, op->guard);
    op->base = slot_now(u, op->base);
    op->second_base = slot_now(u, op->second_base);
    op->third_base = slot_now(u, op->third_base);
    return rename_results(u, l, trip, op);
}

static bool lay_out(struct unroller *u, const struct loop *l)
{
    for (uint32_t s = 0; s < u->slots; s++)
        u->now[s] = (int32_t)s;
    for (uint32_t trip = 0; trip < l->trips; trip++)
        for (uint32_t i = l->first; i < l->branch; i++)
            if (!lay_out_op(u, l, trip, i))
                return false;
    return true;
}

static bool keep(struct unroller *u, uint32_t at)
{
    u->moved[at] = (uint32_t)u->mades;
    if (!array_room(&u->made, u->mades, 1))
        return false;
    u->made[u->mades++] = u->op[at];
    return true;
}

/* Every op in its place; a loop's own ones, kept first, give way to it. */
static bool lay_out_all(struct unroller *u)
{
    struct loop l;
    for (uint32_t i = 0; i < u->code->count; i++) {
        if (!find_loop(u, i, &l)) {
            if (!keep(u, i))
                return false;
            continue;
        }
        u->mades = u->moved[l.first];
        u->moved[i] = (uint32_t)u->mades;
        if (!lay_out(u, &l))
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
    u->moved = calloc(ops, sizeof(*u->moved));
    u->defined = calloc(slots, sizeof(*u->defined));
    u->inside = calloc(slots, sizeof(*u->inside));
    u->now = calloc(slots, sizeof(*u->now));
    u->other = malloc(UNROLL_SETS * slots * sizeof(*u->other));
    if (u->targeted == NULL || u->moved == NULL || u->defined == NULL ||
        u->inside == NULL || u->now == NULL || u->other == NULL)
        return false;
    for (size_t i = 0; i < UNROLL_SETS * slots; i++)
        u->other[i] = PTX_SLOT_NONE;
    count_definitions(u, 0, u->code->count, u->defined);
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
    free(u.now);
    free(u.other);
    free(u.made);
    return ok;
}
