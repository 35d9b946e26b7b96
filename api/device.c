/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/check.h"
#include "kernels/ptx/launch/launch_arguments.h"
#include "kernels/ptx/launch/record.h"
#include "kernels/ptx/launch/resident.h"
#include "kernels/ptx/launch/together.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096

struct estimate_function {
    struct estimate_module *module;
    struct estimate_function_info info;
    struct ptx_session session; /* decoded for it */
    struct ptx_together together;
    struct estimate_executed executed;
};

struct estimate_module {
    struct estimate_device *device;
    struct ptx_module module;
    struct ptx_session session; /* decoded for no entry */
    char *text;
    size_t size, number; /* of the device's modules */
    uint8_t *at;         /* its variables */
    struct estimate_function **function;
    size_t functions;
};

struct estimate_device {
    struct ptx_memory memory;
    struct ptx_checks checks;
    struct ptx_crew *crew; /* NULL: the caller alone */
    struct estimate_module **module;
    size_t modules;
};

struct estimate_device *estimate_device_create(struct estimate_error *e)
{
    struct estimate_device *d = calloc(1, sizeof(*d));
    if (d == NULL)
        tell_no_memory(e);
    else
        ptx_memory_open(&d->memory);
    return d;
}

static void free_module(struct estimate_module *m)
{
    for (size_t i = 0; i < m->functions; i++) {
        ptx_session_close(&m->function[i]->session);
        free(m->function[i]);
    }
    free(m->function);
    ptx_session_close(&m->session);
    ptx_module_free(&m->module);
    free(m->text);
    free(m);
}

void estimate_device_free(struct estimate_device *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->modules; i++)
        free_module(d->module[i]);
    free(d->module);
    ptx_crew_free(d->crew);
    free(d->checks.told);
    ptx_memory_free(&d->memory);
    free(d);
}

bool estimate_device_threads(struct estimate_device *d, int threads,
                             struct estimate_error *out)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned workers = threads > 0  ? (unsigned)threads
                       : online > 1 ? (unsigned)online
                                    : 1;
    ptx_crew_free(d->crew);
    d->crew = workers > 1 ? ptx_crew_create(workers) : NULL;
    return workers == 1 || d->crew != NULL || tell_no_memory(out);
}

bool estimate_device_add(struct estimate_device *d, void *at, uint64_t bytes,
                         struct estimate_error *out)
{
    struct error e;
    uint64_t address = (uint64_t)(uintptr_t)at;
    if (address < ESTIMATE_DEVICE_FIRST ||
        address - ESTIMATE_DEVICE_FIRST > ESTIMATE_DEVICE_BYTES - bytes ||
        bytes > ESTIMATE_DEVICE_BYTES || address % ESTIMATE_DEVICE_ALIGN != 0) {
        error_set(&e, STATUS_USAGE,
                  "found memory at %p, expected a multiple of %d from 0x%llx "
                  "on",
                  at, ESTIMATE_DEVICE_ALIGN,
                  (unsigned long long)ESTIMATE_DEVICE_FIRST);
        return tell(out, &e);
    }
    struct ptx_buffer *b = ptx_memory_add_live(&d->memory, at, bytes, &e);
    if (b == NULL)
        return tell(out, &e);
    return (d->checks.checks & PTX_CHECK_INIT) == 0 ||
           ptx_buffer_watch_written(b) || tell_no_memory(out);
}

bool estimate_device_remove(struct estimate_device *d, const void *at)
{
    return ptx_memory_remove_live(&d->memory, at);
}

_Static_assert(ESTIMATE_READ == PTX_USE_READ &&
                   ESTIMATE_WRITTEN == PTX_USE_WRITTEN,
               "uses of memory");

_Static_assert(ESTIMATE_CHECK_INIT == PTX_CHECK_INIT &&
                   ESTIMATE_CHECK_RACES == PTX_CHECK_RACES,
               "checks");

void estimate_device_check(struct estimate_device *d, unsigned checks,
                           void (*tell_of)(void *user, const char *text),
                           void *user)
{
    d->checks.checks = checks;
    d->checks.tell = tell_of;
    d->checks.user = user;
}

void estimate_device_written(struct estimate_device *d, const void *at,
                             uint64_t bytes)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    struct ptx_buffer *b = ptx_memory_live(&d->memory, address);
    if (b != NULL && b->written != NULL)
        ptx_buffer_set_written(b, address - b->address, bytes);
}

unsigned estimate_device_use(const struct estimate_device *d, const void *at)
{
    const struct ptx_buffer *b =
        ptx_memory_at(&d->memory, (uint64_t)(uintptr_t)at);
    return b != NULL ? b->use : 0;
}

/* ---- textures ------------------------------------------------------------ */

/* False: it is none that there can be. */
static bool read_texture(struct ptx_buffer *b, const struct estimate_texture *t)
{
    struct ptx_texture made = {.dimensions = (uint8_t)t->dimensions};
    char mode[64], *rest;
    uint8_t type;
    snprintf(mode, sizeof(mode), "%s", t->mode);
    if (t->dimensions < 1 || t->dimensions > 3 ||
        !ptx_texture_read_texel(&made, &type, t->texel))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        made.side[i] = i < t->dimensions ? t->side[i] : 1;
        if (made.side[i] == 0 || made.side[i] > PTX_TEXTURE_SIDE_MAX)
            return false;
    }
    for (char *word = strtok_r(mode, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        if (!ptx_texture_read_mode(&made, word))
            return false;
    b->texture = made;
    b->type = type;
    b->texels = (uint64_t)(uintptr_t)t->at;
    b->pitch = t->pitch;
    return true;
}

bool estimate_device_texture(struct estimate_device *d, void *handle,
                             const struct estimate_texture *t,
                             struct estimate_error *out)
{
    struct error e;
    struct ptx_buffer *b =
        ptx_memory_live(&d->memory, (uint64_t)(uintptr_t)handle);
    if (b != NULL && b->live == handle && read_texture(b, t))
        return true;
    error_set(&e, STATUS_USAGE,
              "found a texture of %u dimensions, texels %s and modes '%s', "
              "expected 1 to 3, like u8x4 and like linear",
              t->dimensions, t->texel, t->mode);
    return tell(out, &e);
}

/* ---- modules ------------------------------------------------------------- */

/* Decode for no entry, with the variables at `base`. */
static bool decode(struct estimate_module *m, uint64_t base, struct error *e)
{
    struct ptx_session s;
    if (!ptx_session_prepare_at(&s, &m->module, PTX_NONE, base, e))
        return false;
    ptx_session_close(&m->session);
    m->session = s;
    return true;
}

static bool open_module(struct estimate_module *m, const char *name,
                        struct error *e)
{
    if (!ptx_parse(&m->module, m->text, m->size, name, e))
        return false;
    if (decode(m, ESTIMATE_DEVICE_FIRST, e))
        return true;
    ptx_module_free(&m->module);
    return false;
}

struct estimate_module *estimate_module_load(struct estimate_device *d,
                                             const char *text, size_t size,
                                             const char *name,
                                             struct estimate_error *out)
{
    struct error e;
    struct estimate_module *m = calloc(1, sizeof(*m));
    if (m == NULL || (m->text = malloc(size + 1)) == NULL ||
        !array_room(&d->module, d->modules, 1)) {
        if (m != NULL)
            free(m->text);
        free(m);
        tell_no_memory(out);
        return NULL;
    }
    memcpy(m->text, text, size);
    m->text[size] = '\0';
    m->size = size;
    m->device = d;
    m->number = d->modules;
    if (open_module(m, name, &e)) {
        d->module[d->modules++] = m;
        return m;
    }
    free(m->text);
    free(m);
    tell(out, &e);
    return NULL;
}

const char *estimate_module_text(const struct estimate_module *m, size_t *size)
{
    *size = m->size;
    return m->text;
}

uint64_t estimate_module_bytes(const struct estimate_module *m)
{
    return ptx_session_image_bytes(&m->session);
}

bool estimate_module_place(struct estimate_module *m, void *at,
                           struct estimate_error *out)
{
    struct error e;
    if (!decode(m, (uint64_t)(uintptr_t)at, &e))
        return tell(out, &e);
    m->at = at;
    ptx_session_image(&m->session, m->at);
    return true;
}

void *estimate_module_variable(const struct estimate_module *m,
                               const char *name, uint64_t *bytes)
{
    const struct ptx_program *p = &m->session.program;
    for (size_t i = 0; i < m->module.variables; i++) {
        const struct ptx_variable *v = &m->module.variable[i];
        if (v->function != PTX_NONE || v->name == NULL ||
            (v->space != MOD_GLOBAL && v->space != MOD_CONST) ||
            strcmp(v->name, name) != 0)
            continue;
        *bytes = v->bytes;
        return m->at + (p->address[i] - p->global_first);
    }
    return NULL;
}

/* ---- functions ----------------------------------------------------------- */

static bool may_print(const struct ptx_module *m)
{
    for (size_t i = 0; i < m->functions; i++)
        if (strcmp(m->function[i].name, "vprintf") == 0)
            return true;
    return false;
}

static void describe(struct estimate_function *f)
{
    const struct estimate_module *m = f->module;
    const struct ptx_program *p = &f->session.program;
    const struct ptx_function *entry = ptx_session_entry(&f->session);
    f->info = (struct estimate_function_info){
        .name = entry->name,
        .shared_bytes = p->shared_bytes,
        .max_threads = entry->exact_threads != 0 ? entry->exact_threads
                                                 : entry->max_threads,
        .target = m->module.target,
        .parameters = entry->params,
        .may_print = may_print(&m->module),
    };
    for (size_t i = 0; i < entry->params; i++) {
        uint32_t index = entry->param[i].index;
        f->info.parameter_bytes =
            p->address[index] + m->module.variable[index].bytes;
    }
}

static struct estimate_function *known(const struct estimate_module *m,
                                       const char *name)
{
    for (size_t i = 0; i < m->functions; i++)
        if (strcmp(m->function[i]->info.name, name) == 0)
            return m->function[i];
    return NULL;
}

struct estimate_function *estimate_module_function(struct estimate_module *m,
                                                   const char *name,
                                                   struct estimate_error *out)
{
    struct error e;
    uint32_t entry;
    struct estimate_function *f = known(m, name);
    if (f != NULL)
        return f;
    f = calloc(1, sizeof(*f));
    if (f == NULL || !array_room(&m->function, m->functions, 1)) {
        free(f);
        tell_no_memory(out);
        return NULL;
    }
    f->module = m;
    if (!ptx_find_entry(&m->module, name, &entry, &e) ||
        !ptx_session_prepare_at(&f->session, &m->module, entry, m->session.base,
                                &e)) {
        free(f);
        tell(out, &e);
        return NULL;
    }
    describe(f);
    m->function[m->functions++] = f;
    return f;
}

const struct estimate_function_info *
estimate_function_info(const struct estimate_function *f)
{
    return &f->info;
}

const void *estimate_function_parameters(const struct estimate_function *f)
{
    return f->session.launch.param;
}

uint64_t estimate_function_parameter(const struct estimate_function *f,
                                     size_t i)
{
    const struct ptx_session *s = &f->session;
    const struct ptx_function *entry =
        &s->program.module->function[s->launch.entry];
    return s->program.address[entry->param[i].index];
}

static struct dim3 dim_of(struct estimate_dim d)
{
    return (struct dim3){d.x, d.y, d.z};
}

bool estimate_function_set(struct estimate_function *f,
                           const struct estimate_call *c,
                           struct estimate_error *out)
{
    struct error e;
    const struct ptx_request request = {
        .entry = f->info.name,
        .grid = dim_of(c->grid),
        .block = dim_of(c->block),
        .cluster = dim_of(c->cluster),
        .dynamic_shared_bytes = c->shared_bytes,
        .value = c->value,
        .is_alone = !c->cooperative,
        .from_file = true,
    };
    return ptx_session_launch(&f->session, &request, &e) || tell(out, &e);
}

const struct estimate_executed *
estimate_function_run(struct estimate_function *f, struct estimate_error *out)
{
    struct error e;
    struct ptx_totals t;
    struct estimate_device *d = f->module->device;
    bool checks = d->checks.checks != 0;
    struct ptx_crew *crew = f->info.may_print || checks ? NULL : d->crew;
    f->session.launch.checks = checks ? &d->checks : NULL;
    f->session.launch.check = ptx_check;
    ptx_memory_clear_use(&d->memory);
    f->session.launch.print = stdout;
    bool ok = f->session.launch.workspace != 0
                  ? ptx_launch_run_resident(
                        &f->session.launch,
                        (struct ptx_view){.memory = &d->memory}, &t, &e)
                  : ptx_launch_run_together(&f->session.launch, &d->memory,
                                            crew, &f->together, &t, &e);
    if (!ok) {
        tell(out, &e);
        return NULL;
    }
    f->executed = (struct estimate_executed){.name = f->info.name,
                                             .blocks = t.blocks,
                                             .warp_insts = t.warp_steps,
                                             .thread_insts = t.lane_steps};
    return &f->executed;
}

/* ---- keeping launches ---------------------------------------------------- */

struct estimate_snapshot {
    struct ptx_snapshot *held;
};

struct estimate_snapshot *estimate_snapshot_take(struct estimate_device *d,
                                                 struct estimate_error *out)
{
    struct error e;
    struct estimate_snapshot *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    s->held = ptx_snapshot_take(&d->memory, &e);
    if (s->held != NULL)
        return s;
    free(s);
    tell(out, &e);
    return NULL;
}

void estimate_snapshot_free(struct estimate_snapshot *s)
{
    if (s != NULL)
        ptx_snapshot_free(s->held);
    free(s);
}

static bool write_text(const struct estimate_module *m, const char *folder,
                       const char *file, struct error *e)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    FILE *f = fopen(path, "wbx");
    if (f == NULL && errno == EEXIST)
        return true;
    if (f == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    bool ok = fwrite(m->text, 1, m->size, f) == m->size;
    if (fclose(f) == 0 && ok)
        return true;
    return error_set(e, STATUS_FAILED, "%s: write failed", path);
}

bool estimate_snapshot_write(const struct estimate_snapshot *s,
                             const struct estimate_function *f,
                             const char *folder, const char *name,
                             struct estimate_error *out)
{
    struct error e;
    char file[64];
    snprintf(file, sizeof(file), "module-%zu.ptx", f->module->number);
    const struct ptx_record r = {.folder = folder, .name = name, .ptx = file};
    return (write_text(f->module, folder, file, &e) &&
            ptx_snapshot_write(s->held, &f->session, &r, &e)) ||
           tell(out, &e);
}
