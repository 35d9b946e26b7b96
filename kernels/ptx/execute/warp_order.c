/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/warp_order.h"

#include "base/bits.h"
#include "kernels/ptx/execute/value_flow.h"

#include <stdlib.h>
#include <string.h>

/* Buffers are bits: those from the last one on share it. */
#define LAST_BUFFER 63
#define ANY_BUFFER  UINT64_MAX

struct search {
    const struct ptx_launch *launch;
    const struct ptx_memory *memory;
    uint64_t *buffers; /* op: those that it may access */
    uint64_t written;
    bool found;
};

/* ---- which buffers an access may be in ----------------------------------- */

static uint64_t buffer_at(const struct ptx_memory *m, uint64_t address)
{
    for (size_t i = 0; i < m->buffers; i++) {
        const struct ptx_buffer *b = &m->buffer[i];
        if (address >= b->address && address - b->address < ptx_buffer_span(b))
            return BIT(i < LAST_BUFFER ? i : LAST_BUFFER);
    }
    return 0;
}

/* What result `i` of the load of a parameter points to; 0: to no buffer. */
static uint64_t pointed_to(const struct search *s, const struct ptx_op *op,
                           int i)
{
    uint64_t at = (uint64_t)op->offset + (uint64_t)i * op->bytes, address;
    const struct ptx_launch *l = s->launch;
    if (op->action != ACTION_LOAD || op->space != PTX_PARAM || op->base >= 0 ||
        op->bytes != sizeof(address) || l->param_bytes < sizeof(address) ||
        at > l->param_bytes - sizeof(address))
        return 0;
    memcpy(&address, l->param + at, sizeof(address));
    return buffer_at(s->memory, address);
}

/* Let hold what points to a buffer of `bit`. */
static void hold_pointers(const struct search *s, struct ptx_value_flow *f,
                          uint64_t bit)
{
    for (uint32_t at = 0; at < f->code->count; at++) {
        const struct ptx_op *op = ptx_value_flow_op(f, at);
        for (int i = 0; i < op->results; i++)
            if (op->result[i] >= 0 && pointed_to(s, op, i) == bit)
                ptx_value_flow_hold(f, op->result[i]);
    }
}

static uint64_t all_pointed_to(const struct search *s,
                               const struct ptx_value_flow *f)
{
    uint64_t bits = 0;
    for (uint32_t at = 0; at < f->code->count; at++)
        for (int i = 0; i < ptx_value_flow_op(f, at)->results; i++)
            bits |= pointed_to(s, ptx_value_flow_op(f, at), i);
    return bits;
}

/* Of an access to a variable by its name, or to what no argument points to. */
static uint64_t of_variable(const struct search *s, const struct ptx_op *op)
{
    uint64_t bit = op->base >= 0 || op->addresses > 1
                       ? 0
                       : buffer_at(s->memory, (uint64_t)op->offset);
    return bit != 0 ? bit : ANY_BUFFER;
}

static bool is_write(const struct ptx_op *op)
{
    return op->action == ACTION_STORE || op->action == ACTION_ATOMIC ||
           op->action == ACTION_REDUCE;
}

static void find_buffers(struct search *s, struct ptx_value_flow *f)
{
    uint64_t *buffers = s->buffers + f->code->first;
    uint64_t left = all_pointed_to(s, f);
    f->addresses = true;
    while (left != 0) {
        uint64_t bit = BIT(take_bit(&left));
        ptx_value_flow_forget(f);
        hold_pointers(s, f, bit);
        ptx_value_flow_follow(f);
        for (uint32_t at = 0; at < f->code->count; at++)
            if (ptx_value_flow_reaches(f, ptx_value_flow_op(f, at)))
                buffers[at] |= bit;
    }
    for (uint32_t at = 0; at < f->code->count; at++) {
        const struct ptx_op *op = ptx_value_flow_op(f, at);
        if (ptx_accesses_global(op) && buffers[at] == 0)
            buffers[at] = of_variable(s, op);
        if (ptx_accesses_global(op) && is_write(op))
            s->written |= buffers[at];
    }
}

/* ---- what loads find ----------------------------------------------------- */

static bool may_change(const struct search *s, const struct ptx_op *op,
                       uint64_t buffers)
{
    return op->action == ACTION_LOAD && ptx_accesses_global(op) &&
           op->inst->modifier[GROUP_SPACE] != MOD_CONST &&
           op->inst->modifier[GROUP_NC] != MOD_NC &&
           (buffers & s->written) != 0;
}

/* What shows the order whatever comes of it. */
static bool shows_order(const struct ptx_op *op)
{
    return (op->action == ACTION_ATOMIC && !op->result_unused) ||
           op->action == ACTION_MBARRIER;
}

static void find_deciding(struct search *s, struct ptx_value_flow *f)
{
    const uint64_t *buffers = s->buffers + f->code->first;
    for (uint32_t at = 0; at < f->code->count; at++) {
        const struct ptx_op *op = ptx_value_flow_op(f, at);
        s->found |= shows_order(op);
        if (may_change(s, op, buffers[at]))
            ptx_value_flow_hold_results(f, op);
    }
    ptx_value_flow_follow(f);
    s->found |= f->path != NULL || f->address != NULL;
}

/* Look at each function that the entry may run. */
static bool in_each(struct search *s,
                    void (*look)(struct search *, struct ptx_value_flow *))
{
    const struct ptx_module *m = s->launch->program->module;
    bool ok = true;
    for (uint32_t i = 0; i < m->functions && ok; i++) {
        struct ptx_value_flow f;
        if (m->function[i].is_entry && i != s->launch->entry)
            continue;
        ok = ptx_value_flow_open(&f, s->launch->program, i);
        if (ok)
            look(s, &f);
        ptx_value_flow_close(&f);
    }
    return ok;
}

bool ptx_warp_order_shows(bool *out, const struct ptx_launch *l,
                          const struct ptx_memory *m)
{
    struct search s = {.launch = l, .memory = m, .found = l->cluster.x != 0};
    s.buffers = calloc(l->program->ops + 1, sizeof(*s.buffers));
    bool ok = s.buffers != NULL && in_each(&s, find_buffers) &&
              in_each(&s, find_deciding);
    free(s.buffers);
    *out = s.found;
    return ok;
}
