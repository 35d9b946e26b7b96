/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What variables of the module in .global and .const hold at first, as
 * cudaMemcpyToSymbol puts it there: "NAME=[TYPE:]FILL" or
 * "NAME=[TYPE:]VALUE[,VALUE..]". */
#include "kernels/ptx/launch/launch_arguments.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 128 /* characters of a value */

struct symbol {
    struct ptx_session *s;
    const struct ptx_variable *v;
    uint64_t at; /* its first byte in the module's memory */
    enum ptx_type type;
    const char *rest; /* of the text, behind the type */
    uint64_t seed;
    struct ptx_spec spec;
};

static bool wrong(const struct symbol *y, const char *expected, struct error *e)
{
    return error_set(e, STATUS_BAD_INPUT, "%s %s: expected %s", y->spec.option,
                     y->spec.text, expected);
}

/* ---- which variable ----------------------------------------------------- */

static bool is_symbol(const struct ptx_variable *v)
{
    return v->function == PTX_NONE && !v->is_opaque &&
           (v->space == MOD_GLOBAL || v->space == MOD_CONST);
}

static const char *symbol_name(const void *table, size_t i)
{
    const struct ptx_variable *v = &((const struct ptx_variable *)table)[i];
    return is_symbol(v) ? v->name : "";
}

static bool no_variable(const struct symbol *y, size_t length, struct error *e)
{
    const struct ptx_module *m = y->s->program.module;
    char *name = strndup(y->spec.text, length);
    if (name == NULL)
        return error_no_memory(e);
    const char *near =
        nearest_name(name, m->variable, m->variables, symbol_name);
    bool found = near != NULL && near[0] != '\0';
    error_set(e, STATUS_BAD_INPUT,
              "%s %s: found no variable '%s' of the module in .global or "
              ".const%s%s%s",
              y->spec.option, y->spec.text, name,
              found ? ", did you mean '" : "", found ? near : "",
              found ? "'?" : "");
    free(name);
    return false;
}

/* NAME= and TYPE:, when there is one. */
static bool read_head(struct symbol *y, struct error *e)
{
    const struct ptx_program *p = &y->s->program;
    const struct ptx_module *m = p->module;
    const char *equals = strchr(y->spec.text, '=');
    if (equals == NULL || equals == y->spec.text || equals[1] == '\0')
        return wrong(y, "NAME=FILL or NAME=VALUE[,VALUE..]", e);
    size_t length = (size_t)(equals - y->spec.text);
    for (size_t i = 0; i < m->variables; i++) {
        const struct ptx_variable *v = &m->variable[i];
        if (!is_symbol(v) || strncmp(v->name, y->spec.text, length) != 0 ||
            v->name[length] != '\0')
            continue;
        y->v = v;
        y->at = p->address[i] - p->global_first;
    }
    if (y->v == NULL)
        return no_variable(y, length, e);
    if (y->v->bytes == 0)
        return wrong(y, "a variable with a size", e);
    const char *colon = strchr(equals + 1, ':');
    enum ptx_type type =
        colon != NULL ? ptx_type_named(equals + 1, (size_t)(colon - equals - 1))
                      : PTX_NO_TYPE;
    y->type = type != PTX_NO_TYPE ? type : (enum ptx_type)y->v->type;
    y->rest = type != PTX_NO_TYPE ? colon + 1 : equals + 1;
    return ptx_types[y->type].bytes > 0 || wrong(y, "a type like f32", e);
}

/* ---- what it holds ------------------------------------------------------ */

/* The bytes of the variable in what the module's memory holds at first. */
static uint8_t *image_of(const struct symbol *y)
{
    struct ptx_buffer *b = &y->s->memory.buffer[0];
    uint64_t end = y->at + y->v->bytes;
    if (end > b->source_bytes) {
        uint8_t *grown = realloc(b->owned, end);
        if (grown == NULL)
            return NULL;
        memset(grown + b->source_bytes, 0, end - b->source_bytes);
        b->source = b->owned = grown;
        b->source_bytes = end;
    }
    return b->owned + y->at;
}

static bool is_fill(const char *text)
{
    static const char *const words[] = {"zero", "iota", "random", "file"};
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i]) == length && strncmp(text, words[i], length) == 0)
            return true;
    return false;
}

/* As a buffer of its size would be filled. */
static bool put_fill(const struct symbol *y, uint8_t *to, struct error *e)
{
    struct ptx_memory m;
    struct ptx_buffer b = {
        .bytes = y->v->bytes, .type = (uint8_t)y->type, .seed = y->seed};
    if (b.bytes % ptx_types[y->type].bytes != 0)
        return wrong(y, "a type whose bytes divide the variable's", e);
    ptx_memory_open(&m);
    bool ok = ptx_fill_parse(&b, y->rest, &y->spec, e);
    if (ok && ptx_memory_add(&m, &b, e) == NULL)
        ok = false;
    else if (ok)
        b.owned = NULL; /* taken over */
    if (ok && !ptx_memory_read(&m, 0, 0, to, b.bytes))
        ok = error_no_memory(e);
    free(b.owned);
    ptx_memory_free(&m);
    return ok;
}

static bool put_value(const struct symbol *y, const char *text, size_t length,
                      uint8_t *to, struct error *e)
{
    char value[VALUE_MAX];
    struct ptx_pointer p;
    uint64_t bits;
    unsigned bytes = ptx_types[y->type].bytes;
    if (length >= sizeof(value))
        return wrong(y, "shorter values", e);
    memcpy(value, text, length);
    value[length] = '\0';
    if (text[0] != '@' && !ptx_number_bits(value, y->type, &bits))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s %s: found '%s', expected a number of type %s",
                         y->spec.option, y->spec.text, value,
                         ptx_types[y->type].name);
    if (text[0] == '@') {
        if (bytes != 8 || !ptx_pointer_parse(&p, text, length))
            return wrong(y, "@NAME[+OFFSET] in a type of 64 bits", e);
        if (!ptx_pointer_address(&p, &y->s->memory, &y->spec, &bits, e))
            return false;
    }
    memcpy(to, &bits, bytes);
    return true;
}

/* The elements behind the last value stay as they are. */
static bool put_values(const struct symbol *y, uint8_t *to, struct error *e)
{
    uint64_t bytes = ptx_types[y->type].bytes, at = 0;
    for (const char *text = y->rest, *end; text != NULL; at += bytes) {
        end = text + strcspn(text, ",");
        if (bytes > y->v->bytes - at)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s %s: found more values than the %llu that fit "
                             "the variable's %llu bytes",
                             y->spec.option, y->spec.text,
                             (unsigned long long)(y->v->bytes / bytes),
                             (unsigned long long)y->v->bytes);
        if (!put_value(y, text, (size_t)(end - text), to + at, e))
            return false;
        text = *end == ',' ? end + 1 : NULL;
    }
    return true;
}

bool ptx_session_set_symbol(struct ptx_session *s, const struct ptx_spec *spec,
                            uint64_t seed, struct error *e)
{
    struct symbol y = {.s = s, .spec = *spec, .seed = seed};
    if (!read_head(&y, e))
        return false;
    uint8_t *to = image_of(&y);
    if (to == NULL)
        return error_no_memory(e);
    return is_fill(y.rest) ? put_fill(&y, to, e) : put_values(&y, to, e);
}
