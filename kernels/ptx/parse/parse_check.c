/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands against the letters of the instruction's form. */
#include "kernels/ptx/forms/matrix.h"
#include "kernels/ptx/forms/special.h"
#include "kernels/ptx/parse/parse.h"

#include <ctype.h>
#include <stdio.h>

#define ALIGN_MAX  (1u << 23) /* of alloca */
#define ACCESS_MAX 32 /* bytes of a lane (PTX ISA 9.0, section 9.7.9.8) */

struct check {
    struct parser *p;
    const struct ptx_inst *inst;
    const struct ptx_token *mnemonic;
    unsigned position; /* of the operand, from 1 */
    bool is_float;     /* its type is .f32 or .f64 */
};

static bool wrong(const struct check *c, const char *expected)
{
    char text[128];
    snprintf(text, sizeof(text), "operand %u of it to be %s", c->position,
             expected);
    return ptx_expected(&c->p->lexer, c->mnemonic, text);
}

static uint8_t register_type(const struct check *c, uint32_t reg)
{
    return c->p->out->function[c->p->function].reg[reg].type;
}

unsigned parse_bytes_of(const struct ptx_inst *inst, char letter)
{
    const uint8_t *type = inst->type;
    switch (letter) {
    case 'D':
    case 'S':
        return 2u * ptx_types[type[0]].bytes;
    case 'e':
    case 't':
    case 'k':
        return ptx_types[type[1]].bytes;
    case 'U':
    case 'u':
        return 4;
    case 'W':
    case 'w':
        return 8;
    default:
        return ptx_types[type[0]].bytes;
    }
}

bool parse_is_float(const struct ptx_inst *inst, char letter)
{
    bool second = strchr("tk", letter) != NULL;
    if (!second && strchr("sSvN", letter) == NULL)
        return false;
    uint8_t type = inst->type[second];
    return inst->types > second && (type == PTX_F32 || type == PTX_F64);
}

static bool fits(const struct check *c, uint8_t type, unsigned bytes,
                 bool or_wider)
{
    unsigned own = ptx_types[type].bytes;
    char text[64];
    if (own == bytes || (or_wider && bytes != 0 && own > bytes))
        return true;
    if (bytes == 0)
        return wrong(c, "a predicate");
    snprintf(text, sizeof(text), "a register of %s%u bits",
             or_wider ? "at least " : "", 8 * bytes);
    return wrong(c, text);
}

static bool check_register(const struct check *c, const struct ptx_operand *o,
                           unsigned bytes, bool or_wider)
{
    if (o->offset != 0) /* parse_plain.c left it */
        return wrong(c, "a register alone");
    return fits(c, register_type(c, o->index), bytes, or_wider);
}

static bool check_source(const struct check *c, const struct ptx_operand *o,
                         unsigned bytes, bool or_wider)
{
    switch (o->kind) {
    case OPERAND_REGISTER:
        if (o->negated)
            return wrong(c, "a register without '!'");
        return check_register(c, o, bytes, or_wider);
    case OPERAND_SPECIAL:
        return !c->is_float || wrong(c, "no special register");
    case OPERAND_VARIABLE:
    case OPERAND_FUNCTION:
        return bytes >= 4 || wrong(c, "no address");
    case OPERAND_INTEGER: /* section 4.5: it is not converted */
        return !c->is_float || wrong(c, "a number like 1.0 or 0f3F800000");
    case OPERAND_FLOAT:
        return true;
    default:
        return wrong(c, "a register or a number");
    }
}

static bool check_destination(const struct check *c,
                              const struct ptx_operand *o, unsigned bytes,
                              bool or_wider)
{
    if (o->kind == OPERAND_SINK)
        return true;
    if (o->kind != OPERAND_REGISTER || o->negated)
        return wrong(c, "a register");
    return check_register(c, o, bytes, or_wider);
}

static bool check_predicate(const struct check *c, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_INTEGER || o->kind == OPERAND_SINK)
        return true;
    if (o->kind != OPERAND_REGISTER)
        return wrong(c, "a predicate");
    return check_register(c, o, 0, false);
}

/* The parts of a vector; bytes of each. */
static bool check_parts(const struct check *c, const struct ptx_operand *o,
                        bool destination, unsigned bytes, bool or_wider)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const struct ptx_operand *part = &c->p->out->operand[o->first + i];
        if (destination ? !check_destination(c, part, bytes, or_wider)
                        : part->kind != OPERAND_SINK &&
                              !check_source(c, part, bytes, or_wider))
            return false;
    }
    return true;
}

/* Loads and stores: one register, or as many as .v2, .v4 or .v8 says. */
static bool check_access(const struct check *c, const struct ptx_operand *o,
                         bool destination)
{
    uint32_t count = ptx_vector_length(c->inst->modifier[GROUP_VECTOR]);
    unsigned bytes = ptx_types[c->inst->type[0]].bytes;
    char text[64];
    if (count * bytes > ACCESS_MAX)
        return wrong(c, "at most 256 bits");
    if (o->kind != OPERAND_VECTOR && count == 1)
        return destination ? check_destination(c, o, bytes, true)
                           : check_source(c, o, bytes, true);
    snprintf(text, sizeof(text), "%u registers in braces", count);
    if (o->kind != OPERAND_VECTOR || o->count != count)
        return wrong(c, text);
    return check_parts(c, o, destination, bytes, true);
}

/* mov: a register, or 2 or 4 parts of one (section 9.7.9.3). */
static bool check_move(const struct check *c, const struct ptx_operand *o,
                       bool destination)
{
    unsigned bytes = ptx_types[c->inst->type[0]].bytes;
    if (o->kind == OPERAND_VECTOR) {
        if ((o->count != 2 && o->count != 4) || bytes % o->count != 0 ||
            bytes == 0)
            return wrong(c, "2 or 4 parts in braces");
        return check_parts(c, o, destination, bytes / o->count, false);
    }
    if (bytes == 0 && !destination)
        return check_predicate(c, o);
    return destination ? check_destination(c, o, bytes, false)
                       : check_source(c, o, bytes, false);
}

static bool check_label(const struct check *c, const struct ptx_operand *o)
{
    return o->kind == OPERAND_LABEL || o->kind == OPERAND_TARGETS ||
           wrong(c, "a label");
}

static bool check_address(const struct check *c, const struct ptx_operand *o)
{
    if (o->kind != OPERAND_ADDRESS || o->count > 0)
        return wrong(c, "an address in square brackets");
    if (o->base != BASE_REGISTER)
        return true;
    unsigned bytes = ptx_types[register_type(c, o->index)].bytes;
    return bytes == 4 || bytes == 8 ||
           wrong(c, "an address in a register of 32 or 64 bits");
}

/* [texture, {..}]: as many coordinates as the geometry has sides, or four, of
 * which the others are not looked at (section 9.7.10.3). */
static bool check_texture(const struct check *c, const struct ptx_operand *o)
{
    uint8_t geometry = c->inst->modifier[GROUP_GEOMETRY];
    uint32_t count = ptx_dimensions(geometry) + (geometry == MOD_ACUBE);
    char text[80];
    if (count == 0)
        return ptx_expected(
            &c->p->lexer, c->mnemonic,
            ".1d, .2d, .3d, .a1d, .a2d, .cube or .acube with it");
    if (c->inst->modifier[GROUP_VECTOR] == MOD_V8)
        return ptx_expected(&c->p->lexer, c->mnemonic, "at most .v4 with it");
    snprintf(text, sizeof(text),
             "a texture or surface and %u coordinates in square brackets",
             count);
    if (o->kind != OPERAND_ADDRESS || (o->count != count && o->count != 4))
        return wrong(c, text);
    return check_parts(c, o, false, 4, false);
}

/* What holds the handle. */
static bool check_handle(const struct check *c, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_ADDRESS && o->base == BASE_REGISTER
            ? ptx_types[register_type(c, o->index)].bytes == 8
            : o->kind == OPERAND_ADDRESS && o->base == BASE_VARIABLE)
        return true;
    return wrong(c, "a texture or surface in square brackets");
}

/* [map, {..}]: as many coordinates as the tensor has sides. */
static bool check_tensor(const struct check *c, const struct ptx_operand *o)
{
    uint32_t count = ptx_dimensions(c->inst->modifier[GROUP_GEOMETRY]);
    char text[80];
    if (count == 0)
        return ptx_expected(&c->p->lexer, c->mnemonic, ".1d to .5d with it");
    snprintf(text, sizeof(text),
             "a tensor map and %u coordinates in square brackets", count);
    if (o->kind != OPERAND_ADDRESS || o->count != count)
        return wrong(c, text);
    return check_parts(c, o, false, 4, false);
}

/* Registers in braces, as many as the shape asks for. */
static bool check_matrix(const struct check *c, const struct ptx_operand *o)
{
    uint32_t count = ptx_matrix_registers(c->inst, c->position - 1);
    bool wide = ptx_matrix_is_double(c->inst);
    char text[64];
    if (count == 0)
        return ptx_expected(&c->p->lexer, c->mnemonic,
                            "a shape that is known for these types");
    snprintf(text, sizeof(text), "%u registers in braces", count);
    if (o->kind != OPERAND_VECTOR || o->count != count)
        return wrong(c, text);
    return check_parts(c, o, true, wide ? 8 : 4, false);
}

/* Operands that are more than one value in one register. */
static bool check_structured(const struct check *c, char letter,
                             const struct ptx_operand *o)
{
    switch (letter) {
    case 'V':
    case 'v':
        return check_access(c, o, letter == 'V');
    case 'M':
    case 'N':
        return check_move(c, o, letter == 'M');
    case 'B':
    case 'b':
        return check_matrix(c, o);
    case 'z':
        return o->kind == OPERAND_VECTOR ? check_matrix(c, o)
                                         : check_source(c, o, 8, false);
    case 'm':
        return check_address(c, o);
    case 'T':
        return check_tensor(c, o);
    case 'X':
        return check_texture(c, o) && check_handle(c, o);
    case 'h':
        return o->count == 0 ? check_handle(c, o) : wrong(c, "no coordinates");
    case 'l':
        return check_label(c, o);
    default:
        return true;
    }
}

static bool check_operand(const struct check *c, char letter,
                          const struct ptx_operand *o)
{
    unsigned bytes = parse_bytes_of(c->inst, letter);
    if (o->second != PTX_NONE && strchr("Px", letter) == NULL)
        if (register_type(c, o->second) != PTX_PRED)
            return wrong(c, "a register before '|' and a predicate behind it");
    switch (letter) {
    case 'd':
    case 'D':
    case 'e':
    case 'U':
    case 'W':
    case 'c':
        return check_destination(c, o, bytes, letter == 'c');
    case 's':
    case 'S':
    case 't':
    case 'u':
    case 'w':
        return bytes == 0 ? check_predicate(c, o)
                          : check_source(c, o, bytes, false);
    case 'k':
        return check_source(c, o, bytes, true);
    case 'P':
    case 'q':
        return check_predicate(c, o);
    case 'i':
        return o->kind == OPERAND_INTEGER || wrong(c, "a whole number");
    default:
        return check_structured(c, letter, o);
    }
}

/* What .L2::cache_hint asks for behind the others. */
static bool check_hint(struct check *c)
{
    const struct ptx_inst *inst = c->inst;
    c->position = inst->operands;
    if (inst->operands == 0)
        return ptx_expected(&c->p->lexer, c->mnemonic, "more operands with it");
    const struct ptx_operand *o =
        &c->p->out->operand[inst->first + inst->operands - 1];
    return check_source(c, o, 8, false);
}

/* alloca: the last operand is an alignment. */
static bool check_align(struct check *c)
{
    c->position = 3;
    if (c->inst->form->action != ACTION_STACK_ALLOCATE ||
        c->inst->operands < c->position)
        return true;
    uint64_t align = c->p->out->operand[c->inst->first + 2].bits;
    return (align != 0 && align <= ALIGN_MAX && (align & (align - 1)) == 0) ||
           wrong(c, "a power of two up to 8388608");
}

bool parse_check(struct parser *p, const struct ptx_inst *inst,
                 const struct ptx_token *mnemonic)
{
    struct check c = {.p = p, .inst = inst, .mnemonic = mnemonic};
    const char *letter = inst->form->operands;
    bool optional = false;
    uint32_t hints = inst->modifier[GROUP_HINT] != MOD_NONE;
    if (hints > 0 && !check_hint(&c))
        return false;
    for (uint32_t i = 0; i + hints < inst->operands; i++, letter++) {
        c.position = i + 1;
        if (*letter == '?') {
            optional = true;
            letter++;
        }
        if (*letter == '\0')
            return ptx_expected(&p->lexer, mnemonic, "fewer operands with it");
        c.is_float = parse_is_float(inst, *letter);
        if (!check_operand(&c, *letter, &p->out->operand[inst->first + i]))
            return false;
    }
    if (*letter != '\0' && *letter != '?' && !optional)
        return ptx_expected(&p->lexer, mnemonic, "more operands with it");
    return check_align(&c);
}
