/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/interblock.h"
#include "kernels/ptx/execute/tickets.h"
#include "kernels/ptx/execute/value_flow.h"
#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>
#include <string.h>

/* ---- atomics ------------------------------------------------------------ */

/* Those that draw, or the others: a way that one decides, or else an address.
 * What one has led to need not be followed again from another. */
static void look_at_atomics(struct ptx_value_flow *f, bool draw, bool claims,
                            struct ptx_interblock *out)
{
    ptx_value_flow_forget(f);
    for (uint32_t i = 0; i < f->code->count && out->kind != INTERBLOCK_PATH;
         i++) {
        const struct ptx_op *op = ptx_value_flow_op(f, i);
        if (op->action != ACTION_ATOMIC || !ptx_accesses_global(op) ||
            ptx_op_draws(op, claims) != draw)
            continue;
        ptx_value_flow_hold_results(f, op);
        ptx_value_flow_follow(f);
        if (f->path != NULL)
            *out = (struct ptx_interblock){
                .kind = INTERBLOCK_PATH, .op = op, .use = f->path};
        else if (f->address != NULL && out->kind == INTERBLOCK_NONE)
            *out = (struct ptx_interblock){
                .kind = INTERBLOCK_ADDRESS, .op = op, .use = f->address};
    }
}

/* ---- loops that wait ---------------------------------------------------- */

struct look {
    struct ptx_value_flow flow;
    bool *needed; /* slot: see changes_with_it_alone() */
};

static bool writes_slot(const struct ptx_op *op, int32_t slot)
{
    int32_t written[PTX_READS_MAX];
    size_t n = ptx_slots_written(op, written);
    while (n > 0 && written[n - 1] != slot)
        n--;
    return n > 0;
}

static bool is_written(const struct ptx_value_flow *f, int32_t slot,
                       uint32_t top, uint32_t end)
{
    for (uint32_t i = top; i <= end; i++)
        if (writes_slot(ptx_value_flow_op(f, i), slot))
            return true;
    return false;
}

/* Whether all of op `at` that changes from turn to turn holds what is followed,
 * from its guard back to the top. */
static bool changes_with_it_alone(const struct look *l, uint32_t at,
                                  uint32_t top, uint32_t end)
{
    const struct ptx_value_flow *f = &l->flow;
    int32_t slot[PTX_READS_MAX], read[PTX_READS_MAX];
    bool *needed = l->needed;
    memset(needed, 0, f->code->slots * sizeof(*needed));
    needed[ptx_value_flow_op(f, at)->guard] = true;
    for (uint32_t i = at; i-- > top;) {
        size_t n = ptx_slots_written(ptx_value_flow_op(f, i), slot);
        while (n > 0 && !needed[slot[n - 1]])
            n--;
        if (n == 0)
            continue;
        for (n = ptx_slots_read(ptx_value_flow_op(f, i), read); n > 0; n--) {
            if (!f->holds[read[n - 1]] && is_written(f, read[n - 1], top, end))
                return false;
            needed[read[n - 1]] = f->holds[read[n - 1]];
        }
    }
    return true;
}

/* From the ops `top` to `end` a branch back to the top: whether one of them
 * leaves them that nothing but what is followed decides. */
static bool is_left_by(const struct look *l, uint32_t top, uint32_t end)
{
    const struct ptx_value_flow *f = &l->flow;
    for (uint32_t i = top; i <= end; i++) {
        const struct ptx_op *op = ptx_value_flow_op(f, i);
        if (op->action != ACTION_BRANCH || op->guard < 0 ||
            !f->holds[op->guard])
            continue;
        uint32_t target = op->target - f->code->first;
        if ((i == end || target < top || target > end) &&
            changes_with_it_alone(l, i, top, end))
            return true;
    }
    return false;
}

/* An ordered load of one and the same address in a loop that nothing but what
 * it loads ends: without an order the compiler loads once. */
static bool waits(struct look *l, uint32_t load, uint32_t top, uint32_t end)
{
    struct ptx_value_flow *f = &l->flow;
    const struct ptx_op *op = ptx_value_flow_op(f, load);
    if (op->action != ACTION_LOAD || !ptx_accesses_global(op) ||
        op->inst->modifier[GROUP_ORDER] == MOD_NONE)
        return false;
    if (op->base >= 0 && is_written(f, op->base, top, end))
        return false;
    ptx_value_flow_forget(f);
    ptx_value_flow_hold_results(f, op);
    ptx_value_flow_follow(f);
    return is_left_by(l, top, end);
}

static void look_at_loops(struct look *l, struct ptx_interblock *out)
{
    const struct ptx_value_flow *f = &l->flow;
    for (uint32_t end = 0; end < f->code->count; end++) {
        const struct ptx_op *op = ptx_value_flow_op(f, end);
        if (op->action != ACTION_BRANCH || op->target > f->code->first + end)
            continue;
        uint32_t top = op->target - f->code->first;
        for (uint32_t i = top; i < end; i++)
            if (waits(l, i, top, end)) {
                *out = (struct ptx_interblock){.kind = INTERBLOCK_WAIT,
                                               .op = ptx_value_flow_op(f, i)};
                return;
            }
    }
}

/* ---- all functions ------------------------------------------------------ */

typedef bool look_at(struct ptx_interblock *out, const struct ptx_program *p,
                     uint32_t function, bool claims);

static bool look_at_all(struct ptx_interblock *out, const struct ptx_program *p,
                        uint32_t function, bool claims)
{
    struct look l;
    if (out->kind != INTERBLOCK_NONE)
        return true;
    bool ok = ptx_value_flow_open(&l.flow, p, function);
    l.needed = calloc((size_t)l.flow.code->slots + 1, sizeof(*l.needed));
    ok = ok && l.needed != NULL;
    if (ok)
        look_at_loops(&l, out);
    if (ok && out->kind == INTERBLOCK_NONE)
        look_at_atomics(&l.flow, false, claims, out);
    free(l.needed);
    ptx_value_flow_close(&l.flow);
    return ok;
}

static bool look_at_draws(struct ptx_interblock *out,
                          const struct ptx_program *p, uint32_t function,
                          bool claims)
{
    struct ptx_value_flow f;
    bool ok = ptx_value_flow_open(&f, p, function);
    if (ok)
        look_at_atomics(&f, true, claims, out);
    ptx_value_flow_close(&f);
    return ok;
}

static bool look_in_each(struct ptx_interblock *out, const struct ptx_launch *l,
                         look_at *look, bool claims)
{
    const struct ptx_module *m = l->program->module;
    bool ok = true;
    *out = (struct ptx_interblock){.kind = INTERBLOCK_NONE};
    for (uint32_t i = 0; i < m->functions && ok; i++)
        if (i == l->entry || !m->function[i].is_entry)
            ok = look(out, l->program, i, claims);
    return ok;
}

bool ptx_interblock_code(struct ptx_interblock *out, const struct ptx_launch *l,
                         bool claims)
{
    return look_in_each(out, l, look_at_all, claims);
}

bool ptx_interblock_draws(enum ptx_draws *out, const struct ptx_launch *l)
{
    struct ptx_interblock found;
    bool ok = look_in_each(&found, l, look_at_draws, true);
    *out = found.kind == INTERBLOCK_PATH      ? DRAWS_WAYS
           : found.kind == INTERBLOCK_ADDRESS ? DRAWS_PLACES
                                              : DRAWS_NOTHING;
    return ok;
}
