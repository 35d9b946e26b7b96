/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/kernel_file.h"

#include "base/bundled.h"
#include "base/hash.h"
#include "kernels/file/application.h"
#include "kernels/file/config_file.h"
#include "kernels/file/file_buffers.h"
#include "kernels/file/launch_group.h"
#include "kernels/file/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)16 << 20)

struct reader {
    struct config_file *file;
    const struct load_options *options;
    size_t text_size;
    char *name, *summary; /* of the file */
    struct file_buffers buffers;
    struct kernel_list *out;

    /* the kernel being read */
    config_setting_t *group; /* the file's root, or one in `kernels` */
    struct kernel *kernel;
    const struct word *program; /* NULL: it has none */
};

/* ---- names -------------------------------------------------------------- */

/* The part of a path between the last slash and the last dot. */
static bool name_from_path(struct reader *r)
{
    const char *slash = strrchr(r->file->source.path, '/');
    const char *base = slash != NULL ? slash + 1 : r->file->source.path;
    if (!copy_string(r->file, base, &r->name))
        return false;
    char *dot = strrchr(r->name, '.');
    if (dot != NULL && dot != r->name)
        *dot = '\0';
    return true;
}

static bool read_names(struct reader *r)
{
    const config_setting_t *root = config_root_setting(&r->file->config);
    if (!copy_string(r->file, "", &r->summary) || !name_from_path(r) ||
        !read_string(r->file, "name", &r->name) ||
        !read_string(r->file, "summary", &r->summary))
        return false;
    const config_setting_t *source = config_setting_get_member(root, "source");
    if (source != NULL && config_setting_type(source) != CONFIG_TYPE_STRING)
        return fail_setting(r->file, source, "a string");
    const config_setting_t *name = config_setting_get_member(root, "name");
    bool plain = r->name[0] != '\0' &&
                 r->name[strspn(r->name, "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_.-+")] == '\0';
    return plain || name == NULL ||
           fail_setting(r->file, name, "letters, digits and _ . - + in it");
}

/* A launch of an application is called after it and its kernel. */
static bool name_kernel(const struct reader *r)
{
    struct kernel *k = r->kernel;
    bool whole = config_setting_is_root(r->group);
    const char *own = whole ? "" : config_setting_name(r->group);
    size_t size = strlen(r->name) + strlen(own) + 2;
    k->name = malloc(size);
    if (k->name == NULL)
        return error_no_memory(r->file->e);
    snprintf(k->name, size, "%s%s%s", r->name, whole ? "" : ".", own);
    return copy_string(r->file, r->file->source.path, &k->path) &&
           copy_string(r->file, r->summary, &k->summary);
}

/* ---- program, hash ------------------------------------------------------ */

/* Whether addresses are made of the sides of the grid, not of the number of the
 * block and those sides that the file was written for. */
static bool uses_sides(const struct program *p)
{
    for (size_t i = 0; i < p->pool.count; i++)
        if (p->pool.code[i].op >= EXPR_BX && p->pool.code[i].op <= EXPR_BZ)
            return true;
    return false;
}

static bool read_program(const struct reader *r, struct program *p,
                         const struct named_value *named, size_t named_count)
{
    const struct config_file *f = r->file;
    const config_setting_t *s = config_setting_get_member(r->group, "program");
    if (s == NULL || config_setting_type(s) != CONFIG_TYPE_STRING)
        return fail_at_line(f, kernel_group_line(r->group),
                            "found no string 'program', expected one");
    if (r->program == NULL ||
        !word_is(r->program, config_setting_get_string(s)))
        return fail_setting(f, s, "one plain string without backslashes");
    struct cursor c = {&f->source, r->program->at,
                       r->program->at + r->program->length, f->e};
    struct scope scope = {
        .kernel = r->kernel, .named = named, .named_count = named_count};
    if (!program_assemble(p, r->kernel, &scope, &c))
        return false;
    if (uses_sides(p))
        r->kernel->row = r->kernel->grid.x;
    return !p->uses_local || p->local_bytes > 0 ||
           fail_setting(f, s,
                        "a key 'local_bytes' in 'launch', because it uses "
                        "local memory");
}

static uint64_t hash_kernel(const struct reader *r)
{
    const struct kernel *k = r->kernel;
    const uint64_t launch[] = {
        k->grid.x,          k->grid.y,       k->grid.z,
        k->block.x,         k->block.y,      k->block.z,
        k->regs_per_thread, k->shared_bytes, r->options->seed};
    uint64_t hash = hash_bytes(HASH_START, r->file->source.text, r->text_size);
    return hash_bytes(hash, launch, sizeof(launch));
}

/* What the launches of one kernel may differ in beside grid and block: the
 * values that its expressions came to. */
static uint64_t hash_values(uint64_t hash, const struct kernel *k)
{
    const struct program *p = k->source;
    hash = hash_bytes(hash, k->name, strlen(k->name));
    for (size_t i = 0; i < p->pool.count; i++)
        hash = hash_bytes(hash, &p->pool.code[i].integer, sizeof(int64_t));
    return hash;
}

/* ---- kernels ------------------------------------------------------------ */

static struct kernel *new_kernel(const struct reader *r)
{
    struct kernel *k = calloc(1, sizeof(*k));
    struct program *p = calloc(1, sizeof(*p));
    if (k == NULL || p == NULL) {
        free(k);
        free(p);
        error_no_memory(r->file->e);
        return NULL;
    }
    p->seed = r->options->seed;
    k->source = p;
    k->ops = &program_source_ops;
    return k;
}

/* Append r->kernel, which is the list's from here on. */
static bool append_kernel(struct reader *r)
{
    struct kernel_list *l = r->out;
    struct kernel **grown = l->kernel;
    bool full = (l->count & (l->count - 1)) == 0; /* 0 or a power of two */
    if (full)
        grown = realloc(l->kernel, (2 * l->count + 1) * sizeof(*grown));
    if (grown == NULL) {
        kernel_free(r->kernel);
        return error_no_memory(r->file->e);
    }
    l->kernel = grown;
    l->kernel[l->count++] = r->kernel;
    return true;
}

static bool read_kernel(struct reader *r, const struct named_value *named,
                        size_t named_count, const struct launch *changes)
{
    r->kernel = new_kernel(r);
    if (r->kernel == NULL || !append_kernel(r))
        return false;
    struct program *p = r->kernel->source;
    const struct launch_group launch = {r->file, r->group, changes,
                                        &r->options->launch};
    return name_kernel(r) &&
           file_buffers_copy(&r->buffers, r->kernel, r->file->e) &&
           launch_group_read(&launch, r->kernel, &p->local_bytes) &&
           read_program(r, p, named, named_count);
}

/* The text of r->group's program; NULL when it has none. */
static const struct word *program_text(const struct reader *r)
{
    const struct program_texts *p = &r->file->programs;
    size_t n = 0; /* programs before it */
    if (!config_setting_is_root(r->group)) {
        const config_setting_t *all = config_setting_parent(r->group);
        for (int i = 0; i < config_setting_index(r->group); i++) {
            config_setting_t *k = config_setting_get_elem(all, (unsigned)i);
            n += config_setting_is_group(k) &&
                 config_setting_get_member(k, "program") != NULL;
        }
    }
    return n < p->count ? &p->text[n] : NULL;
}

static bool read_only_kernel(struct reader *r)
{
    static const char *const keys[] = {"name",   "summary", "source",
                                       "launch", "buffers", "constants",
                                       "program"};
    r->group = config_root_setting(&r->file->config);
    r->program = program_text(r);
    if (!check_keys(r->file, r->group, keys, sizeof(keys) / sizeof(keys[0])) ||
        !read_names(r) || !file_buffers_read(&r->buffers, r->file) ||
        !read_kernel(r, r->buffers.named, r->buffers.named_count, NULL))
        return false;
    r->kernel->hash = hash_kernel(r);
    return true;
}

/* ---- applications ------------------------------------------------------- */

static bool read_application_launch(void *user,
                                    const struct application_launch *l)
{
    static const char *const keys[] = {"launch", "program"};
    struct reader *r = user;
    r->group = (config_setting_t *)l->kernel;
    r->program = program_text(r);
    if (!config_setting_is_group(r->group))
        return fail_setting(r->file, r->group, "a group of launch and program");
    if (!check_keys(r->file, r->group, keys, sizeof(keys) / sizeof(keys[0])) ||
        !read_kernel(r, l->named, l->named_count, &l->changes))
        return false;
    r->kernel->hash = hash_values(hash_kernel(r), r->kernel);
    return true;
}

static bool read_application(struct reader *r)
{
    static const char *const keys[] = {"name",       "summary",   "source",
                                       "buffers",    "constants", "kernels",
                                       "application"};
    const struct launch *o = &r->options->launch;
    if (o->grid.x != 0 || o->block.x != 0)
        return error_set(r->file->e, STATUS_USAGE,
                         "%s: found a grid or block for a whole application, "
                         "expected them in its launches only",
                         r->file->source.path);
    if (!check_keys(r->file, config_root_setting(&r->file->config), keys,
                    sizeof(keys) / sizeof(keys[0])) ||
        !read_names(r) || !file_buffers_read(&r->buffers, r->file))
        return false;
    return copy_string(r->file, r->name, &r->out->application) &&
           application_read(r->file, r->buffers.named, r->buffers.named_count,
                            read_application_launch, r);
}

/* ---- the whole ---------------------------------------------------------- */

bool kernel_file_load(struct kernel_list *out, const char *text, size_t size,
                      const char *path, const struct load_options *options,
                      struct error *e)
{
    struct load_options none = {0};
    struct config_file file;
    struct reader r = {.file = &file,
                       .options = options != NULL ? options : &none,
                       .text_size = size,
                       .out = out};
    *out = (struct kernel_list){0};
    bool ok = config_file_open(&file, text, size, path, e);
    if (ok)
        ok =
            application_is(&file) ? read_application(&r) : read_only_kernel(&r);
    config_file_close(&file);
    free(r.name);
    free(r.summary);
    file_buffers_free(&r.buffers);
    if (!ok)
        kernel_list_free(out);
    return ok;
}

struct kernel *kernel_file_parse(const char *text, size_t size,
                                 const char *path,
                                 const struct load_options *options,
                                 struct error *e)
{
    struct kernel_list list;
    if (!kernel_file_load(&list, text, size, path, options, e))
        return NULL;
    struct kernel *k = list.kernel[0];
    if (list.application != NULL) {
        error_set(e, STATUS_BAD_INPUT,
                  "%s: found an application, expected a kernel", path);
        kernel_list_free(&list);
        return NULL;
    }
    free(list.kernel);
    return k;
}

static char *read_file(const char *path, size_t *size, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = malloc(FILE_BYTES_MAX + 1);
    *size = text != NULL ? fread(text, 1, FILE_BYTES_MAX + 1, f) : 0;
    bool failed = ferror(f) != 0;
    fclose(f);
    if (text == NULL)
        error_no_memory(e);
    else if (failed)
        error_set(e, STATUS_BAD_INPUT, "%s: cannot be read", path);
    else if (*size > FILE_BYTES_MAX)
        error_set(e, STATUS_BAD_INPUT,
                  "%s: found more than 16 MiB, expected a kernel file", path);
    else {
        text[*size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static const struct bundled_file *find_bundled(const char *name)
{
    for (size_t i = 0; i < bundled_kernel_count; i++)
        if (strcmp(bundled_kernels[i].name, name) == 0)
            return &bundled_kernels[i];
    return NULL;
}

bool kernel_file_is_bundled(const char *name)
{
    return find_bundled(name) != NULL;
}

bool kernel_file_read(struct kernel_list *out, const char *path,
                      const struct load_options *options, struct error *e)
{
    const struct bundled_file *b = find_bundled(path);
    if (b != NULL)
        return kernel_file_load(out, b->text, b->size, b->path, options, e);
    size_t size;
    char *text = read_file(path, &size, e);
    if (text == NULL)
        return false;
    bool ok = kernel_file_load(out, text, size, path, options, e);
    free(text);
    return ok;
}
