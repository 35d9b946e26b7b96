/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/decode.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/place.h"
#include "kernels/ptx/execute/reconvergence.h"
#include "kernels/ptx/execute/rows.h"
#include "kernels/ptx/execute/unroll.h"
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/parse/constant.h"

struct decoder {
    struct ptx_program *out;
    const struct ptx_module *m;
    uint32_t function;
    bool no_memory;
};

static struct ptx_code *code(const struct decoder *d)
{
    return &d->out->code[d->function];
}

/* ---- slots -------------------------------------------------------------- */

static int32_t constant_slot(struct decoder *d, uint64_t value)
{
    int32_t slot = ptx_constant_slot(d->out, value);
    d->no_memory |= slot == PTX_SLOT_NONE;
    return slot;
}

static int32_t new_slot(struct decoder *d)
{
    return (int32_t)code(d)->slots++;
}

static int32_t register_slot(struct decoder *d, uint32_t reg)
{
    int32_t *slot = &code(d)->slot_of[reg];
    if (*slot == PTX_SLOT_NONE)
        *slot = new_slot(d);
    return *slot;
}

static int32_t special_slot(struct decoder *d, enum ptx_special s)
{
    struct ptx_code *c = code(d);
    for (size_t i = 0; i < c->specials; i++)
        if (c->special[i].special == s)
            return c->special[i].slot;
    if (!array_room(&c->special, c->specials, 1)) {
        d->no_memory = true;
        return PTX_SLOT_NONE;
    }
    if (s >= SPECIAL_RESERVED_BEGIN && s <= SPECIAL_RESERVED_1)
        d->out->reserved_bytes = RESERVED_SHARED_BYTES;
    c->special[c->specials++] = (struct ptx_special_slot){s, new_slot(d)};
    return c->special[c->specials - 1].slot;
}

static int32_t local_base(struct decoder *d)
{
    struct ptx_code *c = code(d);
    if (c->local_base == PTX_SLOT_NONE)
        c->local_base = new_slot(d);
    return c->local_base;
}

/* ---- sources and results ------------------------------------------------ */

static enum ptx_type type_of_letter(const struct ptx_inst *inst, char letter)
{
    switch (letter) {
    case 'e':
    case 't':
    case 'k':
        return (enum ptx_type)inst->type[1];
    case 'U':
    case 'u':
        return PTX_U32;
    case 'q':
        return PTX_PRED;
    case 'D':
    case 'S':
        return ptx_types[inst->type[0]].bytes == 2 ? PTX_U32 : PTX_U64;
    case 'x':
    case 'w':
    case 'z':
        return PTX_U64;
    default:
        return (enum ptx_type)inst->type[0];
    }
}

static int32_t source_slot(struct decoder *d, const struct ptx_operand *o,
                           enum ptx_type type)
{
    switch (o->kind) {
    case OPERAND_REGISTER:
        return register_slot(d, o->index);
    case OPERAND_SPECIAL:
        return special_slot(d, (enum ptx_special)o->index);
    case OPERAND_VARIABLE:
        return constant_slot(d,
                             d->out->address[o->index] + (uint64_t)o->offset);
    case OPERAND_FUNCTION:
        return constant_slot(d, PTX_FUNCTION_WINDOW + (uint64_t)16 * o->index);
    case OPERAND_INTEGER:
    case OPERAND_FLOAT:
        return constant_slot(d, ptx_constant_bits(o, type));
    default:
        return constant_slot(d, 0);
    }
}

static void add_source(struct decoder *d, struct ptx_op *op,
                       const struct ptx_operand *o, enum ptx_type type)
{
    if (op->sources == PTX_PARTS_MAX)
        return;
    op->source[op->sources++] = source_slot(d, o, type);
    op->source_negated |= o->negated;
}

static void add_result(struct decoder *d, struct ptx_op *op,
                       const struct ptx_operand *o)
{
    const struct ptx_function *f = &d->m->function[d->function];
    if (op->results == PTX_PARTS_MAX)
        return;
    int32_t slot = PTX_SLOT_NONE;
    if (o->kind == OPERAND_REGISTER) {
        slot = register_slot(d, o->index);
        op->result_bytes = ptx_types[f->reg[o->index].type].bytes;
    }
    op->result[op->results++] = slot;
}

/* The first address of an instruction, or a further one of a copy. */
static void decode_address(struct decoder *d, const struct ptx_operand *o,
                           struct ptx_op *op)
{
    bool first = op->addresses == 0;
    int32_t *base = first                ? &op->base
                    : op->addresses == 1 ? &op->second_base
                                         : &op->third_base;
    int64_t *offset = first                ? &op->offset
                      : op->addresses == 1 ? &op->second_offset
                                           : &op->third_offset;
    op->addresses++;
    *base = PTX_SLOT_NONE;
    *offset = o->offset;
    if (o->base == BASE_REGISTER)
        *base = register_slot(d, o->index);
    if (o->base != BASE_VARIABLE)
        return;
    const struct ptx_variable *v = &d->m->variable[o->index];
    *offset += (int64_t)d->out->address[o->index];
    if (ptx_is_local(d->m, v)) {
        *base = local_base(d);
        op->space = first ? PTX_LOCAL : op->space;
    } else if (first && op->space == PTX_GENERIC && v->space == MOD_SHARED) {
        op->space = PTX_SHARED;
    } else if (op->action == ACTION_TENSOR_COPY &&
               ptx_is_entry_parameter(d->m, v)) {
        *offset += (int64_t)PTX_PARAM_WINDOW;
    } else if (v->is_opaque && ptx_is_entry_parameter(d->m, v)) {
        op->space = PTX_PARAM;
    }
}

/* ---- one operand by its letter ------------------------------------------ */

static void decode_parts(struct decoder *d, struct ptx_op *op,
                         const struct ptx_operand *o, bool result,
                         enum ptx_type type)
{
    static const enum ptx_type of_bytes[] = {PTX_B8,  PTX_B8,  PTX_B16,
                                             PTX_B16, PTX_B32, PTX_B32,
                                             PTX_B32, PTX_B32, PTX_B64};
    bool is_move = op->action == ACTION_MOVE;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct ptx_operand *part = &d->m->operand[o->first + i];
        if (result)
            add_result(d, op, part);
        else
            add_source(d, op, part,
                       is_move ? of_bytes[ptx_types[type].bytes / o->count]
                               : type);
    }
}

/* The accumulators of a warp group. */
static void decode_wide(struct decoder *d, struct ptx_op *op,
                        const struct ptx_operand *o)
{
    struct ptx_program *p = d->out;
    if (!array_room(&p->wide, p->wide_slots, o->count)) {
        d->no_memory = true;
        return;
    }
    op->wide = (uint32_t)p->wide_slots;
    op->wides = o->count;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct ptx_operand *part = &d->m->operand[o->first + i];
        p->wide[p->wide_slots++] = part->kind == OPERAND_REGISTER
                                       ? register_slot(d, part->index)
                                       : PTX_SLOT_NONE;
    }
}

/* Of the registers of a fragment only those that hold something. */
static void decode_matrix(struct decoder *d, struct ptx_op *op,
                          const struct ptx_operand *o, bool result,
                          unsigned position)
{
    struct ptx_operand used = *o;
    struct ptx_fragment f;
    bool is_fragment = op->action == ACTION_LOAD_FRAGMENT ||
                       op->action == ACTION_STORE_FRAGMENT ||
                       op->action == ACTION_MULTIPLY_FRAGMENTS;
    if (is_fragment && ptx_fragment_of(&f, op->inst, position))
        used.count = f.used;
    decode_parts(d, op, &used, result, (enum ptx_type)op->inst->type[0]);
}

static void decode_operand(struct decoder *d, struct ptx_op *op, char letter,
                           const struct ptx_operand *o)
{
    enum ptx_type type = type_of_letter(op->inst, letter);
    if (letter == 'z')
        op->factors = o->kind == OPERAND_VECTOR ? (uint8_t)o->count : 1;
    bool result = strchr("dDeUWcPMVB", letter) != NULL;
    if (o->kind == OPERAND_ADDRESS) {
        decode_address(d, o, op);
        decode_parts(d, op, o, false, (enum ptx_type)op->inst->type[1]);
    } else if (letter == 'B' && op->action == ACTION_WGMMA) {
        decode_wide(d, op, o);
    } else if (letter == 'B' || letter == 'b') {
        decode_matrix(d, op, o, result,
                      (unsigned)(o - &d->m->operand[op->inst->first]));
    } else if (o->kind == OPERAND_VECTOR) {
        decode_parts(d, op, o, result, type);
    } else if (letter == 'l') {
        op->target =
            o->kind == OPERAND_LABEL ? code(d)->first + o->index : o->index;
    } else if (!result) {
        add_source(d, op, o, type);
    } else {
        add_result(d, op, o);
        if (o->second != PTX_NONE && op->results < PTX_PARTS_MAX)
            op->result[op->results++] = register_slot(d, o->second);
    }
}

/* ---- instructions that need more ---------------------------------------- */

/* The address of a local variable depends on the frame: an addition. */
static void decode_local_address(struct decoder *d, struct ptx_op *op)
{
    const struct ptx_operand *o = &d->m->operand[op->inst->first + 1];
    if (o->kind != OPERAND_VARIABLE ||
        !ptx_is_local(d->m, &d->m->variable[o->index]))
        return;
    op->sources = 2;
    op->source[1] = op->source[0];
    op->source[0] = local_base(d);
}

static void decode_call(struct decoder *d, struct ptx_op *op)
{
    const struct ptx_operand *o = &d->m->operand[op->inst->first];
    if (o->kind == OPERAND_LIST)
        o++;
    op->sources = 0;
    op->results = 0;
    if (o->kind == OPERAND_FUNCTION)
        op->target = o->index;
    else
        add_source(d, op, o, PTX_U64);
}

static void decode_carry(struct decoder *d)
{
    struct ptx_code *c = code(d);
    if (c->carry == PTX_SLOT_NONE)
        c->carry = new_slot(d);
}

/* The stack pointer as a register: the last source and result. */
static void decode_stack(struct decoder *d, struct ptx_op *op)
{
    struct ptx_code *c = code(d);
    if (c->stack == PTX_SLOT_NONE)
        c->stack = new_slot(d);
    if (op->action != ACTION_STACK_RESTORE)
        op->source[op->sources++] = c->stack;
    if (op->action != ACTION_STACK_SAVE)
        op->result[op->results++] = c->stack;
}

static bool uses_stack(const struct ptx_op *op)
{
    return op->action == ACTION_STACK_ALLOCATE ||
           op->action == ACTION_STACK_SAVE ||
           op->action == ACTION_STACK_RESTORE;
}

static void decode_instruction(struct decoder *d, struct ptx_op *op,
                               const struct ptx_inst *inst)
{
    const char *letter = inst->form->operands;
    *op = (struct ptx_op){.inst = inst,
                          .lanes = inst->form->lanes,
                          .action = (uint8_t)inst->form->action,
                          .guard = PTX_SLOT_NONE,
                          .guard_negated = inst->guard_negated,
                          .base = PTX_SLOT_NONE,
                          .second_base = PTX_SLOT_NONE,
                          .third_base = PTX_SLOT_NONE,
                          .target = PTX_NONE,
                          .reconverge = PTX_NONE,
                          .left = PTX_NONE};
    if (inst->guard != PTX_NONE)
        op->guard = register_slot(d, inst->guard);
    ptx_decode_modifiers(op);
    /* a cache hint stands last and changes nothing */
    uint32_t hints = inst->modifier[GROUP_HINT] != MOD_NONE;
    for (uint32_t i = 0; i + hints < inst->operands; i++, letter++) {
        if (*letter == '?')
            letter++;
        decode_operand(d, op, *letter, &d->m->operand[inst->first + i]);
    }
    if (op->action == ACTION_MOVE || op->action == ACTION_CONVERT_ADDRESS)
        decode_local_address(d, op);
    if (op->action == ACTION_CALL)
        decode_call(d, op);
    if (ptx_action_is_carry(op->action))
        decode_carry(d);
    d->out->has_arrivals |= op->action == ACTION_BARRIER &&
                            inst->modifier[GROUP_SYNC] == MOD_ARRIVE;
    if (uses_stack(op))
        decode_stack(d, op);
}

static bool decode_function(struct decoder *d)
{
    const struct ptx_function *f = &d->m->function[d->function];
    struct ptx_code *c = code(d);
    struct ptx_program *p = d->out;
    c->first = (uint32_t)p->ops;
    c->local_base = c->carry = c->stack = PTX_SLOT_NONE;
    c->slot_of = malloc((f->regs + 1) * sizeof(*c->slot_of));
    if (c->slot_of == NULL || !array_room(&p->op, p->ops, (size_t)f->count + 1))
        return false;
    for (size_t i = 0; i < f->regs; i++)
        c->slot_of[i] = PTX_SLOT_NONE;
    for (uint32_t i = 0; i < f->count; i++)
        decode_instruction(d, &p->op[p->ops++], &d->m->inst[f->first + i]);
    p->op[p->ops++] = (struct ptx_op){.action = ACTION_RETURN,
                                      .guard = PTX_SLOT_NONE,
                                      .base = PTX_SLOT_NONE,
                                      .second_base = PTX_SLOT_NONE,
                                      .third_base = PTX_SLOT_NONE,
                                      .target = PTX_NONE,
                                      .reconverge = PTX_NONE,
                                      .left = PTX_NONE};
    c->count = f->count + 1;
    for (size_t i = 0; i < f->params; i++)
        if (f->param[i].kind == OPERAND_REGISTER)
            register_slot(d, f->param[i].index);
    for (size_t i = 0; i < f->results; i++)
        if (f->result[i].kind == OPERAND_REGISTER)
            register_slot(d, f->result[i].index);
    return !d->no_memory;
}

/* ---- results that nobody reads ------------------------------------------- */

static bool reads(const struct ptx_program *p, const struct ptx_op *op,
                  int32_t slot)
{
    bool found = op->guard == slot || op->base == slot ||
                 op->second_base == slot || op->third_base == slot;
    for (int i = 0; i < op->sources; i++)
        found |= op->source[i] == slot;
    for (uint32_t i = 0; i < op->wides; i++)
        found |= p->wide[op->wide + i] == slot;
    return found;
}

/* Calls read what their operands name, and return what the function's results
 * do: functions with either are left alone. */
static bool is_read(const struct ptx_program *p, const struct ptx_code *c,
                    int32_t slot)
{
    bool found = false;
    for (uint32_t i = 0; i < c->count && !found; i++) {
        const struct ptx_op *op = &p->op[c->first + i];
        found = op->action == ACTION_CALL || reads(p, op, slot);
    }
    return found;
}

static void find_unused(struct ptx_program *p, uint32_t function)
{
    const struct ptx_code *c = &p->code[function];
    if (p->module->function[function].results > 0)
        return;
    for (uint32_t i = 0; i < c->count; i++) {
        struct ptx_op *op = &p->op[c->first + i];
        bool is_atomic =
            op->action == ACTION_ATOMIC || op->action == ACTION_REDUCE;
        op->result_unused =
            is_atomic && (op->results == 0 || !is_read(p, c, op->result[0]));
    }
}

/* ---- the whole ---------------------------------------------------------- */

bool ptx_decode(struct ptx_program *out, const struct ptx_module *m,
                uint32_t entry, uint64_t global_first, struct error *e)
{
    struct decoder d = {.out = out, .m = m};
    *out = (struct ptx_program){.module = m};
    out->code = calloc(m->functions + 1, sizeof(*out->code));
    out->address = calloc(m->variables + 1, sizeof(*out->address));
    bool ok = out->code != NULL && out->address != NULL;
    if (ok && !ptx_place_variables(out, entry, global_first, e)) {
        ptx_program_free(out);
        return false;
    }
    for (d.function = 0; ok && d.function < m->functions; d.function++)
        ok = decode_function(&d) && ptx_unroll(out, d.function) &&
             ptx_find_reconvergence(out, d.function) &&
             ptx_place_rows(out, d.function);
    for (uint32_t i = 0; ok && i < m->functions; i++)
        find_unused(out, i);
    if (ok)
        return true;
    ptx_program_free(out);
    return error_no_memory(e);
}

void ptx_program_free(struct ptx_program *p)
{
    for (size_t i = 0; p->code != NULL && i < p->module->functions; i++) {
        free(p->code[i].slot_of);
        free(p->code[i].row);
        free(p->code[i].special);
        free(p->code[i].copy_of);
    }
    free(p->code);
    free(p->address);
    free(p->op);
    free(p->constant);
    free(p->wide);
    *p = (struct ptx_program){0};
}
