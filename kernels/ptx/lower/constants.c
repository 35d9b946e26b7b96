/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in constant memory at a known place, the parameters of a launch,
 * the sizes of its block and grid, and variables, is an operand of any
 * instruction up to compute capability 8.9. From 9.0 on each of them is loaded
 * first (LDC, ULDC; two neighbours of a variable at once), as are the stack
 * pointer, by an entry's first instruction, and what every access to global
 * memory is described by: of the 55 kernels of bench/hardware/suite no
 * instruction but loads has such an operand (ptxas V13.0.88, sm_90). */
#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>

#define LOADED_FROM 90 /* sm_90 */

struct constants {
    struct ptx_low_code *c;
    uint32_t *origin; /* of a slot: the op that loads what it holds, or
                       * PTX_NONE */
};

static bool is_variable(const struct ptx_op *op)
{
    return op->inst->modifier[GROUP_SPACE] == MOD_CONST;
}

static bool loads_constant(const struct ptx_low_code *c,
                           const struct ptx_op *op)
{
    if (op->inst == NULL)
        return false;
    return (op->action == ACTION_LOAD &&
            (op->space == PTX_PARAM || is_variable(op))) ||
           (op->action == ACTION_MOVE && op->sources == 1 &&
            ptx_is_size(ptx_low_of(c), op->source[0]));
}

/* Where an op that was left out has its results from: what loads them, or one
 * of its sources. */
static uint32_t origin_of(const struct constants *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    int32_t slot[PTX_READS_MAX];
    if (loads_constant(s->c, op))
        return at;
    size_t n = ptx_slots_read(op, slot);
    for (size_t i = 0; i < n; i++)
        if (s->origin[slot[i]] != PTX_NONE)
            return s->origin[slot[i]];
    return PTX_NONE;
}

static void follow(struct constants *s, uint32_t at)
{
    int32_t slot[PTX_READS_MAX];
    uint32_t origin = origin_of(s, at);
    size_t n = ptx_slots_written(ptx_low_op(s->c, at), slot);
    for (size_t i = 0; i < n; i++)
        if (s->c->name[slot[i]] < 0)
            s->origin[slot[i]] = origin;
}

/* Whether a load brings the other half of an op's eight bytes along. */
static bool comes_along(const struct ptx_low_code *c, const struct ptx_op *op)
{
    if (!is_variable(op) || op->bytes != 4 || op->results != 1)
        return false;
    for (uint32_t i = 0; i < ptx_low_of(c)->count; i++) {
        const struct ptx_op *other = ptx_low_op(c, i);
        if (!c->dropped[i] && other->inst != NULL &&
            other->action == ACTION_LOAD && is_variable(other) &&
            other->bytes == 4 && other->base == op->base &&
            other->offset == (op->offset ^ 4))
            return true;
    }
    return false;
}

static void keep(struct ptx_low_code *c, uint32_t at)
{
    if (!comes_along(c, ptx_low_op(c, at)))
        c->dropped[at] = false;
}

/* What an op reads, or what it takes in does, is loaded. */
static void keep_read(struct constants *s, uint32_t at)
{
    int32_t slot[PTX_READS_MAX];
    for (; at != PTX_NONE; at = s->c->fused[at]) {
        size_t n = ptx_slots_read(ptx_low_op(s->c, at), slot);
        for (size_t i = 0; i < n; i++)
            if (s->origin[slot[i]] != PTX_NONE)
                keep(s->c, s->origin[slot[i]]);
    }
}

static bool is_access(const struct ptx_op *op)
{
    if (op->inst == NULL)
        return false;
    enum op_class cost = op->inst->form->cost;
    return cost == OP_LOAD || cost == OP_STORE || cost == OP_ATOMIC;
}

static bool reaches_global(const struct ptx_low_code *c)
{
    for (uint32_t i = 0; i < ptx_low_of(c)->count; i++) {
        const struct ptx_op *op = ptx_low_op(c, i);
        if (!c->dropped[i] && is_access(op) && ptx_is_global(op))
            return true;
    }
    return false;
}

bool ptx_load_constants(struct ptx_low_code *c)
{
    const struct ptx_code *code = ptx_low_of(c);
    if (!c->is_entry || c->program->module->target < LOADED_FROM)
        return true;
    struct constants s = {
        .c = c, .origin = malloc((code->slots + 1) * sizeof(*s.origin))};
    if (s.origin == NULL)
        return false;
    for (uint32_t i = 0; i < code->slots; i++)
        s.origin[i] = PTX_NONE;
    for (uint32_t i = 0; i < code->count; i++)
        if (c->dropped[i])
            follow(&s, i);
    for (uint32_t i = 0; i < code->count; i++)
        if (!c->dropped[i] || ptx_low_op(c, i)->action == ACTION_STORE)
            keep_read(&s, i);
    c->opening = 1 + reaches_global(c);
    free(s.origin);
    return true;
}
