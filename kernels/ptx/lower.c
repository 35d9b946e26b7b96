/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower.h"

#include "kernels/ptx/ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_BYTES                                                             \
    16 /* of an instruction, compute capability 7.0 and later                  \
        */
#define SLOTS_MAX   (PTX_PARTS_MAX + 4)
#define COPY_WIDTH  16 /* bytes of cp.async, when it cannot be seen */
#define REGS_FEWEST 16

struct lowering {
    struct ptx_lowered *out;
    struct kernel *k;
    const struct ptx_launch *launch;
    bool *called; /* functions: part of the code */
    uint32_t count;
};

static const struct ptx_program *program(const struct lowering *l)
{
    return l->launch->program;
}

/* ---- what is there ------------------------------------------------------ */

static bool is_constant_move(const struct ptx_op *op)
{
    const struct ptx_inst *inst = op->inst;
    return op->action == ACTION_MOVE && op->results == 1 && op->guard < 0 &&
           op->sources >= 1 && op->source[op->sources - 1] < 0 &&
           inst->type[0] != PTX_PRED;
}

/* Parameters are operands in constant memory; those of calls are registers. */
static bool is_free(const struct ptx_op *op)
{
    if (op->inst == NULL)
        return false;
    bool parameter = op->inst->word[GROUP_SPACE] == WORD_PARAM;
    return (parameter &&
            (op->action == ACTION_LOAD || op->action == ACTION_STORE)) ||
           op->action == ACTION_CONVERT_ADDRESS || is_constant_move(op);
}

static void add_called(struct lowering *l, uint32_t function, uint32_t *work,
                       uint32_t *count)
{
    if (l->called[function] || !program(l)->module->function[function].has_body)
        return;
    l->called[function] = true;
    work[(*count)++] = function;
}

static void add_callees(struct lowering *l, uint32_t function, uint32_t *work,
                        uint32_t *count)
{
    const struct ptx_program *p = program(l);
    const struct ptx_code *c = &p->code[function];
    for (uint32_t i = c->first; i < c->first + c->count; i++) {
        const struct ptx_op *op = &p->op[i];
        if (op->action != ACTION_CALL)
            continue;
        if (op->target != PTX_NONE)
            add_called(l, op->target, work, count);
        for (uint32_t f = 0; op->target == PTX_NONE && f < p->module->functions;
             f++) /* an indirect call may be of any */
            if (!p->module->function[f].is_entry)
                add_called(l, f, work, count);
    }
}

/* Mark every function that may run. */
static bool mark_called(struct lowering *l)
{
    size_t functions = program(l)->module->functions;
    uint32_t *work = malloc((functions + 1) * sizeof(*work)), count = 0;
    l->called = calloc(functions + 1, sizeof(*l->called));
    bool ok = work != NULL && l->called != NULL;
    if (ok)
        add_called(l, l->launch->entry, work, &count);
    while (ok && count > 0)
        add_callees(l, work[--count], work, &count);
    free(work);
    return ok;
}

static bool goes_elsewhere(const struct ptx_op *op)
{
    return op->guard == PTX_SLOT_NONE &&
           (op->action == ACTION_RETURN || op->action == ACTION_EXIT ||
            op->action == ACTION_TRAP || op->action == ACTION_BRANCH ||
            op->action == ACTION_BRANCH_INDEX);
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

static bool is_end_of_lanes(const struct ptx_op *op)
{
    return op->action == ACTION_RETURN || op->action == ACTION_EXIT;
}

/* The last op that ends lanes stands for every end in *last; when the function
 * has none, the one at its end is kept. */
static void number_function(struct lowering *l, uint32_t function,
                            uint32_t *last)
{
    const struct ptx_program *p = program(l);
    const struct ptx_code *c = &p->code[function];
    uint32_t end = c->first + c->count - 1;
    *last = NO_INST;
    for (uint32_t i = c->first; i <= end; i++) {
        const struct ptx_op *op = &p->op[i];
        if (is_free(op) ||
            (i == end && *last != NO_INST && !end_is_reached(p, c)))
            continue;
        l->out->inst_of[i] = l->count++;
        if (is_end_of_lanes(op))
            *last = l->out->inst_of[i];
    }
}

static bool number_instructions(struct lowering *l)
{
    const struct ptx_program *p = program(l);
    l->out->inst_of = malloc((p->ops + 1) * sizeof(*l->out->inst_of));
    if (l->out->inst_of == NULL)
        return false;
    for (size_t i = 0; i < p->ops; i++)
        l->out->inst_of[i] = NO_INST;
    uint32_t last;
    number_function(l, l->launch->entry, &l->out->exit_inst);
    for (uint32_t f = 0; f < p->module->functions; f++)
        if (l->called[f] && f != l->launch->entry)
            number_function(l, f, &last);
    return true;
}

/* The first instruction at or behind an op of the same function. */
static uint32_t inst_from(const struct lowering *l, uint32_t op)
{
    if (op == PTX_NONE)
        return NO_INST;
    while (l->out->inst_of[op] == NO_INST)
        op++; /* the last op of a function that can be reached is one */
    return l->out->inst_of[op];
}

/* ---- an instruction ----------------------------------------------------- */

static enum mem_space space_of(const struct ptx_op *op)
{
    switch ((enum ptx_space)op->space) {
    case PTX_SHARED:
        return SPACE_SHARED;
    case PTX_LOCAL:
        return SPACE_LOCAL;
    case PTX_PARAM:
        return SPACE_CONST;
    default:
        return op->inst->word[GROUP_SPACE] == WORD_CONST ? SPACE_CONST
                                                         : SPACE_GLOBAL;
    }
}

static void fill_memory(struct inst *i, const struct ptx_op *op)
{
    unsigned parts = 1;
    if (op->action == ACTION_LOAD)
        parts = op->results;
    if (op->action == ACTION_STORE)
        parts = op->sources;
    if (op->action == ACTION_LOAD_MATRIX) /* rows of 16 bytes */
        parts = 8;
    i->space = (uint8_t)space_of(op);
    i->width =
        op->action == ACTION_COPY ? COPY_WIDTH : (uint8_t)(op->bytes * parts);
}

static enum op_class class_of(const struct ptx_op *op, bool in_entry)
{
    if (op->action == ACTION_RETURN)
        return in_entry ? OP_EXIT : OP_BRANCH;
    return op->inst->form->cost;
}

static uint8_t fill_registers(uint16_t *out, size_t room, const int32_t *slot,
                              size_t count, const uint16_t *number)
{
    uint8_t n = 0;
    for (size_t k = 0; k < count && n < room; k++)
        if (number[slot[k]] != PTX_NO_REGISTER)
            out[n++] = number[slot[k]];
    return n;
}

static void fill_instruction(const struct lowering *l, struct inst *i,
                             uint32_t at, const uint16_t *number, bool in_entry)
{
    const struct ptx_op *op = &program(l)->op[at];
    int32_t slot[SLOTS_MAX];
    *i = (struct inst){.pc = l->out->inst_of[at] * CODE_BYTES,
                       .line = op->inst != NULL ? op->inst->line : 0,
                       .op = (uint8_t)class_of(op, in_entry),
                       .target = NO_INST,
                       .reconverge = NO_INST};
    snprintf(i->mnemonic, sizeof(i->mnemonic), "%s",
             op->inst != NULL ? op->inst->form->mnemonic : "ret");
    size_t count = ptx_slots_written(op, slot);
    i->dst_count = fill_registers(i->dst, INST_MAX_DST, slot, count, number);
    count = ptx_slots_read(op, slot);
    i->src_count = fill_registers(i->src, INST_MAX_SRC, slot, count, number);
    if (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOMIC)
        fill_memory(i, op);
    if (op->action == ACTION_BRANCH) {
        i->target = inst_from(l, op->target);
        i->reconverge = inst_from(l, op->reconverge);
    }
    if (op->action == ACTION_BRANCH_INDEX)
        i->reconverge = inst_from(l, op->reconverge);
}

static bool ends_block(const struct inst *i)
{
    return i->op == OP_BRANCH || i->op == OP_EXIT;
}

static void mark_blocks(struct kernel *k)
{
    for (uint32_t i = 0; i < k->inst_count; i++) {
        if (i == 0 || ends_block(&k->inst[i - 1]))
            k->inst[i].block_start = true;
        if (k->inst[i].target != NO_INST)
            k->inst[k->inst[i].target].block_start = true;
        if (k->inst[i].reconverge != NO_INST)
            k->inst[k->inst[i].reconverge].block_start = true;
    }
}

static bool fill_function(struct lowering *l, uint32_t function)
{
    const struct ptx_code *c = &program(l)->code[function];
    bool ok, in_entry = function == l->launch->entry;
    uint16_t *number = malloc(((size_t)c->slots + 1) * sizeof(*number));
    if (number == NULL)
        return false;
    uint32_t most = ptx_number_registers(program(l), function, number, &ok);
    if (most > l->out->registers)
        l->out->registers = most;
    for (uint32_t i = c->first; ok && i < c->first + c->count; i++)
        if (l->out->inst_of[i] != NO_INST)
            fill_instruction(l, &l->k->inst[l->out->inst_of[i]], i, number,
                             in_entry);
    free(number);
    return ok;
}

bool ptx_lower(struct ptx_lowered *out, struct kernel *k,
               const struct ptx_launch *launch)
{
    struct lowering l = {.out = out, .k = k, .launch = launch};
    size_t functions = launch->program->module->functions;
    *out = (struct ptx_lowered){.registers = REGS_FEWEST};
    bool ok = mark_called(&l) && number_instructions(&l) &&
              (k->inst = calloc((size_t)l.count + 1, sizeof(*k->inst))) != NULL;
    k->inst_count = l.count;
    for (uint32_t f = 0; ok && f < functions; f++)
        if (l.called[f])
            ok = fill_function(&l, f);
    if (ok)
        mark_blocks(k);
    free(l.called);
    return ok;
}

void ptx_lowered_free(struct ptx_lowered *l)
{
    free(l->inst_of);
    *l = (struct ptx_lowered){0};
}
