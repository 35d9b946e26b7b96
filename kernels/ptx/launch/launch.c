/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch.h"

#include "base/arrays.h"
#include "kernels/ptx/launch/launch_arguments.h"

/* CUDA C Programming Guide, table "Technical Specifications per Compute
 * Capability". */
#define THREADS_MAX 1024
#define SIDE_Z_MAX  64
#define GRID_YZ_MAX 65535
#define STEPS_MAX   (UINT64_C(1) << 27) /* a GPU takes a second for them */
#define CLUSTER_MAX 16u
#define SHARED_MAX  (227u << 10) /* compute capability 9.0 */

static const char *path(const struct ptx_session *s)
{
    return s->program.module->path;
}

/* ---- the module's own memory -------------------------------------------- */

static uint64_t address_of(const struct ptx_session *s,
                           const struct ptx_relocation *r)
{
    const struct ptx_program *p = &s->program;
    uint64_t at = PTX_FUNCTION_WINDOW + 16 * (uint64_t)r->function;
    if (r->variable != PTX_NONE) {
        at = p->address[r->variable];
        if (p->module->variable[r->variable].space == MOD_SHARED)
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
        uint64_t value =
            address_of(s, &v->relocation[i]) >> v->relocation[i].shift;
        memcpy(at + v->relocation[i].at, &value, v->relocation[i].width);
    }
}

static bool is_initialised(const struct ptx_variable *v)
{
    return v->initial != NULL &&
           (v->space == MOD_GLOBAL || v->space == MOD_CONST);
}

static void put_variables(const struct ptx_session *s, uint8_t *image)
{
    const struct ptx_module *m = s->program.module;
    for (size_t i = 0; i < m->variables; i++)
        if (is_initialised(&m->variable[i]))
            put_variable(s, image, (uint32_t)i);
}

uint64_t ptx_session_image_bytes(const struct ptx_session *s)
{
    return s->program.global_end - s->program.global_first;
}

void ptx_session_image(const struct ptx_session *s, uint8_t *image)
{
    memset(image, 0, ptx_session_image_bytes(s));
    put_variables(s, image);
}

/* One buffer for all of it; its bytes up to the last variable with values. */
static bool add_module_memory(struct ptx_session *s, struct error *e)
{
    const struct ptx_program *p = &s->program;
    const struct ptx_module *m = p->module;
    struct ptx_buffer b = {.bytes = ptx_session_image_bytes(s),
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
    put_variables(s, b.owned);
    if (ptx_memory_add(&s->memory, &b, e) != NULL)
        return true;
    free(b.owned);
    return false;
}

/* ---- dimensions --------------------------------------------------------- */

static struct dim3 given(struct dim3 d)
{
    return d.x != 0 ? d : (struct dim3){1, 1, 1};
}

/* Only who wants no more than the code can do without. */
static bool check_given(const struct ptx_session *s,
                        const struct ptx_request *r, struct error *e)
{
    if (r->code_only || (r->grid.x != 0 && r->block.x != 0))
        return true;
    return error_set(e, STATUS_USAGE, "%s: found no %s", path(s),
                     r->grid.x == 0
                         ? "--grid, expected --grid X[,Y[,Z]], its blocks"
                         : "--block, expected --block X[,Y[,Z]], the threads "
                           "of each of its blocks");
}

static bool check_block(const struct ptx_session *s, const char *dashes,
                        struct error *e)
{
    const struct ptx_launch *l = &s->launch;
    const struct ptx_function *f = ptx_session_entry(s);
    uint64_t n = (uint64_t)l->block.x * l->block.y;
    uint64_t threads = n <= THREADS_MAX ? n * l->block.z : n;
    if (threads > THREADS_MAX || l->block.z > SIDE_Z_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "%sblock: found %llu threads, expected at most 1024 "
                         "(z at most 64)",
                         dashes, (unsigned long long)threads);
    uint32_t most = f->exact_threads != 0 ? f->exact_threads : f->max_threads;
    if ((most != 0 && threads > most) ||
        (f->exact_threads != 0 && threads != most))
        return error_set(e, STATUS_BAD_INPUT,
                         "%sblock: found %llu threads, expected %s%u as '%s' "
                         "declares",
                         dashes, (unsigned long long)threads,
                         f->exact_threads != 0 ? "" : "at most ", most,
                         f->name);
    return true;
}

/* CUDA C++ Programming Guide, "Thread Block Clusters": the grid is of whole
 * ones, of at most 16 blocks where the launch allows more than 8. */
static bool check_cluster(const struct ptx_session *s,
                          const struct ptx_request *r, const char *dashes,
                          struct error *e)
{
    const struct dim3 *c = &s->launch.cluster, *g = &s->launch.grid;
    const struct ptx_function *f = ptx_session_entry(s);
    const struct dim3 *own = &f->cluster;
    if (r->cluster.x != 0 && own->x != 0 &&
        (r->cluster.x != own->x || r->cluster.y != own->y ||
         r->cluster.z != own->z))
        return error_set(e, STATUS_BAD_INPUT,
                         "%scluster: found %u,%u,%u, expected %u,%u,%u as "
                         "'%s' declares",
                         dashes, r->cluster.x, r->cluster.y, r->cluster.z,
                         own->x, own->y, own->z, f->name);
    if (c->x == 0)
        return true;
    if ((uint64_t)c->x * c->y * c->z > CLUSTER_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "%scluster: found %llu blocks, expected at most %u",
                         dashes, (unsigned long long)c->x * c->y * c->z,
                         CLUSTER_MAX);
    return r->code_only ||
           (g->x % c->x == 0 && g->y % c->y == 0 && g->z % c->z == 0) ||
           error_set(e, STATUS_BAD_INPUT,
                     "%sgrid: found %u,%u,%u, expected whole clusters of "
                     "%u,%u,%u blocks",
                     dashes, g->x, g->y, g->z, c->x, c->y, c->z);
}

static bool check_sizes(const struct ptx_session *s,
                        const struct ptx_request *r, struct error *e)
{
    const struct ptx_launch *l = &s->launch;
    const char *dashes = r->from_file ? "" : "--";
    if (l->grid.y > GRID_YZ_MAX || l->grid.z > GRID_YZ_MAX ||
        l->grid.x > INT32_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "%sgrid: found %u,%u,%u, expected at most "
                         "2147483647,65535,65535",
                         dashes, l->grid.x, l->grid.y, l->grid.z);
    if (l->shared_bytes > SHARED_MAX)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s: found %llu bytes of shared memory a block, "
                         "expected at most %u",
                         path(s), (unsigned long long)l->shared_bytes,
                         SHARED_MAX);
    return check_block(s, dashes, e) && check_cluster(s, r, dashes, e);
}

/* ---- the session -------------------------------------------------------- */

bool ptx_session_prepare_at(struct ptx_session *s, const struct ptx_module *m,
                            uint32_t entry, uint64_t base, struct error *e)
{
    *s = (struct ptx_session){.base = base, .launch.entry = entry};
    ptx_memory_open(&s->memory);
    return ptx_decode(&s->program, m, entry, base, e);
}

/* With the module decoded for `entry`, PTX_NONE: for none. */
static bool begin(struct ptx_session *s, const struct ptx_module *m,
                  uint32_t entry, struct error *e)
{
    if (!ptx_session_prepare_at(s, m, entry, PTX_GLOBAL_BASE, e))
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
    const struct ptx_spec text = {"buffer", spec};
    struct ptx_argument a;
    if (!ptx_argument_parse(&a, &text, e))
        return false;
    bool ok = a.is_buffer && a.buffer.name == NULL;
    if (!ok)
        error_set(e, STATUS_BAD_INPUT,
                  "buffer %s: expected buf:COUNT:TYPE[:FILL] or "
                  "tex:WIDTHxHEIGHT:TEXEL[:MODE][:FILL]",
                  spec);
    a.buffer.seed = seed;
    if (ok) {
        a.buffer.name = strdup(name);
        ok = a.buffer.name != NULL ? ptx_session_place(s, &a, &text, e) != NULL
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
    if (!ptx_decode(&other, m, entry, s->base, e))
        return false;
    ptx_program_free(&s->program);
    s->program = other;
    return true;
}

/* By the request, else as the entry declares; x = 0: none. */
static struct dim3 cluster_of(const struct ptx_session *s, uint32_t entry,
                              const struct ptx_request *r)
{
    struct dim3 c = s->program.module->function[entry].cluster;
    if (r->cluster.x != 0)
        c = r->cluster;
    return c.x * c.y * c.z == 1 ? (struct dim3){0, 0, 0} : c;
}

/* Mostly the one of the launch before. */
static bool find_entry(const struct ptx_session *s,
                       const struct ptx_request *request, uint32_t *out,
                       struct error *e)
{
    const struct ptx_module *m = s->program.module;
    *out = s->launch.entry;
    return (*out != PTX_NONE && request->entry == m->function[*out].name) ||
           ptx_find_entry(m, request->entry, out, e);
}

bool ptx_session_launch(struct ptx_session *s,
                        const struct ptx_request *request, struct error *e)
{
    struct ptx_launch *l = &s->launch;
    uint32_t entry;
    if (!find_entry(s, request, &entry, e) || !decode_for(s, entry, e))
        return false;
    free(l->param);
    *l = (struct ptx_launch){
        .program = &s->program,
        .entry = entry,
        .grid = given(request->grid),
        .block = given(request->block),
        .cluster = cluster_of(s, entry, request),
        .dynamic_shared_bytes = request->dynamic_shared_bytes,
        .shared_bytes = s->program.shared_bytes + request->dynamic_shared_bytes,
        .workspace = request->is_alone ? 0 : PTX_GRID_WINDOW,
        .steps_max = STEPS_MAX,
    };
    return check_given(s, request, e) && check_sizes(s, request, e) &&
           ptx_session_put_arguments(s, request, e);
}

static bool set_symbols(struct ptx_session *s, const struct ptx_request *r,
                        struct error *e)
{
    for (size_t i = 0; i < r->symbols; i++) {
        const struct ptx_spec spec = {"--set-symbol", r->symbol[i]};
        uint64_t seed = r->seed * UINT64_C(1000003) + r->args + i;
        if (!ptx_session_set_symbol(s, &spec, seed, e))
            return false;
    }
    return true;
}

bool ptx_session_open(struct ptx_session *s, const struct ptx_module *m,
                      const struct ptx_request *request, struct error *e)
{
    uint32_t entry;
    if (!ptx_find_entry(m, request->entry, &entry, e) || !begin(s, m, entry, e))
        return false;
    if (ptx_session_launch(s, request, e) && set_symbols(s, request, e))
        return true;
    ptx_session_close(s);
    return false;
}

bool ptx_session_take_launch(struct ptx_session *s, struct ptx_launch *out,
                             struct ptx_program *program, struct error *e)
{
    struct ptx_program none;
    if (!ptx_decode(&none, s->program.module, PTX_NONE, s->base, e))
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
        if (ptx_cluster_first(l, i) == i)
            ok = ptx_block_start(&b, i) && ptx_block_run(&b);
        b.view.version += view.by_block;
    }
    out->warp_steps = b.warp_steps;
    out->lane_steps = b.lane_steps;
    for (uint32_t i = 0; i + 1 < b.peers; i++) {
        out->warp_steps += b.others[i].warp_steps;
        out->lane_steps += b.others[i].lane_steps;
    }
    ptx_block_close(&b);
    return ok;
}

bool ptx_session_run(struct ptx_session *s, struct ptx_totals *out,
                     struct error *e)
{
    const struct ptx_view view = {.memory = &s->memory};
    return ptx_launch_run(&s->launch, view, out, e);
}
