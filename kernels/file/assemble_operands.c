/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/assembler.h"

#define REG_LAST       254
#define PREDICATE_LAST 6

bool register_number(const struct word *w, uint16_t *out)
{
    bool predicate = w->length > 1 && w->at[0] == 'p';
    if (w->length < 2 || w->length > 4 || !(predicate || w->at[0] == 'r'))
        return false;
    int n = 0;
    for (int i = 1; i < w->length; i++) {
        if (w->at[i] < '0' || w->at[i] > '9')
            return false;
        n = n * 10 + w->at[i] - '0';
    }
    if (n > (predicate ? PREDICATE_LAST : REG_LAST))
        return false;
    *out = (uint16_t)(predicate ? REG_PREDICATE + n : n);
    return true;
}

bool assembler_take_register(struct cursor *c, uint16_t *out)
{
    struct word w;
    cursor_skip_space(c);
    const char *at = c->at;
    if (cursor_take_name(c, &w) && register_number(&w, out))
        return true;
    c->at = at;
    return cursor_expected(c, "a register r0..r254 or p0..p6");
}

bool assembler_add_source(struct assembler *a, struct inst *i, uint16_t reg)
{
    if (i->src_count == INST_MAX_SRC)
        return source_fail(a->line.source, a->line.at, a->line.error,
                           "found more than %d registers read, expected fewer",
                           INST_MAX_SRC);
    i->src[i->src_count++] = reg;
    return true;
}

/* Registers that `width` bytes a lane fill, the one named first. */
static bool vector_registers(struct assembler *a, const struct inst *i,
                             uint16_t reg, int *count)
{
    *count = i->width > 4 ? i->width / 4 : 1;
    if (*count == 1)
        return true;
    if (reg >= REG_PREDICATE || reg + *count - 1 > REG_LAST)
        return source_fail(a->line.source, a->line.at, a->line.error,
                           "found a register without %d more behind it, "
                           "expected %d consecutive ones from r0..r254",
                           *count - 1, *count);
    return true;
}

static bool parse_destination(struct assembler *a, const struct opcode *o,
                              struct inst *i)
{
    struct cursor *c = &a->line;
    cursor_skip_space(c);
    const char *at = c->at;
    uint16_t reg;
    int count;
    if (!assembler_take_register(c, &reg))
        return false;
    bool predicate = o->destination == DEST_PREDICATE;
    if ((reg >= REG_PREDICATE) != predicate) {
        c->at = at;
        return cursor_expected(c, predicate ? "a predicate p0..p6 as "
                                              "destination"
                                            : "a register r0..r254 as "
                                              "destination");
    }
    if (!vector_registers(a, i, reg, &count))
        return false;
    for (int n = 0; n < count; n++)
        i->dst[i->dst_count++] = (uint16_t)(reg + n);
    return true;
}

/* A register, or a number, which nothing waits for. */
static bool parse_source(struct assembler *a, struct inst *i, bool is_value)
{
    struct cursor *c = &a->line;
    uint16_t reg;
    int count = 1;
    cursor_skip_space(c);
    const char *at = c->at;
    cursor_take(c, "-");
    if (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        double number;
        int64_t integer;
        bool hex = c->end - c->at > 1 && (c->at[1] == 'x' || c->at[1] == 'X');
        return hex ? cursor_take_integer(c, &integer)
                   : cursor_take_real(c, &number);
    }
    c->at = at;
    cursor_take(c, "!");
    if (!assembler_take_register(c, &reg) ||
        (is_value && !vector_registers(a, i, reg, &count)))
        return false;
    for (int n = 0; n < count; n++)
        if (!assembler_add_source(a, i, (uint16_t)(reg + n)))
            return false;
    return true;
}

static bool parse_address(struct assembler *a, uint32_t node)
{
    struct cursor *c = &a->line;
    struct expr address;
    if (!cursor_take(c, "["))
        return cursor_expected(c, "an address in brackets");
    if (!expr_compile(&a->program->pool, &a->scope, c, &address))
        return false;
    if (!cursor_take(c, "]"))
        return cursor_expected(c, "']' or an operator");
    a->program->node[node].expr = address;
    return true;
}

bool assembler_line_must_end(struct assembler *a)
{
    return cursor_at_end(&a->line) ||
           cursor_expected(&a->line, "the end of the line");
}

static bool parse_sources(struct assembler *a, const struct opcode *o,
                          struct inst *i, bool first)
{
    struct cursor *c = &a->line;
    bool stores = o->op == OP_STORE || o->op == OP_ATOMIC;
    for (int n = 0; n < o->sources && !cursor_at_end(c); n++) {
        if (!first && !cursor_take(c, ","))
            return cursor_expected(c, "','");
        first = false;
        if (!parse_source(a, i, stores && n == 0))
            return false;
    }
    return assembler_line_must_end(a);
}

bool assembler_take_operands(struct assembler *a, const struct opcode *o,
                             struct inst *i, uint32_t node)
{
    struct cursor *c = &a->line;
    cursor_skip_space(c);
    bool bracket = c->at < c->end && *c->at == '[';
    bool first = true;
    if (o->destination != DEST_NONE &&
        !(o->destination == DEST_OPTIONAL && bracket)) {
        if (!parse_destination(a, o, i))
            return false;
        first = false;
    }
    if (o->space != SPACE_NONE) {
        if (!first && !cursor_take(c, ","))
            return cursor_expected(c, "',' and an address in brackets");
        if (!parse_address(a, node))
            return false;
        first = false;
    }
    return parse_sources(a, o, i, first);
}
