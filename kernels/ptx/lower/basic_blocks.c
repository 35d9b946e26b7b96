/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/basic_blocks.h"

#include <string.h>

/* ---- the end ------------------------------------------------------------- */

static bool goes_elsewhere(const struct ptx_op *op)
{
    return op->guard == PTX_SLOT_NONE &&
           (ptx_ends_lanes(op) || op->action == ACTION_TRAP ||
            op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX);
}

/* Whether the return that the decoder adds at a function's end can be reached:
 * from the op before it, or by a branch to the end. */
static bool end_is_reached(const struct ptx_program *p,
                           const struct ptx_code *c)
{
    uint32_t end = c->first + c->count - 1;
    if (end == c->first || !goes_elsewhere(&p->op[end - 1]))
        return true;
    for (uint32_t i = c->first; i < end; i++) {
        const struct ptx_op *op = &p->op[i];
        if (op->action == ACTION_BRANCH && op->target == end)
            return true;
        if (op->action != ACTION_BRANCH_INDEX)
            continue;
        const struct ptx_targets *t = &p->module->targets[op->target];
        for (size_t k = 0; k < t->count; k++)
            if (c->first + t->label[k] == end)
                return true;
    }
    return false;
}

void ptx_drop_end(struct ptx_low_code *c)
{
    uint32_t end = ptx_low_of(c)->count - 1;
    for (uint32_t i = 0; i < end && !c->dropped[end]; i++)
        c->dropped[end] = ptx_ends_lanes(ptx_low_op(c, i)) &&
                          !end_is_reached(c->program, ptx_low_of(c));
}

/* ---- where blocks begin -------------------------------------------------- */

static bool reads_clock(const struct ptx_low_code *c, const struct ptx_op *op)
{
    const struct ptx_code *code = ptx_low_of(c);
    for (size_t i = 0; i < code->specials; i++)
        if (code->special[i].special >= SPECIAL_CLOCK && op->sources > 0 &&
            op->source[0] == code->special[i].slot)
            return true;
    return false;
}

static bool stands_alone(const struct ptx_op *op)
{
    return op->action == ACTION_BARRIER || op->action == ACTION_MBARRIER ||
           op->action == ACTION_BULK_COPY || op->action == ACTION_COPY_GROUP ||
           op->action == ACTION_TENSOR_COPY ||
           op->action == ACTION_ASYNC_STORE ||
           op->action == ACTION_CLUSTER_BARRIER || op->action == ACTION_WGMMA ||
           op->action == ACTION_WGMMA_GROUP ||
           op->action == ACTION_COPY_ARRIVE || op->action == ACTION_NOTHING;
}

/* Nothing moves past these, whatever they read and write. */
static bool is_boundary(const struct ptx_low_code *c, const struct ptx_op *op)
{
    if (reads_clock(c, op) || stands_alone(op))
        return true;
    switch (op->action) {
    case ACTION_BRANCH:
    case ACTION_BRANCH_INDEX:
    case ACTION_CALL:
    case ACTION_RETURN:
    case ACTION_EXIT:
    case ACTION_TRAP:
        return true;
    default:
        return false;
    }
}

static void mark_leader(const struct ptx_low_code *c, uint32_t op)
{
    if (op != PTX_NONE)
        c->leader[op - ptx_low_of(c)->first] = true;
}

bool ptx_is_branch(const struct ptx_low_code *c, uint32_t at)
{
    return c->arms == NULL || c->arms[at].over_count == 0;
}

void ptx_mark_leaders(struct ptx_low_code *c)
{
    const struct ptx_code *code = ptx_low_of(c);
    memset(c->leader, 0, (size_t)code->count + 1);
    c->leader[0] = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct ptx_op *op = ptx_low_op(c, i);
        if (!is_boundary(c, op) || !ptx_is_branch(c, i))
            continue;
        c->leader[i + 1] = true;
        c->leader[i] |= stands_alone(op) || reads_clock(c, op);
        if (op->action == ACTION_BRANCH)
            mark_leader(c, op->target);
        if (op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX)
            mark_leader(c, op->reconverge);
        if (op->action != ACTION_BRANCH_INDEX)
            continue;
        const struct ptx_targets *t = &c->program->module->targets[op->target];
        for (size_t k = 0; k < t->count; k++)
            c->leader[t->label[k]] = true;
    }
}
