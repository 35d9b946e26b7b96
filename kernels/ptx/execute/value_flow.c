/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/value_flow.h"

#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>
#include <string.h>

/* ---- readers ------------------------------------------------------------ */

static void index_readers(struct ptx_value_flow *f)
{
    int32_t slot[PTX_READS_MAX];
    for (uint32_t i = 0; i < f->code->count; i++)
        for (size_t n = ptx_slots_read(ptx_value_flow_op(f, i), slot); n > 0;
             n--)
            f->first[slot[n - 1] + 1]++;
    for (uint32_t s = 0; s < f->code->slots; s++)
        f->first[s + 1] += f->first[s];
    for (uint32_t i = f->code->count; i-- > 0;)
        for (size_t n = ptx_slots_read(ptx_value_flow_op(f, i), slot); n > 0;
             n--)
            f->reader[f->first[slot[n - 1] + 1] - ++f->work[slot[n - 1]]] = i;
}

bool ptx_value_flow_open(struct ptx_value_flow *f, const struct ptx_program *p,
                         uint32_t function)
{
    *f = (struct ptx_value_flow){.program = p, .code = &p->code[function]};
    size_t slots = (size_t)f->code->slots + 1;
    size_t ops = (size_t)f->code->count + 1;
    f->first = calloc(slots + 1, sizeof(*f->first));
    f->reader = malloc(ops * PTX_READS_MAX * sizeof(*f->reader));
    f->holds = calloc(slots, sizeof(*f->holds));
    f->stored = calloc(ops, sizeof(*f->stored));
    f->work = calloc(slots, sizeof(*f->work));
    if (f->first == NULL || f->reader == NULL || f->holds == NULL ||
        f->stored == NULL || f->work == NULL)
        return false;
    index_readers(f);
    return true;
}

void ptx_value_flow_close(struct ptx_value_flow *f)
{
    free(f->first);
    free(f->reader);
    free(f->holds);
    free(f->stored);
    free(f->work);
}

/* ---- ops ---------------------------------------------------------------- */

bool ptx_accesses_memory(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD || op->action == ACTION_STORE ||
           op->action == ACTION_ATOMIC || op->action == ACTION_REDUCE ||
           op->action == ACTION_COPY;
}

bool ptx_accesses_global(const struct ptx_op *op)
{
    return ptx_accesses_memory(op) &&
           (op->space == PTX_GLOBAL || op->space == PTX_GENERIC);
}

bool ptx_value_flow_reaches(const struct ptx_value_flow *f,
                            const struct ptx_op *op)
{
    return (op->base >= 0 && f->holds[op->base]) ||
           (op->addresses > 1 && op->second_base >= 0 &&
            f->holds[op->second_base]);
}

static bool decides_path(const struct ptx_op *op, int32_t slot)
{
    switch (op->action) {
    case ACTION_BRANCH_INDEX:
    case ACTION_CALL:
        return op->guard == slot || (op->sources > 0 && op->source[0] == slot);
    case ACTION_BRANCH:
    case ACTION_RETURN:
    case ACTION_EXIT:
        return op->guard == slot;
    default:
        return op->guard == slot && ptx_accesses_memory(op);
    }
}

static bool decides_address(const struct ptx_op *op, int32_t slot)
{
    return (ptx_accesses_memory(op) || op->action == ACTION_LOAD_FRAGMENT ||
            op->action == ACTION_STORE_FRAGMENT) &&
           (op->base == slot || op->second_base == slot);
}

/* ---- what holds --------------------------------------------------------- */

void ptx_value_flow_hold(struct ptx_value_flow *f, int32_t slot)
{
    if (f->holds[slot])
        return;
    f->holds[slot] = true;
    f->work[f->waiting++] = slot;
}

void ptx_value_flow_hold_results(struct ptx_value_flow *f,
                                 const struct ptx_op *op)
{
    int32_t slot[PTX_READS_MAX];
    for (size_t n = ptx_slots_written(op, slot); n > 0; n--)
        ptx_value_flow_hold(f, slot[n - 1]);
}

/* Whether a load may find what a store left in the block's own memory: at the
 * same address, or at one that is computed otherwise. */
static bool may_find(const struct ptx_op *load, const struct ptx_op *store)
{
    if (load->action != ACTION_LOAD || load->space != store->space)
        return false;
    if (load->base == store->base)
        return load->offset == store->offset;
    return load->base != PTX_SLOT_NONE && store->base != PTX_SLOT_NONE;
}

static void hand_on(struct ptx_value_flow *f, uint32_t at)
{
    const struct ptx_op *op = ptx_value_flow_op(f, at);
    if (op->action != ACTION_STORE) {
        if (!f->addresses || !ptx_accesses_memory(op))
            ptx_value_flow_hold_results(f, op);
        return;
    }
    if (f->stored[at] || (op->space != PTX_SHARED && op->space != PTX_LOCAL))
        return;
    f->stored[at] = true;
    for (uint32_t i = 0; i < f->code->count; i++)
        if (may_find(ptx_value_flow_op(f, i), op))
            ptx_value_flow_hold_results(f, ptx_value_flow_op(f, i));
}

void ptx_value_flow_follow(struct ptx_value_flow *f)
{
    while (f->waiting > 0) {
        int32_t slot = f->work[--f->waiting];
        for (uint32_t i = f->first[slot]; i < f->first[slot + 1]; i++) {
            const struct ptx_op *op = ptx_value_flow_op(f, f->reader[i]);
            if (f->path == NULL && decides_path(op, slot))
                f->path = op;
            if (f->address == NULL && decides_address(op, slot))
                f->address = op;
            hand_on(f, f->reader[i]);
        }
    }
}

void ptx_value_flow_forget(struct ptx_value_flow *f)
{
    f->path = f->address = NULL;
    memset(f->holds, 0, f->code->slots * sizeof(*f->holds));
    memset(f->stored, 0, f->code->count * sizeof(*f->stored));
}
