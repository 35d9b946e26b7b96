/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Program text to instructions and nodes, one line a statement. */
#include "kernels/file/assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ordinary instructions ---------------------------------------------- */

static const char *operation_name(const void *table, size_t i)
{
    (void)table;
    return i < opcode_count ? opcodes[i].name
                            : control_words[i - opcode_count].name;
}

static bool unknown_operation(struct assembler *a, const struct word *w)
{
    char suggestion[2 * WORD_SHOWN];
    word_suggestion(suggestion, sizeof(suggestion), w, NULL,
                    opcode_count + control_word_count, operation_name);
    return source_fail(a->line.source, w->at, a->line.error,
                       "found '%.*s', expected an operation%s", word_shown(w),
                       w->at, suggestion);
}

static bool parse_width(struct assembler *a, const struct opcode *o,
                        uint8_t *width)
{
    struct cursor *c = &a->line;
    const char *at = c->at;
    bool dot = c->at < c->end && *c->at == '.';
    *width = 0;
    if (o->space == SPACE_NONE)
        return !dot || cursor_expected(c, "no width on this operation");
    int64_t n = 0;
    if (dot) {
        c->at++;
        if (!cursor_take_integer(c, &n))
            return false;
    }
    if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16) {
        c->at = at;
        return cursor_expected(c, "a width .1 .2 .4 .8 or .16");
    }
    *width = (uint8_t)n;
    return true;
}

static enum node_kind node_kind_of(const struct opcode *o)
{
    if (o->op == OP_BRANCH)
        return NODE_BRANCH;
    if (o->op == OP_EXIT)
        return NODE_EXIT;
    return o->space == SPACE_NONE ? NODE_PLAIN : NODE_MEMORY;
}

static bool parse_instruction(struct assembler *a, const struct opcode *o,
                              const uint16_t *guard)
{
    char mnemonic[sizeof(a->kernel->inst->mnemonic)];
    uint8_t width;
    if (!parse_width(a, o, &width))
        return false;
    uint32_t node = a->program->count;
    if (width > 0)
        snprintf(mnemonic, sizeof(mnemonic), "%s.%d", o->name, width);
    else
        snprintf(mnemonic, sizeof(mnemonic), "%s", o->name);
    if (assembler_add_node(a, node_kind_of(o)) == NULL)
        return false;
    struct inst *i = assembler_add_inst(a, mnemonic, o->op);
    if (i == NULL)
        return false;
    i->space = (uint8_t)o->space;
    i->width = width;
    a->program->uses_local |= o->space == SPACE_LOCAL;
    if (o->op == OP_BRANCH)
        i->target = i->reconverge = a->kernel->inst_count;
    a->ended = o->op == OP_EXIT && a->scope.depth == 0 && !a->in_sub;
    if (guard != NULL && !assembler_add_source(a, i, *guard))
        return false;
    return assembler_take_operands(a, o, i, node);
}

/* ---- lines -------------------------------------------------------------- */

static const struct opcode *find_opcode(const struct word *w)
{
    for (size_t i = 0; i < opcode_count; i++)
        if (word_is(w, opcodes[i].name))
            return &opcodes[i];
    return NULL;
}

static bool parse_guard(struct assembler *a, uint16_t *guard)
{
    cursor_take(&a->line, "!");
    const char *at = a->line.at;
    if (!assembler_take_register(&a->line, guard))
        return false;
    a->line.at = *guard < REG_PREDICATE ? at : a->line.at;
    return *guard >= REG_PREDICATE ||
           cursor_expected(&a->line, "a predicate p0..p6 as guard");
}

static bool parse_statement(struct assembler *a)
{
    struct cursor *c = &a->line;
    struct word w;
    uint16_t guard;
    bool guarded = cursor_take(c, "@");
    if (guarded && !parse_guard(a, &guard))
        return false;
    if (!cursor_take_name(c, &w))
        return cursor_expected(c, "an operation");
    if (a->ended)
        return source_fail(c->source, w.at, c->error,
                           "found '%.*s' behind the 'exit' of all threads, "
                           "expected the end of the program",
                           word_shown(&w), w.at);
    const struct opcode *o = find_opcode(&w);
    bool unguarded = o != NULL && (o->op == OP_EXIT || o->op == OP_BARRIER);
    for (size_t i = 0; i < control_word_count; i++) {
        bool control = word_is(&w, control_words[i].name);
        if (control && !guarded)
            return control_words[i].parse(a, &w);
        unguarded = unguarded || control;
    }
    if (guarded && unguarded)
        return source_fail(c->source, w.at, c->error,
                           "found a guard on '%.*s', expected an 'if' around "
                           "it: guards leave the active lanes alone",
                           word_shown(&w), w.at);
    if (o == NULL)
        return unknown_operation(a, &w);
    if (a->in_sub && (o->op == OP_EXIT || o->op == OP_BARRIER))
        return source_fail(c->source, w.at, c->error,
                           "found '%.*s' in a subroutine, expected straight "
                           "code",
                           word_shown(&w), w.at);
    return parse_instruction(a, o, guarded ? &guard : NULL);
}

bool program_assemble(struct program *out, struct kernel *k,
                      const struct scope *scope, struct cursor *c)
{
    struct assembler a = {.program = out,
                          .kernel = k,
                          .scope = *scope,
                          .leader = true,
                          .line = *c,
                          .line_number =
                              (uint32_t)source_line(c->source, c->at)};
    for (const char *at = c->at; at < c->end; a.line_number++) {
        size_t left = (size_t)(c->end - at);
        const char *newline = memchr(at, '\n', left);
        const char *end = newline != NULL ? newline : c->end;
        const char *comment = memchr(at, '#', (size_t)(end - at));
        a.line.at = at;
        a.line.end = comment != NULL ? comment : end;
        if (!cursor_at_end(&a.line) && !parse_statement(&a))
            return false;
        at = newline != NULL ? newline + 1 : c->end;
    }
    if (!assembler_nothing_open(&a))
        return false;
    return a.ended || source_fail(c->source, c->end, c->error,
                                  "program ends here, expected 'exit' as its "
                                  "last instruction");
}

void program_free(struct program *p)
{
    free(p->node);
    expr_pool_free(&p->pool);
}
