/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where values go, whatever the order of execution: a register that once holds
 * what derives from an origin counts as holding it always. */
#include "kernels/ptx/execute/interblock.h"
#include "kernels/ptx/lower/lower_code.h"

#include <stdlib.h>
#include <string.h>

struct flow {
    const struct ptx_program *program;
    const struct ptx_code *code;
    uint32_t *first;  /* slot -> first of its readers, [slots + 1] */
    uint32_t *reader; /* ops of the function */
    bool *holds;      /* slot */
    bool *stored;     /* op: a store that has handed on what it writes */
    bool *needed;     /* slot: see changes_with_it_alone() */
    int32_t *work;
    uint32_t waiting;
    const struct ptx_op *path, *address; /* the first that it decides */
};

static const struct ptx_op *op_at(const struct flow *f, uint32_t at)
{
    return &f->program->op[f->code->first + at];
}

/* ---- readers ------------------------------------------------------------ */

static void index_readers(struct flow *f)
{
    int32_t slot[PTX_READS_MAX];
    for (uint32_t i = 0; i < f->code->count; i++)
        for (size_t n = ptx_slots_read(op_at(f, i), slot); n > 0; n--)
            f->first[slot[n - 1] + 1]++;
    for (uint32_t s = 0; s < f->code->slots; s++)
        f->first[s + 1] += f->first[s];
    for (uint32_t i = f->code->count; i-- > 0;)
        for (size_t n = ptx_slots_read(op_at(f, i), slot); n > 0; n--)
            f->reader[f->first[slot[n - 1] + 1] - ++f->work[slot[n - 1]]] = i;
}

static bool open_flow(struct flow *f, const struct ptx_program *p,
                      uint32_t function)
{
    *f = (struct flow){.program = p, .code = &p->code[function]};
    size_t slots = (size_t)f->code->slots + 1;
    size_t ops = (size_t)f->code->count + 1;
    f->first = calloc(slots + 1, sizeof(*f->first));
    f->reader = malloc(ops * PTX_READS_MAX * sizeof(*f->reader));
    f->holds = malloc(slots * sizeof(*f->holds));
    f->stored = malloc(ops * sizeof(*f->stored));
    f->needed = malloc(slots * sizeof(*f->needed));
    f->work = calloc(slots, sizeof(*f->work));
    if (f->first == NULL || f->reader == NULL || f->holds == NULL ||
        f->stored == NULL || f->needed == NULL || f->work == NULL)
        return false;
    index_readers(f);
    return true;
}

static void close_flow(struct flow *f)
{
    free(f->first);
    free(f->reader);
    free(f->holds);
    free(f->stored);
    free(f->needed);
    free(f->work);
}

/* ---- where a value goes ------------------------------------------------- */

static bool accesses_memory(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD || op->action == ACTION_STORE ||
           op->action == ACTION_ATOMIC || op->action == ACTION_REDUCE ||
           op->action == ACTION_COPY;
}

static bool is_global(const struct ptx_op *op)
{
    return accesses_memory(op) &&
           (op->space == PTX_GLOBAL || op->space == PTX_GENERIC);
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
        return op->guard == slot && accesses_memory(op);
    }
}

static bool decides_address(const struct ptx_op *op, int32_t slot)
{
    return (accesses_memory(op) || op->action == ACTION_LOAD_FRAGMENT ||
            op->action == ACTION_STORE_FRAGMENT) &&
           (op->base == slot || op->second_base == slot);
}

static void hold(struct flow *f, int32_t slot)
{
    if (f->holds[slot])
        return;
    f->holds[slot] = true;
    f->work[f->waiting++] = slot;
}

static void hold_results(struct flow *f, const struct ptx_op *op)
{
    int32_t slot[PTX_READS_MAX];
    for (size_t n = ptx_slots_written(op, slot); n > 0; n--)
        hold(f, slot[n - 1]);
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

static void hand_on(struct flow *f, uint32_t at)
{
    const struct ptx_op *op = op_at(f, at);
    if (op->action != ACTION_STORE) {
        hold_results(f, op);
        return;
    }
    if (f->stored[at] || (op->space != PTX_SHARED && op->space != PTX_LOCAL))
        return;
    f->stored[at] = true;
    for (uint32_t i = 0; i < f->code->count; i++)
        if (may_find(op_at(f, i), op))
            hold_results(f, op_at(f, i));
}

/* Follow all that waits. */
static void follow(struct flow *f)
{
    while (f->waiting > 0) {
        int32_t slot = f->work[--f->waiting];
        for (uint32_t i = f->first[slot]; i < f->first[slot + 1]; i++) {
            const struct ptx_op *op = op_at(f, f->reader[i]);
            if (f->path == NULL && decides_path(op, slot))
                f->path = op;
            if (f->address == NULL && decides_address(op, slot))
                f->address = op;
            hand_on(f, f->reader[i]);
        }
    }
}

static void forget(struct flow *f)
{
    f->path = f->address = NULL;
    memset(f->holds, 0, f->code->slots * sizeof(*f->holds));
    memset(f->stored, 0, f->code->count * sizeof(*f->stored));
}

/* ---- atomics ------------------------------------------------------------ */

/* What one has led to need not be followed again from another. */
static void look_at_atomics(struct flow *f, struct ptx_interblock *out)
{
    forget(f);
    for (uint32_t i = 0; i < f->code->count && out->kind == INTERBLOCK_NONE;
         i++) {
        const struct ptx_op *op = op_at(f, i);
        if (op->action != ACTION_ATOMIC || !is_global(op))
            continue;
        hold_results(f, op);
        follow(f);
        if (f->path != NULL)
            *out = (struct ptx_interblock){
                .kind = INTERBLOCK_PATH, .op = op, .use = f->path};
        else if (f->address != NULL)
            *out = (struct ptx_interblock){
                .kind = INTERBLOCK_ADDRESS, .op = op, .use = f->address};
    }
}

/* ---- loops that wait ---------------------------------------------------- */

static bool writes_slot(const struct ptx_op *op, int32_t slot)
{
    int32_t written[PTX_READS_MAX];
    size_t n = ptx_slots_written(op, written);
    while (n > 0 && written[n - 1] != slot)
        n--;
    return n > 0;
}

static bool is_written(const struct flow *f, int32_t slot, uint32_t top,
                       uint32_t end)
{
    for (uint32_t i = top; i <= end; i++)
        if (writes_slot(op_at(f, i), slot))
            return true;
    return false;
}

/* Whether all of op `at` that changes from turn to turn holds what is followed,
 * from its guard back to the top. */
static bool changes_with_it_alone(const struct flow *f, uint32_t at,
                                  uint32_t top, uint32_t end)
{
    int32_t slot[PTX_READS_MAX], read[PTX_READS_MAX];
    bool *needed = f->needed;
    memset(needed, 0, f->code->slots * sizeof(*needed));
    needed[op_at(f, at)->guard] = true;
    for (uint32_t i = at; i-- > top;) {
        size_t n = ptx_slots_written(op_at(f, i), slot);
        while (n > 0 && !needed[slot[n - 1]])
            n--;
        if (n == 0)
            continue;
        for (n = ptx_slots_read(op_at(f, i), read); n > 0; n--) {
            if (!f->holds[read[n - 1]] && is_written(f, read[n - 1], top, end))
                return false;
            needed[read[n - 1]] = f->holds[read[n - 1]];
        }
    }
    return true;
}

/* From the ops `top` to `end` a branch back to the top: whether one of them
 * leaves them that nothing but what is followed decides. */
static bool is_left_by(const struct flow *f, uint32_t top, uint32_t end)
{
    for (uint32_t i = top; i <= end; i++) {
        const struct ptx_op *op = op_at(f, i);
        if (op->action != ACTION_BRANCH || op->guard < 0 ||
            !f->holds[op->guard])
            continue;
        uint32_t target = op->target - f->code->first;
        if ((i == end || target < top || target > end) &&
            changes_with_it_alone(f, i, top, end))
            return true;
    }
    return false;
}

/* An ordered load of one and the same address in a loop that nothing but what
 * it loads ends: without an order the compiler loads once. */
static bool waits(struct flow *f, uint32_t load, uint32_t top, uint32_t end)
{
    const struct ptx_op *op = op_at(f, load);
    if (op->action != ACTION_LOAD || !is_global(op) ||
        op->inst->modifier[GROUP_ORDER] == MOD_NONE)
        return false;
    if (op->base >= 0 && is_written(f, op->base, top, end))
        return false;
    forget(f);
    hold_results(f, op);
    follow(f);
    return is_left_by(f, top, end);
}

static void look_at_loops(struct flow *f, struct ptx_interblock *out)
{
    for (uint32_t end = 0; end < f->code->count; end++) {
        const struct ptx_op *op = op_at(f, end);
        if (op->action != ACTION_BRANCH || op->target > f->code->first + end)
            continue;
        uint32_t top = op->target - f->code->first;
        for (uint32_t i = top; i < end; i++)
            if (waits(f, i, top, end)) {
                *out = (struct ptx_interblock){.kind = INTERBLOCK_WAIT,
                                               .op = op_at(f, i)};
                return;
            }
    }
}

/* ---- all functions ------------------------------------------------------ */

static bool look_at(struct ptx_interblock *out, const struct ptx_program *p,
                    uint32_t function)
{
    struct flow f;
    bool ok = open_flow(&f, p, function);
    if (ok)
        look_at_loops(&f, out);
    if (ok && out->kind == INTERBLOCK_NONE)
        look_at_atomics(&f, out);
    close_flow(&f);
    return ok;
}

bool ptx_interblock_code(struct ptx_interblock *out, const struct ptx_launch *l)
{
    const struct ptx_module *m = l->program->module;
    bool ok = true;
    *out = (struct ptx_interblock){.kind = INTERBLOCK_NONE};
    for (uint32_t i = 0; i < m->functions && ok; i++)
        if (out->kind == INTERBLOCK_NONE &&
            (i == l->entry || !m->function[i].is_entry))
            ok = look_at(out, l->program, i);
    return ok;
}
