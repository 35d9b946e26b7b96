/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch_file.h"

#include "base/ending.h"
#include "kernels/file/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MAX       65536
#define REPEAT_DEPTH       16
#define CLUSTER_BLOCKS_MAX 16
#define BLOCK_THREADS_MAX  1024
#define GRID_BLOCKS_MAX    ((int64_t)1 << 40)
#define SIDE_MAX           INT32_MAX /* CUDA's limit for x */
#define REGISTERS_MAX      255
#define SHARED_BYTES_MAX   (256 << 10)
#define NUMBER_CHARS       40
#define KEYS(k)            k, sizeof(k) / sizeof((k)[0])

#define NAME_CHARACTERS                                                        \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct reader {
    struct config_file file;
    struct launch_file *out;
};

/* ---- names -------------------------------------------------------------- */

/* `path`, when relative, as seen from the folder of the launch file. */
static char *path_beside(const struct reader *r, const char *path)
{
    const char *own = r->out->path, *slash = strrchr(own, '/');
    int folder = slash == NULL || path[0] == '/' ? 0 : (int)(slash - own) + 1;
    size_t size = (size_t)folder + strlen(path) + 1;
    char *joined = malloc(size);
    if (joined == NULL)
        error_no_memory(r->file.e);
    else
        snprintf(joined, size, "%.*s%s", folder, own, path);
    return joined;
}

/* The part of the path between the last slash and the last dot. */
static bool name_from_path(const struct reader *r)
{
    const char *slash = strrchr(r->out->path, '/');
    if (!copy_string(&r->file, slash != NULL ? slash + 1 : r->out->path,
                     &r->out->name))
        return false;
    char *dot = strrchr(r->out->name, '.');
    if (dot != NULL && dot != r->out->name)
        *dot = '\0';
    return true;
}

static bool read_names(const struct reader *r)
{
    const struct config_file *f = &r->file;
    const config_setting_t *root = config_root_setting(&f->config);
    const config_setting_t *name = config_setting_get_member(root, "name");
    const config_setting_t *source = config_setting_get_member(root, "source");
    if (!name_from_path(r) || !copy_string(f, "", &r->out->summary) ||
        !read_string(f, "name", &r->out->name) ||
        !read_string(f, "summary", &r->out->summary))
        return false;
    const char *own = r->out->name;
    if (name != NULL &&
        (own[0] == '\0' || own[strspn(own, NAME_CHARACTERS ".-+")] != '\0'))
        return fail_setting(f, name, "letters, digits and _ . - + in it");
    return source == NULL ||
           config_setting_type(source) == CONFIG_TYPE_STRING ||
           fail_setting(f, source, "a string");
}

static bool read_module(const struct reader *r)
{
    const config_setting_t *s =
        config_setting_get_member(config_root_setting(&r->file.config), "ptx");
    if (s == NULL)
        return fail_at_line(&r->file, 1, "found no key 'ptx', expected one");
    const char *path = config_setting_get_string(s);
    if (path == NULL || path[0] == '\0')
        return fail_setting(&r->file, s, "the path of a PTX file in quotes");
    if (ends_with(path, ".cu"))
        return fail_at_line(&r->file, config_setting_source_line(s),
                            "found a CUDA source, expected the PTX that nvcc "
                            "-ptx -lineinfo makes of it");
    r->out->module = path_beside(r, path);
    return r->out->module != NULL;
}

/* ---- buffers ------------------------------------------------------------ */

/* The spec with its path, in which `file` ("file:PATH", NULL or another text)
 * ends it, as path_beside() has it. */
static char *spec_beside(const struct reader *r, const char *spec,
                         const char *file)
{
    char *joined = NULL;
    if (file == NULL || strncmp(file, "file:", 5) != 0) {
        copy_string(&r->file, spec, &joined);
        return joined;
    }
    int before = (int)(file - spec) + 5;
    char *path = path_beside(r, spec + before);
    size_t size = path != NULL ? (size_t)before + strlen(path) + 1 : 0;
    joined = path != NULL ? malloc(size) : NULL;
    if (joined == NULL)
        error_no_memory(r->file.e);
    else
        snprintf(joined, size, "%.*s%s", before, spec, path);
    free(path);
    return joined;
}

static bool read_buffer(const struct reader *r, const config_setting_t *s)
{
    struct launch_buffer *b = &r->out->buffer[r->out->buffers++];
    const char *name = config_setting_name(s);
    const char *spec = config_setting_get_string(s);
    b->line = config_setting_source_line(s);
    if (name[strspn(name, NAME_CHARACTERS)] != '\0')
        return fail_setting(&r->file, s, "letters, digits and _ in its name");
    if (spec == NULL ||
        (strncmp(spec, "buf:", 4) != 0 && strncmp(spec, "tex:", 4) != 0))
        return fail_setting(&r->file, s,
                            "\"buf:COUNT:TYPE[:FILL]\" or "
                            "\"tex:WIDTHxHEIGHT:TEXEL[:MODE][:FILL]\"");
    const char *file = strstr(spec, ":file:");
    b->spec = spec_beside(r, spec, file != NULL ? file + 1 : NULL);
    return b->spec != NULL && copy_string(&r->file, name, &b->name);
}

static bool read_buffers(const struct reader *r)
{
    const config_setting_t *all = config_setting_get_member(
        config_root_setting(&r->file.config), "buffers");
    if (all == NULL)
        return true;
    if (!config_setting_is_group(all))
        return fail_setting(&r->file, all, "a group of buffers");
    int count = config_setting_length(all);
    r->out->buffer = calloc((size_t)count + 1, sizeof(*r->out->buffer));
    if (r->out->buffer == NULL)
        return error_no_memory(r->file.e);
    for (int i = 0; i < count; i++)
        if (!read_buffer(r, config_setting_get_elem(all, (unsigned)i)))
            return false;
    return true;
}

/* ---- variables of the module -------------------------------------------- */

static bool read_symbol(const struct reader *r, const config_setting_t *s)
{
    struct launch_symbol *y = &r->out->symbol[r->out->symbols++];
    const char *spec = config_setting_get_string(s);
    y->line = config_setting_source_line(s);
    if (spec == NULL)
        return fail_setting(&r->file, s, "\"NAME=SPEC\"");
    y->spec = spec_beside(r, spec, strstr(spec, "file:"));
    return y->spec != NULL;
}

static bool read_symbols(const struct reader *r)
{
    const config_setting_t *all = config_setting_get_member(
        config_root_setting(&r->file.config), "symbols");
    if (all == NULL)
        return true;
    if (!config_setting_is_list(all) && !config_setting_is_array(all))
        return fail_setting(&r->file, all, "a list of \"NAME=SPEC\"");
    int count = config_setting_length(all);
    r->out->symbol = calloc((size_t)count + 1, sizeof(*r->out->symbol));
    if (r->out->symbol == NULL)
        return error_no_memory(r->file.e);
    for (int i = 0; i < count; i++)
        if (!read_symbol(r, config_setting_get_elem(all, (unsigned)i)))
            return false;
    return true;
}

/* ---- arguments ---------------------------------------------------------- */

static const char *buffer_name(const void *table, size_t i)
{
    return ((const struct launch_buffer *)table)[i].name;
}

static bool find_buffer(const struct reader *r, const config_setting_t *s,
                        const char *name, size_t *out)
{
    const struct launch_file *l = r->out;
    for (*out = 0; *out < l->buffers; ++*out)
        if (strcmp(l->buffer[*out].name, name) == 0)
            return true;
    char suggestion[2 * WORD_SHOWN], message[200];
    struct word w = {name, (int)strlen(name)};
    word_suggestion(suggestion, sizeof(suggestion), &w, l->buffer, l->buffers,
                    buffer_name);
    snprintf(message, sizeof(message),
             "found '%.*s', expected a buffer's name, TYPE:NUMBER, "
             "@NAME+OFFSET or bytes:HEX%s",
             word_shown(&w), name, suggestion);
    return fail_at_line(&r->file, config_setting_source_line(s), message);
}

static bool read_argument(const struct reader *r, const config_setting_t *s,
                          struct launch_argument *a)
{
    char number[NUMBER_CHARS];
    const char *value = number;
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(number, sizeof(number), "%lld", config_setting_get_int64(s));
        break;
    case CONFIG_TYPE_FLOAT:
        snprintf(number, sizeof(number), "%.17g", config_setting_get_float(s));
        break;
    case CONFIG_TYPE_STRING:
        value = config_setting_get_string(s);
        if (strchr(value, ':') == NULL && value[0] != '@')
            return find_buffer(r, s, value, &a->buffer);
        a->value = spec_beside(
            r, value, strncmp(value, "bytes:", 6) == 0 ? value + 6 : NULL);
        return a->value != NULL;
    default:
        return fail_setting(&r->file, s, "a number or a string");
    }
    return copy_string(&r->file, value, &a->value);
}

static bool read_arguments(const struct reader *r,
                           const config_setting_t *launch,
                           struct file_launch *l)
{
    const config_setting_t *all = config_setting_get_member(launch, "args");
    if (all == NULL)
        return true;
    if (!config_setting_is_list(all) && !config_setting_is_array(all))
        return fail_setting(&r->file, all, "a list in round brackets");
    int count = config_setting_length(all);
    l->argument = calloc((size_t)count + 1, sizeof(*l->argument));
    if (l->argument == NULL)
        return error_no_memory(r->file.e);
    for (int i = 0; i < count; i++)
        if (!read_argument(r, config_setting_get_elem(all, (unsigned)i),
                           &l->argument[l->arguments++]))
            return false;
    return true;
}

/* ---- a launch ----------------------------------------------------------- */

static bool read_side(const struct config_file *f, const config_setting_t *s,
                      void *user, int64_t *out)
{
    (void)user;
    return read_number(f, s, 1, SIDE_MAX, out);
}

/* Grid or block, of at most `limit` in all. */
static bool read_size(const struct reader *r, const config_setting_t *launch,
                      const char *key, int64_t limit, struct dim3 *out)
{
    const config_setting_t *s = config_setting_get_member(launch, key);
    char expected[100];
    snprintf(expected, sizeof(expected), "a key '%s' in it", key);
    if (s == NULL)
        return fail_setting(&r->file, launch, expected);
    if (!read_dimensions(&r->file, s, read_side, NULL, out))
        return false;
    snprintf(expected, sizeof(expected), "at most %lld in all",
             (long long)limit);
    return limit / out->x / out->y / out->z > 0 ||
           fail_setting(&r->file, s, expected);
}

static bool read_cluster(const struct reader *r, const config_setting_t *launch,
                         struct dim3 *out)
{
    return config_setting_get_member(launch, "cluster") == NULL ||
           read_size(r, launch, "cluster", CLUSTER_BLOCKS_MAX, out);
}

static bool read_entry(const struct reader *r, const config_setting_t *launch,
                       struct file_launch *l)
{
    const config_setting_t *s = config_setting_get_member(launch, "entry");
    if (s == NULL)
        return fail_setting(&r->file, launch, "a key 'entry' in it");
    const char *name = config_setting_get_string(s);
    if (name == NULL || name[0] == '\0')
        return fail_setting(&r->file, s, "the name of an entry in quotes");
    return copy_string(&r->file, name, &l->entry);
}

/* A new launch at the end, NULL with the error set when there is no memory. */
static struct file_launch *add_launch(const struct reader *r)
{
    struct launch_file *out = r->out;
    bool full = (out->launches & (out->launches - 1)) == 0;
    struct file_launch *grown = out->launch;
    if (full)
        grown = realloc(grown, (2 * out->launches + 1) * sizeof(*grown));
    if (grown == NULL) {
        error_no_memory(r->file.e);
        return NULL;
    }
    out->launch = grown;
    grown[out->launches] = (struct file_launch){0};
    return &grown[out->launches++];
}

static bool read_launch(const struct reader *r, const config_setting_t *s)
{
    static const char *const keys[] = {"entry",  "grid", "block", "cluster",
                                       "shared", "regs", "args"};
    const struct config_file *f = &r->file;
    struct file_launch *l = add_launch(r);
    if (l == NULL)
        return false;
    l->line = config_setting_source_line(s);
    return check_keys(f, s, KEYS(keys)) && read_entry(r, s, l) &&
           read_size(r, s, "grid", GRID_BLOCKS_MAX, &l->grid) &&
           read_size(r, s, "block", BLOCK_THREADS_MAX, &l->block) &&
           read_cluster(r, s, &l->cluster) &&
           read_optional(f, s, "shared", 0, SHARED_BYTES_MAX,
                         &l->shared_bytes) &&
           read_optional(f, s, "regs", 1, REGISTERS_MAX, &l->regs_per_thread) &&
           read_arguments(r, s, l);
}

/* ---- sequences ---------------------------------------------------------- */

/* Make room for `count` more turns, which the caller fills in. */
static bool add_turns(const struct reader *r, const config_setting_t *s,
                      size_t count)
{
    struct launch_file *out = r->out;
    if (count > LAUNCHES_MAX - out->turns)
        return fail_setting(&r->file, s, "at most 65536 launches in all");
    size_t *grown = realloc(out->order, (out->turns + count) * sizeof(*grown));
    if (grown == NULL)
        return error_no_memory(r->file.e);
    out->order = grown;
    out->turns += count;
    return true;
}

static bool read_sequence(const struct reader *r, const config_setting_t *list,
                          int depth);

static bool read_repeat(const struct reader *r, const config_setting_t *s,
                        int depth)
{
    static const char *const keys[] = {"repeat", "launches"};
    const config_setting_t *body = config_setting_get_member(s, "launches");
    int64_t times;
    size_t first = r->out->turns;
    if (!check_keys(&r->file, s, KEYS(keys)) ||
        !read_number(&r->file, config_setting_get_member(s, "repeat"), 0,
                     LAUNCHES_MAX, &times))
        return false;
    if (body == NULL)
        return fail_setting(&r->file, s, "a key 'launches' in it");
    if (!read_sequence(r, body, depth + 1))
        return false;
    size_t once = r->out->turns - first;
    if (times == 0)
        r->out->turns = first;
    if (times < 2 || once == 0)
        return true;
    if (!add_turns(r, s, ((size_t)times - 1) * once))
        return false;
    size_t *order = r->out->order;
    for (size_t i = first + once; i < r->out->turns; i++)
        order[i] = order[i - once];
    return true;
}

static bool read_element(const struct reader *r, const config_setting_t *s,
                         int depth)
{
    if (!config_setting_is_group(s))
        return fail_setting(&r->file, s, "a group that is a launch or repeat");
    if (config_setting_get_member(s, "repeat") != NULL)
        return read_repeat(r, s, depth);
    if (!read_launch(r, s) || !add_turns(r, s, 1))
        return false;
    r->out->order[r->out->turns - 1] = r->out->launches - 1;
    return true;
}

static bool read_sequence(const struct reader *r, const config_setting_t *list,
                          int depth)
{
    if (!config_setting_is_list(list))
        return fail_setting(&r->file, list, "a list in round brackets");
    if (depth > REPEAT_DEPTH)
        return fail_setting(&r->file, list, "repeats nested at most 16 deep");
    for (int i = 0; i < config_setting_length(list); i++)
        if (!read_element(r, config_setting_get_elem(list, (unsigned)i), depth))
            return false;
    return true;
}

static bool read_launches(const struct reader *r)
{
    const config_setting_t *s = config_setting_get_member(
        config_root_setting(&r->file.config), "launches");
    if (s == NULL)
        return fail_at_line(&r->file, 1,
                            "found no list 'launches', expected one");
    if (!read_sequence(r, s, 0))
        return false;
    return r->out->turns > 0 ||
           fail_setting(&r->file, s, "at least one launch in it");
}

/* ---- the whole ---------------------------------------------------------- */

static bool read_all(const struct reader *r)
{
    static const char *const keys[] = {"name",    "summary", "source",  "ptx",
                                       "buffers", "symbols", "launches"};
    const config_setting_t *root = config_root_setting(&r->file.config);
    return check_keys(&r->file, root, KEYS(keys)) && read_names(r) &&
           read_module(r) && read_buffers(r) && read_symbols(r) &&
           read_launches(r);
}

bool launch_file_parse(struct launch_file *out, const char *text, size_t size,
                       const char *path, struct error *e)
{
    struct reader r = {.out = out};
    *out = (struct launch_file){0};
    bool ok = config_file_open(&r.file, text, size, path, e) &&
              copy_string(&r.file, path, &out->path) && read_all(&r);
    config_file_close(&r.file);
    if (!ok)
        launch_file_free(out);
    return ok;
}

void launch_file_free(struct launch_file *file)
{
    for (size_t i = 0; i < file->buffers; i++) {
        free(file->buffer[i].name);
        free(file->buffer[i].spec);
    }
    for (size_t i = 0; i < file->symbols; i++)
        free(file->symbol[i].spec);
    for (size_t i = 0; i < file->launches; i++) {
        free(file->launch[i].entry);
        for (size_t a = 0; a < file->launch[i].arguments; a++)
            free(file->launch[i].argument[a].value);
        free(file->launch[i].argument);
    }
    free(file->buffer);
    free(file->symbol);
    free(file->launch);
    free(file->order);
    free(file->path);
    free(file->name);
    free(file->summary);
    free(file->module);
    *file = (struct launch_file){0};
}
