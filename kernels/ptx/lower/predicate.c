/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Short branches as predicates. ptxas (V13.0.88, sm_75) guards what a forward
 * branch jumps over in place of jumping, by how many instructions that is: up
 * to 8; up to 6 where all warps of a block decide alike; up to 20 where a load
 * from global memory is among them. Of two arms each may be as long, with the
 * jump at the end of the first. An atomic keeps the branch. Found on kernels
 * with one branch around 1 to 25 additions, stores or loads (of global, shared
 * and constant memory), 540 in all, each limit exact in every one. A branch to
 * the end of the entry stays one, or rather the exit of some lanes: around 1 to
 * 25 of these, whether or not warps decide alike, in 120 of 120 (sm_75 and
 * sm_90). */
#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>
#include <string.h>

#define SHORT   8
#define UNIFORM 6
#define LOADING 20

struct predicate {
    struct ptx_low_code *c;
    const struct ptx_code *code;
    uint32_t *comes;     /* op: branches to it */
    bool *varies;        /* slot: lanes may differ in it */
    uint32_t open_until; /* op at which lanes parted in a loop meet */
};

/* ---- what differs between lanes ----------------------------------------- */

static bool special_varies(enum ptx_special s)
{
    return !(s >= SPECIAL_NTID_X && s <= SPECIAL_NTID_Z) &&
           !(s >= SPECIAL_CTAID_X && s <= SPECIAL_CTAID_Z) &&
           !(s >= SPECIAL_NCTAID_X && s <= SPECIAL_NCTAID_Z);
}

static bool result_varies(const struct predicate *p, const struct ptx_op *op)
{
    int32_t slot[PTX_READS_MAX];
    if (op->action == ACTION_LOAD && op->space == PTX_PARAM)
        return false;
    if (op->action != ACTION_LANES && op->action != ACTION_COMPARE &&
        op->action != ACTION_MOVE)
        return true;
    for (size_t n = ptx_slots_read(op, slot); n > 0; n--)
        if (p->varies[slot[n - 1]])
            return true;
    return false;
}

static bool note_varying(struct predicate *p, const struct ptx_op *op)
{
    int32_t slot[PTX_READS_MAX];
    bool changed = false;
    if (!result_varies(p, op))
        return false;
    for (size_t n = ptx_slots_written(op, slot); n > 0; n--) {
        changed |= !p->varies[slot[n - 1]];
        p->varies[slot[n - 1]] = true;
    }
    return changed;
}

static void find_varying(struct predicate *p)
{
    for (size_t i = 0; i < p->code->specials; i++)
        p->varies[p->code->special[i].slot] =
            special_varies(p->code->special[i].special);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->code->count; i++)
            changed |= note_varying(p, ptx_low_op(p->c, i));
    }
}

/* ---- branches ----------------------------------------------------------- */

static uint32_t local(const struct predicate *p, uint32_t op)
{
    return op - p->code->first;
}

static void count_comes(struct predicate *p)
{
    for (uint32_t i = 0; i < p->code->count; i++) {
        const struct ptx_op *op = ptx_low_op(p->c, i);
        if (op->action == ACTION_BRANCH && op->target != PTX_NONE)
            p->comes[local(p, op->target)]++;
        if (op->action != ACTION_BRANCH_INDEX)
            continue;
        const struct ptx_targets *t =
            &p->c->program->module->targets[op->target];
        for (size_t k = 0; k < t->count; k++)
            p->comes[t->label[k]]++;
    }
}

static bool can_be_guarded(const struct ptx_op *op)
{
    switch (op->action) {
    case ACTION_LANES:
    case ACTION_COMPARE:
    case ACTION_MOVE:
    case ACTION_LOAD:
    case ACTION_STORE:
    case ACTION_CONVERT_ADDRESS:
    case ACTION_SPACE_TEST:
        return op->inst->modifier[GROUP_ORDER] == MOD_NONE;
    default:
        return ptx_action_is_carry(op->action);
    }
}

static bool loads_global(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD && ptx_is_global(op);
}

/* Whether ops from..to-1 can be guarded, with `more` instructions, in place of
 * a branch by that predicate. Nothing else comes to them, but for the first. */
static bool is_arm(const struct predicate *p, uint32_t from, uint32_t to,
                   uint32_t more, int32_t guard)
{
    uint32_t count = more, most = p->varies[guard] ? SHORT : UNIFORM;
    if (from >= to)
        return false;
    for (uint32_t i = from; i < to; i++) {
        const struct ptx_op *op = ptx_low_op(p->c, i);
        if (!can_be_guarded(op) || (i > from && p->c->leader[i]))
            return false;
        if (loads_global(op) && !p->c->dropped[i])
            most = LOADING;
        count += ptx_low_count(p->c, i);
    }
    return count <= most;
}

static void guard(struct predicate *p, uint32_t from, uint32_t to, int32_t slot)
{
    for (uint32_t i = from; i < to; i++)
        p->c->under[i] = slot;
}

/* A branch over one arm: to where its lanes meet again. */
static bool fold_one(struct predicate *p, uint32_t at, uint32_t end)
{
    int32_t slot = ptx_low_op(p->c, at)->guard;
    bool is_exit = p->c->is_entry && ptx_ends_lanes(ptx_low_op(p->c, end));
    if (is_exit || p->comes[at + 1] > 0 || !is_arm(p, at + 1, end, 0, slot))
        return false;
    guard(p, at + 1, end, slot);
    p->c->arms[at] =
        (struct ptx_arms){.over = at + 1, .over_count = end - at - 1};
    return true;
}

/* A branch to the second of two arms; the first ends in a jump over it. */
static void fold_two(struct predicate *p, uint32_t at, uint32_t second,
                     uint32_t end)
{
    const struct ptx_op *jump = ptx_low_op(p->c, second - 1);
    int32_t slot = ptx_low_op(p->c, at)->guard;
    if (jump->action != ACTION_BRANCH || jump->guard != PTX_SLOT_NONE ||
        local(p, jump->target) != end || p->comes[at + 1] > 0 ||
        p->comes[second - 1] > 0 || p->comes[second] != 1 ||
        !is_arm(p, at + 1, second - 1, 1, slot) ||
        !is_arm(p, second, end, 0, slot))
        return;
    guard(p, at + 1, second - 1, slot);
    guard(p, second, end, slot);
    p->c->arms[at] = (struct ptx_arms){.over = at + 1,
                                       .over_count = second - 2 - at,
                                       .to = second,
                                       .to_count = end - second};
    p->c->arms[second - 1] =
        (struct ptx_arms){.over = second, .over_count = end - second};
    p->c->dropped[at] = p->c->dropped[second - 1] = true;
}

static void fold(struct predicate *p, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(p->c, at);
    if (op->action != ACTION_BRANCH || op->guard == PTX_SLOT_NONE ||
        op->reconverge == PTX_NONE || op->target == PTX_NONE)
        return;
    uint32_t to = local(p, op->target), end = local(p, op->reconverge);
    if (to <= at + 1)
        return;
    if (to == end)
        p->c->dropped[at] |= fold_one(p, at, end);
    else if (to < end)
        fold_two(p, at, to, end);
}

/* The op before which the lanes are noted that a branch may part: itself, or
 * the last one before a loop that some of them leave. PTX_NONE: there is none,
 * since the way into the loop is a jump. */
static uint32_t noted_at(const struct predicate *p, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(p->c, at);
    if (op->leaves == LEAVES_NONE)
        return at;
    uint32_t first = local(p, op->left);
    if (first == 0)
        return PTX_NONE;
    const struct ptx_op *before = ptx_low_op(p->c, first - 1);
    bool jumps = before->action == ACTION_BRANCH_INDEX ||
                 before->action == ACTION_BRANCH || ptx_ends_lanes(before);
    return jumps && before->guard == PTX_SLOT_NONE ? PTX_NONE : first - 1;
}

/* Whether a branch may part lanes that meet before the end. A loop that lanes
 * leave, too; else those that go back are in step again at once. */
static bool may_part(const struct predicate *p, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(p->c, at);
    bool is_one = op->action == ACTION_BRANCH && op->guard != PTX_SLOT_NONE &&
                  p->varies[op->guard] && !p->c->dropped[at] &&
                  op->reconverge != PTX_NONE;
    bool goes_on =
        is_one && (op->leaves != LEAVES_NONE || local(p, op->target) > at + 1);
    return goes_on &&
           !ptx_ends_lanes(ptx_low_op(p->c, local(p, op->reconverge)));
}

/* Where a branch may part the lanes of a warp, BMOV and BSSY note those that
 * there are, and BSYNC waits for them where they meet, unless it is the end,
 * once for all that meet there; of one that leaves a loop they are noted before
 * it, and BREAK takes out those that leave what is open inside. ptxas
 * (V13.0.88, sm_75) leaves these out where lanes decide alike, in 21 kernels
 * made for it; 112 of BSSY and BSYNC each in 53 entries. */
static void hold_together(struct predicate *p, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(p->c, at);
    if (!may_part(p, at))
        return;
    uint32_t end = local(p, op->reconverge), noted = noted_at(p, at);
    bool leaves = op->leaves != LEAVES_NONE;
    p->c->breaks[at] = leaves && at < p->open_until;
    if (p->c->meets[end])
        return;
    if (noted != PTX_NONE)
        p->c->opens[noted] = true;
    p->c->meets[end] = true;
    if (!leaves && op->depth > 0 && end > p->open_until)
        p->open_until = end;
}

bool ptx_predicate(struct ptx_low_code *c)
{
    struct predicate p = {.c = c, .code = ptx_low_of(c)};
    size_t ops = (size_t)p.code->count + 1;
    p.comes = calloc(ops, sizeof(*p.comes));
    p.varies = calloc((size_t)p.code->slots + 1, sizeof(*p.varies));
    c->under = malloc(ops * sizeof(*c->under));
    c->arms = calloc(ops, sizeof(*c->arms));
    c->opens = calloc(ops, sizeof(*c->opens));
    c->meets = calloc(ops, sizeof(*c->meets));
    c->breaks = calloc(ops, sizeof(*c->breaks));
    bool ok = p.comes != NULL && p.varies != NULL && c->under != NULL &&
              c->arms != NULL && c->opens != NULL && c->meets != NULL &&
              c->breaks != NULL;
    for (uint32_t i = 0; ok && i < p.code->count; i++)
        c->under[i] = PTX_SLOT_NONE;
    if (ok) {
        count_comes(&p);
        find_varying(&p);
    }
    for (uint32_t i = 0; ok && i < p.code->count; i++)
        fold(&p, i);
    for (uint32_t i = 0; ok && i < p.code->count; i++)
        hold_together(&p, i);
    free(p.comes);
    free(p.varies);
    return ok;
}
