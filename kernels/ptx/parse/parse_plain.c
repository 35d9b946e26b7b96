/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions that stand for several: operands that are computed first, and
 * moves of vectors. */
#include "kernels/ptx/parse/parse.h"

/* ---- instructions that are not in the text ------------------------------ */

bool parse_add_instruction(struct parser *p, struct ptx_inst *inst,
                           const struct ptx_operand *operand)
{
    struct ptx_module *m = p->out;
    inst->first = (uint32_t)m->operands;
    if (!array_room(&m->operand, m->operands, inst->operands) ||
        !array_room(&m->inst, m->insts, 1))
        return parse_no_memory(p);
    for (uint32_t i = 0; i < inst->operands; i++)
        m->operand[m->operands++] = operand[i];
    m->inst[m->insts++] = *inst;
    m->function[p->function].count++;
    return true;
}

static enum ptx_type bits_type(unsigned bytes)
{
    return bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : PTX_B16;
}

static enum ptx_type sum_type(unsigned bytes)
{
    return bytes == 8 ? PTX_U64 : bytes == 4 ? PTX_U32 : PTX_U16;
}

/* A register of the function that no text names. */
static bool new_register(struct parser *p, enum ptx_type type,
                         struct ptx_operand *out)
{
    struct ptx_function *f = &p->out->function[p->function];
    if (!array_room(&f->reg, f->regs, 1))
        return parse_no_memory(p);
    *out = (struct ptx_operand){.kind = OPERAND_REGISTER,
                                .index = (uint32_t)f->regs,
                                .second = PTX_NONE};
    f->reg[f->regs++] = (struct ptx_register){(uint8_t)type, 1};
    return true;
}

/* "mov.type operand[0], operand[1]" or "add.type [0], [1], [2]", executed when
 * `like` is where `guarded`. */
static bool add_plain(struct parser *p, const struct ptx_inst *like,
                      bool guarded, enum ptx_type type,
                      const struct ptx_operand *operand, uint32_t operands)
{
    const char *mnemonic = operands == 2 ? "mov" : "add";
    bool known;
    struct ptx_inst inst = {.type = {(uint8_t)type},
                            .types = 1,
                            .guard = guarded ? like->guard : PTX_NONE,
                            .guard_negated = guarded && like->guard_negated,
                            .operands = operands,
                            .line = like->line,
                            .column = like->column,
                            .source_line = like->source_line,
                            .nounroll = like->nounroll};
    inst.form = ptx_form_find(mnemonic, strlen(mnemonic), &inst, &known);
    return parse_add_instruction(p, &inst, operand);
}

/* ---- operands ----------------------------------------------------------- */

static bool put_in_register(struct parser *p, const struct ptx_inst *inst,
                            unsigned bytes, struct ptx_operand *o)
{
    struct ptx_operand operand[3] = {[1] = *o};
    bool is_sum = o->kind == OPERAND_REGISTER;
    enum ptx_type type = is_sum ? sum_type(bytes) : bits_type(bytes);
    operand[1].offset = 0;
    operand[2] = (struct ptx_operand){.kind = OPERAND_INTEGER,
                                      .bits = (uint64_t)o->offset,
                                      .second = PTX_NONE};
    if (!new_register(p, type, &operand[0]) ||
        !add_plain(p, inst, false, type, operand, is_sum ? 3 : 2))
        return false;
    *o = operand[0];
    return true;
}

static bool put_source(struct parser *p, const struct ptx_inst *inst,
                       unsigned bytes, struct ptx_operand *o)
{
    const struct ptx_function *f = &p->out->function[p->function];
    bool is_sum = o->kind == OPERAND_REGISTER && o->offset != 0;
    bool moves = inst->form->action == ACTION_MOVE;
    if (is_sum)
        bytes = ptx_types[f->reg[o->index].type].bytes;
    if (bytes == 0 || (!is_sum && (o->kind != OPERAND_SPECIAL || moves)))
        return true;
    return put_in_register(p, inst, bytes, o);
}

/* The bytes of the parameter that an argument is passed to. */
static unsigned argument_bytes(const struct parser *p,
                               const struct ptx_inst *inst,
                               const struct ptx_operand *operand, uint32_t at)
{
    for (uint32_t i = 0; i < inst->operands; i++) {
        if (operand[i].kind != OPERAND_FUNCTION)
            continue;
        const struct ptx_function *f = &p->out->function[operand[i].index];
        if (at >= f->params)
            return 8;
        const struct ptx_operand *to = &f->param[at];
        return ptx_types[to->kind == OPERAND_REGISTER
                             ? f->reg[to->index].type
                             : p->out->variable[to->index].type]
            .bytes;
    }
    return 8;
}

/* Numbers and special registers in the last list of a call. */
static bool put_arguments(struct parser *p, const struct ptx_inst *inst,
                          struct ptx_operand *operand)
{
    const struct ptx_operand *list =
        inst->operands > 1 ? &operand[inst->operands - 1] : NULL;
    if (list == NULL || list->kind != OPERAND_LIST)
        return true;
    for (uint32_t i = 0; i < list->count; i++) {
        struct ptx_operand o = p->out->operand[list->first + i];
        bool is_value = o.kind == OPERAND_INTEGER || o.kind == OPERAND_FLOAT ||
                        o.kind == OPERAND_SPECIAL ||
                        (o.kind == OPERAND_REGISTER && o.offset != 0);
        unsigned bytes = argument_bytes(p, inst, operand, i);
        if (is_value && !put_in_register(p, inst, bytes, &o))
            return false;
        p->out->operand[list->first + i] = o;
    }
    return true;
}

static bool is_source(char letter)
{
    return letter != '\0' && strchr("sStukwvNx", letter) != NULL;
}

bool parse_plain_operands(struct parser *p, const struct ptx_inst *inst,
                          struct ptx_operand *operand)
{
    const char *letter = inst->form->operands;
    if (inst->form->action == ACTION_CALL)
        return put_arguments(p, inst, operand);
    for (uint32_t i = 0; i < inst->operands && *letter != '\0'; i++, letter++) {
        letter += *letter == '?';
        unsigned bytes = parse_bytes_of(inst, *letter);
        bool is_vector = operand[i].kind == OPERAND_VECTOR;
        if (!is_source(*letter) || parse_is_float(inst, *letter))
            continue;
        if (!is_vector && !put_source(p, inst, bytes, &operand[i]))
            return false;
        for (uint32_t k = 0; is_vector && k < operand[i].count; k++) {
            struct ptx_operand o = p->out->operand[operand[i].first + k];
            if (!put_source(p, inst, bytes, &o))
                return false;
            p->out->operand[operand[i].first + k] = o;
        }
    }
    return true;
}

/* ---- moves of vectors --------------------------------------------------- */

static bool move_part(struct parser *p, const struct ptx_inst *inst,
                      struct ptx_operand to, struct ptx_operand from,
                      const struct ptx_token *mnemonic)
{
    const struct ptx_operand operand[] = {to, from};
    return to.kind == OPERAND_SINK ||
           (add_plain(p, inst, true, (enum ptx_type)inst->type[0], operand,
                      2) &&
            parse_check(p, &p->out->inst[p->out->insts - 1], mnemonic));
}

/* Whether a part is written before it is read. */
static bool overlaps(const struct parser *p, const struct ptx_operand *to,
                     const struct ptx_operand *from)
{
    const struct ptx_operand *all = p->out->operand;
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t k = i + 1; k < from->count; k++)
            if (all[to->first + i].kind == OPERAND_REGISTER &&
                all[from->first + k].kind == OPERAND_REGISTER &&
                all[to->first + i].index == all[from->first + k].index)
                return true;
    return false;
}

bool parse_vector_move(struct parser *p, const struct ptx_inst *inst,
                       const struct ptx_operand *operand,
                       const struct ptx_token *mnemonic)
{
    uint32_t count = ptx_vector_length(inst->modifier[GROUP_VECTOR]);
    struct ptx_operand kept[PTX_VECTOR_MAX];
    const struct ptx_operand *to = &operand[0], *from = &operand[1];
    if (inst->operands != 2 || to->kind != OPERAND_VECTOR ||
        from->kind != OPERAND_VECTOR || to->count != count ||
        from->count != count)
        return ptx_expected(&p->lexer, mnemonic,
                            "two vectors of as many parts with it");
    bool through = overlaps(p, to, from);
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = p->out->operand[from->first + i];
        const struct ptx_operand source = kept[i];
        if (through &&
            (!new_register(p, (enum ptx_type)inst->type[0], &kept[i]) ||
             !move_part(p, inst, kept[i], source, mnemonic)))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!move_part(p, inst, p->out->operand[to->first + i], kept[i],
                       mnemonic))
            return false;
    return true;
}
