/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch.h"

#include "base/arrays.h"
#include "kernels/ptx/launch/argument.h"

/* CUDA C Programming Guide, table "Technical Specifications per Compute
 * Capability". */
#define THREADS_MAX 1024
#define SIDE_Z_MAX  64
#define GRID_YZ_MAX 65535
#define STEPS_MAX   (UINT64_C(1) << 27) /* a GPU takes a second for them */
#define SHARED_MAX  (227u << 10)        /* compute capability 9.0 */

static const char *path(const struct ptx_session *s)
{
    return s->program.module->path;
}

static const struct ptx_function *entry(const struct ptx_session *s)
{
    return &s->program.module->function[s->launch.entry];
}

/* ---- the module's own memory -------------------------------------------- */

static uint64_t address_of(const struct ptx_session *s,
                           const struct ptx_relocation *r)
{
    const struct ptx_program *p = &s->program;
    uint64_t at = PTX_FUNCTION_WINDOW + 16 * (uint64_t)r->function;
    if (r->variable != PTX_NONE) {
        at = p->address[r->variable];
        if (p->module->variable[r->variable].space == WORD_SHARED)
            at += PTX_SHARED_WINDOW;
    }
    return at + (uint64_t)r->addend;
}

static void put_variable(const struct ptx_session *s, uint8_t *image,
                         uint32_t index)
{
    const struct ptx_variable *v = &s->program.module->variable[index];
    uint8_t *at = image + (s->program.address[index] - s->program.global_first);
    memcpy(at, v->initial, v->bytes);
    for (size_t i = 0; i < v->relocations; i++) {
        uint64_t value = address_of(s, &v->relocation[i]);
        memcpy(at + v->relocation[i].at, &value, v->relocation[i].width);
    }
}

static bool is_initialised(const struct ptx_variable *v)
{
    return v->initial != NULL &&
           (v->space == WORD_GLOBAL || v->space == WORD_CONST);
}

/* One buffer for all of it; its bytes up to the last variable with values. */
static bool add_module_memory(struct ptx_session *s, struct error *e)
{
    const struct ptx_program *p = &s->program;
    const struct ptx_module *m = p->module;
    struct ptx_buffer b = {.bytes = p->global_end - p->global_first,
                           .type = PTX_B8,
                           .fill = FILL_BYTES};
    for (size_t i = 0; i < m->variables; i++) {
        uint64_t end = p->address[i] - p->global_first + m->variable[i].bytes;
        if (is_initialised(&m->variable[i]) && end > b.source_bytes)
            b.source_bytes = end;
    }
    if (b.bytes == 0)
        return true;
    b.owned = calloc(b.source_bytes + 1, 1);
    if (b.owned == NULL)
        return error_no_memory(e);
    b.source = b.owned;
    for (size_t i = 0; i < m->variables; i++)
        if (is_initialised(&m->variable[i]))
            put_variable(s, b.owned, (uint32_t)i);
    if (ptx_memory_add(&s->memory, &b, e) != NULL)
        return true;
    free(b.owned);
    return false;
}

/* ---- arguments ---------------------------------------------------------- */

static bool put_number(struct ptx_session *s, const struct ptx_argument *a,
                       const char *spec, const struct ptx_variable *v,
                       uint64_t at, struct error *e)
{
    enum ptx_type own = (enum ptx_type)v->type;
    enum ptx_type type = a->type != PTX_NO_TYPE ? (enum ptx_type)a->type : own;
    uint64_t bits, size = ptx_types[own].bytes;
    if (v->bytes != size || ptx_types[type].bytes != size)
        return error_set(e, STATUS_BAD_INPUT,
                         "--arg %s: found %u bytes for parameter %s, expected "
                         "its %llu",
                         spec, ptx_types[type].bytes, v->name,
                         (unsigned long long)v->bytes);
    if (!ptx_number_bits(a->number, type, &bits))
        return error_set(e, STATUS_BAD_INPUT,
                         "--arg %s: expected a number of type %s", spec,
                         ptx_types[type].name);
    memcpy(s->launch.param + at, &bits, size);
    return true;
}

/* Give the session the buffer of *a, which `spec` describes; NULL with e set.
 */
static const struct ptx_buffer *place(struct ptx_session *s,
                                      struct ptx_argument *a, const char *spec,
                                      struct error *e)
{
    const char *name = a->buffer.name;
    if (name != NULL && ptx_memory_named(&s->memory, name) != NULL) {
        error_set(e, STATUS_BAD_INPUT, "--arg %s: found a second buffer '%s'",
                  spec, name);
        return NULL;
    }
    struct error why;
    const struct ptx_buffer *b = ptx_memory_add(&s->memory, &a->buffer, &why);
    if (b == NULL) {
        error_set(e, why.status, "--arg %s: %s", spec, why.text);
        return NULL;
    }
    a->buffer.name = NULL; /* taken over */
    a->buffer.owned = NULL;
    return b;
}

static bool put_address(struct ptx_session *s, const struct ptx_buffer *b,
                        const char *spec, const struct ptx_variable *v,
                        uint64_t at, struct error *e)
{
    if (b == NULL)
        return false;
    if (v->bytes != 8)
        return error_set(e, STATUS_BAD_INPUT,
                         "--arg %s: found a buffer for parameter %s of %llu "
                         "bytes, expected a number",
                         spec, v->name, (unsigned long long)v->bytes);
    memcpy(s->launch.param + at, &b->address, 8);
    return true;
}

static bool put_bytes(struct ptx_session *s, const struct ptx_argument *a,
                      const struct ptx_variable *v, uint64_t at,
                      struct error *e)
{
    if (a->count != v->bytes)
        return error_set(e, STATUS_BAD_INPUT,
                         "--arg bytes: found %zu bytes for parameter %s, "
                         "expected its %llu",
                         a->count, v->name, (unsigned long long)v->bytes);
    memcpy(s->launch.param + at, a->bytes, a->count);
    return true;
}

/* Argument i of those given, which is for that parameter. */
static bool put_argument(struct ptx_session *s, const struct ptx_request *r,
                         size_t i, size_t param, struct error *e)
{
    const struct ptx_module *m = s->program.module;
    uint32_t index = entry(s)->param[param].index;
    const struct ptx_variable *v = &m->variable[index];
    uint64_t at = s->program.address[index];
    const struct ptx_buffer *named = ptx_memory_named(&s->memory, r->arg[i]);
    struct ptx_argument a;
    if (named != NULL)
        return put_address(s, named, r->arg[i], v, at, e);
    if (!ptx_argument_parse(&a, r->arg[i], e))
        return false;
    a.buffer.seed = r->seed * UINT64_C(1000003) + i;
    bool ok;
    if (a.is_buffer)
        ok = put_address(s, place(s, &a, r->arg[i], e), r->arg[i], v, at, e);
    else if (a.bytes != NULL)
        ok = put_bytes(s, &a, v, at, e);
    else
        ok = put_number(s, &a, r->arg[i], v, at, e);
    ptx_argument_free(&a);
    return ok;
}

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
        if (!ptx_argument_parse(&a, r->arg[i], e))
            return false;
        a.buffer.seed = r->seed * UINT64_C(1000003) + i;
        bool ok = place(s, &a, r->arg[i], e) != NULL;
        ptx_argument_free(&a);
        if (!ok)
            return false;
    }
    return true;
}

static bool put_arguments(struct ptx_session *s, const struct ptx_request *r,
                          struct error *e)
{
    const struct ptx_function *f = entry(s);
    const struct ptx_module *m = s->program.module;
    if (r->code_only && r->args == 0)
        return true;
    size_t bound = 0, args;
    if (!bind_textures(s, r, &bound, e))
        return false;
    args = r->args - bound;
    if (args != f->params)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found %zu arguments for '%s', expected --arg for "
                         "each of its %zu parameters",
                         path(s), args, f->name, f->params);
    for (size_t i = 0; i < f->params; i++) {
        uint32_t index = f->param[i].index;
        uint64_t end = s->program.address[index] + m->variable[index].bytes;
        if (end > s->launch.param_bytes)
            s->launch.param_bytes = end;
    }
    s->launch.param = calloc(s->launch.param_bytes + 8, 1);
    if (s->launch.param == NULL)
        return error_no_memory(e);
    for (size_t i = 0, param = 0; param < f->params; i++) {
        if (is_bound(s->program.module, r->arg[i]))
            continue;
        if (!put_argument(s, r, i, param++, e))
            return false;
    }
    return true;
}

/* ---- dimensions --------------------------------------------------------- */

static struct dim3 given(struct dim3 d)
{
    return d.x != 0 ? d : (struct dim3){1, 1, 1};
}

static bool check_block(const struct ptx_session *s, struct error *e)
{
    const struct ptx_launch *l = &s->launch;
    const struct ptx_function *f = entry(s);
    uint64_t n = (uint64_t)l->block.x * l->block.y;
    uint64_t threads = n <= THREADS_MAX ? n * l->block.z : n;
    if (threads > THREADS_MAX || l->block.z > SIDE_Z_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "--block: found %llu threads, expected at most 1024 "
                         "(z at most 64)",
                         (unsigned long long)threads);
    uint32_t most = f->exact_threads != 0 ? f->exact_threads : f->max_threads;
    if ((most != 0 && threads > most) ||
        (f->exact_threads != 0 && threads != most))
        return error_set(e, STATUS_BAD_INPUT,
                         "--block: found %llu threads, expected %s%u as '%s' "
                         "declares",
                         (unsigned long long)threads,
                         f->exact_threads != 0 ? "" : "at most ", most,
                         f->name);
    return true;
}

static bool check_sizes(const struct ptx_session *s, struct error *e)
{
    const struct ptx_launch *l = &s->launch;
    if (l->grid.y > GRID_YZ_MAX || l->grid.z > GRID_YZ_MAX ||
        l->grid.x > INT32_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "--grid: found %u,%u,%u, expected at most "
                         "2147483647,65535,65535",
                         l->grid.x, l->grid.y, l->grid.z);
    if (l->shared_bytes > SHARED_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found %llu bytes of shared memory a block, "
                         "expected at most %u",
                         path(s), (unsigned long long)l->shared_bytes,
                         SHARED_MAX);
    return check_block(s, e);
}

/* ---- the session -------------------------------------------------------- */

/* With the module decoded for `entry`, PTX_NONE: for none. */
static bool begin(struct ptx_session *s, const struct ptx_module *m,
                  uint32_t entry, struct error *e)
{
    *s = (struct ptx_session){.launch.entry = entry};
    ptx_memory_open(&s->memory);
    if (!ptx_decode(&s->program, m, entry, PTX_GLOBAL_BASE, e))
        return false;
    if (add_module_memory(s, e))
        return true;
    ptx_session_close(s);
    return false;
}

bool ptx_session_prepare(struct ptx_session *s, const struct ptx_module *m,
                         struct error *e)
{
    return begin(s, m, PTX_NONE, e);
}

bool ptx_session_buffer(struct ptx_session *s, const char *name,
                        const char *spec, uint64_t seed, struct error *e)
{
    struct ptx_argument a;
    if (!ptx_argument_parse(&a, spec, e))
        return false;
    bool ok = a.is_buffer && a.buffer.name == NULL;
    if (!ok)
        error_set(e, STATUS_BAD_INPUT,
                  "--arg %s: expected buf:COUNT:TYPE[:FILL] or "
                  "tex:WIDTHxHEIGHT:TEXEL[:MODE][:FILL]",
                  spec);
    a.buffer.seed = seed;
    if (ok) {
        a.buffer.name = strdup(name);
        ok = a.buffer.name != NULL ? place(s, &a, spec, e) != NULL
                                   : error_no_memory(e);
    }
    ptx_argument_free(&a);
    return ok;
}

/* Shared variables lie where the entry that is launched needs them. */
static bool decode_for(struct ptx_session *s, uint32_t entry, struct error *e)
{
    const struct ptx_module *m = s->program.module;
    if (entry == s->launch.entry)
        return true;
    struct ptx_program other;
    if (!ptx_decode(&other, m, entry, PTX_GLOBAL_BASE, e))
        return false;
    ptx_program_free(&s->program);
    s->program = other;
    return true;
}

bool ptx_session_launch(struct ptx_session *s,
                        const struct ptx_request *request, struct error *e)
{
    struct ptx_launch *l = &s->launch;
    uint32_t entry;
    if (!ptx_find_entry(s->program.module, request->entry, &entry, e) ||
        !decode_for(s, entry, e))
        return false;
    free(l->param);
    *l = (struct ptx_launch){
        .program = &s->program,
        .entry = entry,
        .grid = given(request->grid),
        .block = given(request->block),
        .dynamic_shared_bytes = request->dynamic_shared_bytes,
        .shared_bytes = s->program.shared_bytes + request->dynamic_shared_bytes,
        .steps_max = STEPS_MAX,
    };
    return check_sizes(s, e) && put_arguments(s, request, e);
}

bool ptx_session_open(struct ptx_session *s, const struct ptx_module *m,
                      const struct ptx_request *request, struct error *e)
{
    uint32_t entry;
    if (!ptx_find_entry(m, request->entry, &entry, e) || !begin(s, m, entry, e))
        return false;
    if (ptx_session_launch(s, request, e))
        return true;
    ptx_session_close(s);
    return false;
}

bool ptx_session_take_launch(struct ptx_session *s, struct ptx_launch *out,
                             struct ptx_program *program, struct error *e)
{
    struct ptx_program none;
    if (!ptx_decode(&none, s->program.module, PTX_NONE, PTX_GLOBAL_BASE, e))
        return false;
    *program = s->program;
    *out = s->launch;
    out->program = program;
    s->program = none;
    s->launch = (struct ptx_launch){.entry = PTX_NONE};
    return true;
}

void ptx_session_close(struct ptx_session *s)
{
    ptx_program_free(&s->program);
    ptx_memory_free(&s->memory);
    free(s->launch.param);
    s->launch.param = NULL;
}

bool ptx_launch_run(const struct ptx_launch *l, struct ptx_view view,
                    struct ptx_totals *out, struct error *e)
{
    struct ptx_block b;
    bool ok = true;
    *out = (struct ptx_totals){.blocks =
                                   (uint64_t)l->grid.x * l->grid.y * l->grid.z};
    if (!ptx_block_open(&b, l, view, e))
        return false;
    for (uint64_t i = 0; ok && i < out->blocks; i++) {
        ok = ptx_block_start(&b, i) && ptx_block_run(&b);
        b.view.version += view.by_block;
    }
    out->warp_steps = b.warp_steps;
    out->lane_steps = b.lane_steps;
    ptx_block_close(&b);
    return ok;
}

bool ptx_session_run(struct ptx_session *s, struct ptx_totals *out,
                     struct error *e)
{
    const struct ptx_view view = {.memory = &s->memory};
    return ptx_launch_run(&s->launch, view, out, e);
}
