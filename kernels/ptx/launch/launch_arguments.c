/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From arguments as written to the bytes of the parameters. */
#include "kernels/ptx/launch/launch_arguments.h"

#include <stdlib.h>
#include <string.h>

const struct ptx_buffer *ptx_session_place(struct ptx_session *s,
                                           struct ptx_argument *a,
                                           const struct ptx_spec *spec,
                                           struct error *e)
{
    const char *name = a->buffer.name;
    if (name != NULL && ptx_memory_named(&s->memory, name) != NULL) {
        error_set(e, STATUS_BAD_INPUT, "%s %s: found a second buffer '%s'",
                  spec->option, spec->text, name);
        return NULL;
    }
    struct error why;
    const struct ptx_buffer *b = ptx_memory_add(&s->memory, &a->buffer, &why);
    if (b == NULL) {
        error_set(e, why.status, "%s %s: %s", spec->option, spec->text,
                  why.text);
        return NULL;
    }
    a->buffer.name = NULL; /* taken over */
    a->buffer.owned = NULL;
    return b;
}

static struct ptx_spec spec_of(const struct ptx_request *r, size_t i)
{
    return (struct ptx_spec){r->from_file ? "argument" : "--arg", r->arg[i]};
}

/* ---- one parameter ------------------------------------------------------ */

static bool put_number(struct ptx_session *s, const struct ptx_argument *a,
                       const struct ptx_spec *spec,
                       const struct ptx_variable *v, uint64_t at,
                       struct error *e)
{
    enum ptx_type own = (enum ptx_type)v->type;
    enum ptx_type type = a->type != PTX_NO_TYPE ? (enum ptx_type)a->type : own;
    uint64_t bits, size = ptx_types[own].bytes;
    if (v->bytes != size || ptx_types[type].bytes != size)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s %s: found %u bytes for parameter %s, expected "
                         "its %llu",
                         spec->option, spec->text, ptx_types[type].bytes,
                         v->name, (unsigned long long)v->bytes);
    if (!ptx_number_bits(a->number, type, &bits))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s %s: expected a number of type %s", spec->option,
                         spec->text, ptx_types[type].name);
    memcpy(s->launch.param + at, &bits, size);
    return true;
}

static bool put_address(struct ptx_session *s, const struct ptx_buffer *b,
                        const struct ptx_spec *spec,
                        const struct ptx_variable *v, uint64_t at,
                        struct error *e)
{
    if (b == NULL)
        return false;
    if (v->bytes != 8)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s %s: found a buffer for parameter %s of %llu "
                         "bytes, expected a number",
                         spec->option, spec->text, v->name,
                         (unsigned long long)v->bytes);
    memcpy(s->launch.param + at, &b->address, 8);
    return true;
}

static bool put_bytes(struct ptx_session *s, const struct ptx_argument *a,
                      const struct ptx_spec *spec, const struct ptx_variable *v,
                      uint64_t at, struct error *e)
{
    if (a->count != v->bytes)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s %s: found %zu bytes for parameter %s, "
                         "expected its %llu",
                         spec->option,
                         spec->text[0] == '@' ? spec->text : "bytes", a->count,
                         v->name, (unsigned long long)v->bytes);
    memcpy(s->launch.param + at, a->bytes, a->count);
    for (size_t i = 0; i < a->pointers; i++) {
        const struct ptx_pointer *p = &a->pointer[i];
        uint64_t address;
        if (!ptx_pointer_address(p, &s->memory, spec, &address, e))
            return false;
        memcpy(s->launch.param + at + p->at, &address, sizeof(address));
    }
    return true;
}

/* Argument i of those given, which is for that parameter. */
static bool put_argument(struct ptx_session *s, const struct ptx_request *r,
                         size_t i, size_t param, struct error *e)
{
    const struct ptx_module *m = s->program.module;
    uint32_t index = ptx_session_entry(s)->param[param].index;
    const struct ptx_variable *v = &m->variable[index];
    uint64_t at = s->program.address[index];
    const struct ptx_buffer *named = ptx_memory_named(&s->memory, r->arg[i]);
    const struct ptx_spec spec = spec_of(r, i);
    struct ptx_argument a;
    if (named != NULL)
        return put_address(s, named, &spec, v, at, e);
    if (!ptx_argument_parse(&a, &spec, e))
        return false;
    a.buffer.seed = r->seed * UINT64_C(1000003) + i;
    bool ok;
    if (a.is_buffer)
        ok =
            put_address(s, ptx_session_place(s, &a, &spec, e), &spec, v, at, e);
    else if (a.bytes != NULL)
        ok = put_bytes(s, &a, &spec, v, at, e);
    else
        ok = put_number(s, &a, &spec, v, at, e);
    ptx_argument_free(&a);
    return ok;
}

/* ---- all of them ------------------------------------------------------- */

/* A texture that has the name of the module's own .texref or .surfref: it is
 * for no parameter. */
static bool is_bound(const struct ptx_module *m, const char *arg)
{
    const char *name = strrchr(arg, ':');
    if (strncmp(arg, "tex:", 4) != 0)
        return false;
    for (size_t i = 0; i < m->variables; i++)
        if (m->variable[i].is_opaque && m->variable[i].function == PTX_NONE &&
            strcmp(m->variable[i].name, name + 1) == 0)
            return true;
    return false;
}

static bool bind_textures(struct ptx_session *s, const struct ptx_request *r,
                          size_t *count, struct error *e)
{
    struct ptx_argument a;
    for (size_t i = 0; i < r->args; i++) {
        if (!is_bound(s->program.module, r->arg[i]))
            continue;
        ++*count;
        const struct ptx_spec spec = spec_of(r, i);
        if (!ptx_argument_parse(&a, &spec, e))
            return false;
        a.buffer.seed = r->seed * UINT64_C(1000003) + i;
        bool ok = ptx_session_place(s, &a, &spec, e) != NULL;
        ptx_argument_free(&a);
        if (!ok)
            return false;
    }
    return true;
}

/* Behind those for parameters buffers may stand that tensor maps name. */
static bool put_further(struct ptx_session *s, const struct ptx_request *r,
                        size_t i, struct error *e)
{
    const struct ptx_spec spec = spec_of(r, i);
    struct ptx_argument a;
    if (!ptx_argument_parse(&a, &spec, e))
        return false;
    a.buffer.seed = r->seed * UINT64_C(1000003) + i;
    bool ok = ptx_session_place(s, &a, &spec, e) != NULL;
    ptx_argument_free(&a);
    return ok;
}

static bool are_further(const struct ptx_request *r, size_t count)
{
    for (size_t i = r->args - count; i < r->args; i++)
        if (strncmp(r->arg[i], "buf:", 4) != 0)
            return false;
    for (size_t i = 0; i < r->args - count; i++)
        if (strncmp(r->arg[i], "tmap:", 5) == 0)
            return true;
    return count == 0;
}

/* The arguments that have pointers in them, or all the others. */
static bool put_those(struct ptx_session *s, const struct ptx_request *r,
                      bool pointing, struct error *e)
{
    for (size_t i = 0, param = 0; i < r->args; i++) {
        if (is_bound(s->program.module, r->arg[i]))
            continue;
        bool further = param >= ptx_session_entry(s)->params;
        if (ptx_argument_points(r->arg[i]) == pointing &&
            !(further ? put_further(s, r, i, e)
                      : put_argument(s, r, i, param, e)))
            return false;
        param++;
    }
    return true;
}

/* Room for the bytes of all parameters. */
static bool make_room(struct ptx_session *s, struct error *e)
{
    const struct ptx_function *f = ptx_session_entry(s);
    const struct ptx_module *m = s->program.module;
    for (size_t i = 0; i < f->params; i++) {
        uint32_t index = f->param[i].index;
        uint64_t end = s->program.address[index] + m->variable[index].bytes;
        if (end > s->launch.param_bytes)
            s->launch.param_bytes = end;
    }
    s->launch.param = calloc(s->launch.param_bytes + 8, 1);
    return s->launch.param != NULL || error_no_memory(e);
}

static bool copy_values(struct ptx_session *s, const struct ptx_request *r,
                        struct error *e)
{
    const struct ptx_function *f = ptx_session_entry(s);
    if (!make_room(s, e))
        return false;
    for (size_t i = 0; i < f->params; i++) {
        uint32_t index = f->param[i].index;
        memcpy(s->launch.param + s->program.address[index], r->value[i],
               s->program.module->variable[index].bytes);
    }
    return true;
}

/* ": u32, u64", as far as there is room. */
static void list_types(char *out, size_t size, const struct ptx_session *s)
{
    const struct ptx_module *m = s->program.module;
    const struct ptx_function *f = ptx_session_entry(s);
    size_t used = 0;
    for (size_t i = 0; i < f->params && used < size; i++)
        used += (size_t)snprintf(
            out + used, size - used, "%s %s", i > 0 ? "," : ":",
            ptx_types[m->variable[f->param[i].index].type].name);
}

static bool wrong_count(const struct ptx_session *s,
                        const struct ptx_request *r, size_t args,
                        struct error *e)
{
    const struct ptx_function *f = ptx_session_entry(s);
    char types[128] = "";
    list_types(types, sizeof(types), s);
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: found %zu arguments for '%s', expected %s for each "
                     "of its %zu parameters%s (a pointer is buf:COUNT:TYPE)",
                     s->program.module->path, args, f->name,
                     r->from_file ? "one" : "--arg", f->params, types);
}

bool ptx_session_put_arguments(struct ptx_session *s,
                               const struct ptx_request *r, struct error *e)
{
    const struct ptx_function *f = ptx_session_entry(s);
    if (r->value != NULL)
        return copy_values(s, r, e);
    if (r->code_only && r->args == 0)
        return true;
    size_t bound = 0, args;
    if (!bind_textures(s, r, &bound, e))
        return false;
    args = r->args - bound;
    if (args < f->params || !are_further(r, args - f->params))
        return wrong_count(s, r, args, e);
    if (!make_room(s, e))
        return false;
    return put_those(s, r, false, e) && put_those(s, r, true, e);
}
