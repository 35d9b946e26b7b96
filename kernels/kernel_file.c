/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/kernel_file.h"

#include "kernels/config_text.h"
#include "kernels/program.h"

#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX    ((size_t)16 << 20)
#define BLOCK_THREADS_MAX 1024
#define GRID_BLOCKS_MAX   ((int64_t)1 << 40)
#define GRID_SIDE_MAX     INT32_MAX /* CUDA's limit for x */
#define REGISTERS_MAX     255
#define SHARED_BYTES_MAX  (256 << 10)
#define LOCAL_BYTES_MAX   (512 << 10) /* CUDA's limit for a thread */
#define BUFFER_ALIGNMENT  256

struct reader {
    struct source_text source;
    struct error *e;
    config_t config;
    struct word program; /* in the text */
    struct kernel *kernel;
    struct named_address *buffer;
    size_t buffer_count;
};

/* ---- settings ----------------------------------------------------------- */

static bool fail_at_line(const struct reader *r, unsigned line,
                         const char *message)
{
    return error_set(r->e, STATUS_BAD_INPUT, "%s:%u: %s", r->source.path, line,
                     message);
}

static bool fail_setting(const struct reader *r, const config_setting_t *s,
                         const char *expected)
{
    char message[200];
    const char *name = config_setting_name(s);
    snprintf(message, sizeof(message), "found '%s', expected %s",
             name != NULL ? name : "a value", expected);
    return fail_at_line(r, config_setting_source_line(s), message);
}

static const char *key_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

/* Every member of `group` must be one of the `count` keys. */
static bool check_keys(const struct reader *r, const config_setting_t *group,
                       const char *const *keys, size_t count)
{
    for (int m = 0; m < config_setting_length(group); m++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)m);
        const char *name = config_setting_name(s);
        size_t k = 0;
        while (k < count && strcmp(name, keys[k]) != 0)
            k++;
        if (k < count)
            continue;
        char suggestion[2 * WORD_SHOWN], message[200];
        struct word w = {name, (int)strlen(name)};
        word_suggestion(suggestion, sizeof(suggestion), &w, keys, count,
                        key_name);
        snprintf(message, sizeof(message),
                 "found unknown key '%.*s', expected a known one%s",
                 word_shown(&w), name, suggestion);
        return fail_at_line(r, config_setting_source_line(s), message);
    }
    return true;
}

static bool read_number(const struct reader *r, const config_setting_t *s,
                        int64_t low, int64_t high, int64_t *out)
{
    int type = config_setting_type(s);
    int64_t value = config_setting_get_int64(s);
    if (type == CONFIG_TYPE_INT)
        value = config_setting_get_int(s);
    if ((type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) &&
        value >= low && value <= high) {
        *out = value;
        return true;
    }
    char expected[100];
    snprintf(expected, sizeof(expected), "a whole number from %lld to %lld",
             (long long)low, (long long)high);
    return fail_setting(r, s, expected);
}

/* A whole number of 32 bits that may be left out; *out keeps its value then. */
static bool read_optional(const struct reader *r, const config_setting_t *group,
                          const char *key, int64_t low, int64_t high,
                          uint32_t *out)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    int64_t value = *out;
    if (s != NULL && !read_number(r, s, low, high, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool copy_string(const struct reader *r, const char *from, char **out)
{
    free(*out);
    *out = strdup(from);
    return *out != NULL || error_set(r->e, STATUS_FAILED, "out of memory");
}

static bool read_string(const struct reader *r, const char *key, char **out)
{
    const config_setting_t *s =
        config_setting_get_member(config_root_setting(&r->config), key);
    if (s == NULL)
        return true;
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return fail_setting(r, s, "a string");
    return copy_string(r, config_setting_get_string(s), out);
}

/* ---- launch ------------------------------------------------------------- */

/* One to three numbers, or one alone. */
static bool read_dimensions(const struct reader *r, config_setting_t *launch,
                            const char *key, struct dim3 *out)
{
    const config_setting_t *s = config_setting_get_member(launch, key);
    uint32_t *const side[] = {&out->x, &out->y, &out->z};
    int64_t value;
    *out = (struct dim3){1, 1, 1};
    if (s == NULL) {
        char expected[100];
        snprintf(expected, sizeof(expected), "a key '%s' in it", key);
        return fail_setting(r, launch, expected);
    }
    bool scalar = !config_setting_is_array(s) && !config_setting_is_list(s);
    int count = scalar ? 1 : config_setting_length(s);
    if (count < 1 || count > 3)
        return fail_setting(r, s, "one to three numbers");
    for (int n = 0; n < count; n++) {
        const config_setting_t *element =
            scalar ? s : config_setting_get_elem(s, (unsigned)n);
        if (!read_number(r, element, 1, GRID_SIDE_MAX, &value))
            return false;
        *side[n] = (uint32_t)value;
    }
    return true;
}

static void override_launch(struct kernel *k, const struct launch_options *o)
{
    if (o->grid.x != 0)
        k->grid = o->grid;
    if (o->block.x != 0)
        k->block = o->block;
    if (o->regs_per_thread != 0)
        k->regs_per_thread = o->regs_per_thread;
    if (o->shared_given)
        k->shared_bytes = o->shared_bytes;
    struct dim3 *const dims[] = {&k->grid, &k->block};
    for (int d = 0; d < 2; d++) {
        dims[d]->y = dims[d]->y != 0 ? dims[d]->y : 1;
        dims[d]->z = dims[d]->z != 0 ? dims[d]->z : 1;
    }
}

/* Product of the sides, or -1 when it is above `limit`. */
static int64_t product(const struct dim3 *d, int64_t limit)
{
    if (d->x > limit || d->y > limit / d->x)
        return -1;
    int64_t n = (int64_t)d->x * d->y;
    return d->z > limit / n ? -1 : n * d->z;
}

static bool check_launch(const struct reader *r)
{
    struct kernel *k = r->kernel;
    int64_t threads = product(&k->block, BLOCK_THREADS_MAX);
    int64_t blocks = product(&k->grid, GRID_BLOCKS_MAX);
    if (threads < 1)
        return error_set(r->e, STATUS_BAD_INPUT,
                         "%s: found a block of %u x %u x %u threads, expected "
                         "at most %d",
                         r->source.path, k->block.x, k->block.y, k->block.z,
                         BLOCK_THREADS_MAX);
    if (blocks < 1)
        return error_set(r->e, STATUS_BAD_INPUT,
                         "%s: found a grid of %u x %u x %u blocks, expected "
                         "at most 2^40",
                         r->source.path, k->grid.x, k->grid.y, k->grid.z);
    if (k->regs_per_thread > REGISTERS_MAX)
        return error_set(r->e, STATUS_BAD_INPUT,
                         "%s: found %u registers a thread, expected at most %d",
                         r->source.path, k->regs_per_thread, REGISTERS_MAX);
    if (k->shared_bytes > SHARED_BYTES_MAX)
        return error_set(
            r->e, STATUS_BAD_INPUT,
            "%s: found %u bytes of shared memory a block, expected "
            "at most %d",
            r->source.path, k->shared_bytes, SHARED_BYTES_MAX);
    k->blocks = (uint64_t)blocks;
    k->threads_per_block = (uint32_t)threads;
    k->warps_per_block = (uint32_t)(threads + WARP_LANES - 1) / WARP_LANES;
    return true;
}

static bool read_launch(const struct reader *r, const struct launch_options *o,
                        uint32_t *local_bytes)
{
    static const char *const keys[] = {"grid", "block", "registers",
                                       "shared_bytes", "local_bytes"};
    struct kernel *k = r->kernel;
    config_setting_t *launch =
        config_setting_get_member(config_root_setting(&r->config), "launch");
    if (launch == NULL || !config_setting_is_group(launch))
        return fail_at_line(r, 1, "found no group 'launch', expected one");
    if (!check_keys(r, launch, keys, sizeof(keys) / sizeof(keys[0])) ||
        !read_dimensions(r, launch, "grid", &k->grid) ||
        !read_dimensions(r, launch, "block", &k->block) ||
        !read_optional(r, launch, "registers", 1, REGISTERS_MAX,
                       &k->regs_per_thread) ||
        !read_optional(r, launch, "shared_bytes", 0, SHARED_BYTES_MAX,
                       &k->shared_bytes) ||
        !read_optional(r, launch, "local_bytes", 4, LOCAL_BYTES_MAX,
                       local_bytes))
        return false;
    override_launch(k, o);
    if (k->regs_per_thread == 0)
        return fail_setting(r, launch, "a key 'registers' in it");
    return check_launch(r);
}

/* ---- buffers ------------------------------------------------------------ */

static bool read_buffer(struct reader *r, const config_setting_t *s,
                        int64_t *next)
{
    static const char *const keys[] = {"bytes"};
    const char *name = config_setting_name(s);
    struct word w = {name, (int)strlen(name)};
    if (!config_setting_is_group(s))
        return fail_setting(r, s, "a group { bytes = N; }");
    if (strpbrk(name, "-*") != NULL || expr_name_is_reserved(&w))
        return fail_setting(r, s,
                            "a buffer name of letters, digits and _ that is "
                            "no variable or function");
    if (!check_keys(r, s, keys, 1))
        return false;
    const config_setting_t *bytes = config_setting_get_member(s, "bytes");
    int64_t size;
    if (bytes == NULL)
        return fail_setting(r, s, "a key 'bytes' in it");
    if (!read_number(r, bytes, 1, GLOBAL_LIMIT, &size))
        return false;
    struct named_address *b = &r->buffer[r->buffer_count];
    if (!copy_string(r, name, &b->name))
        return false;
    r->buffer_count++;
    b->address = *next;
    *next +=
        (size + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    return *next - GLOBAL_BASE <= GLOBAL_LIMIT ||
           fail_setting(r, s, "buffers of at most 2^40 bytes together");
}

static bool read_buffers(struct reader *r)
{
    config_setting_t *group =
        config_setting_get_member(config_root_setting(&r->config), "buffers");
    if (group == NULL)
        return true;
    if (!config_setting_is_group(group))
        return fail_setting(r, group, "a group of buffers");
    int count = config_setting_length(group);
    int64_t next = GLOBAL_BASE;
    r->buffer = calloc((size_t)count + 1, sizeof(*r->buffer));
    if (r->buffer == NULL)
        return error_set(r->e, STATUS_FAILED, "out of memory");
    for (int b = 0; b < count; b++)
        if (!read_buffer(r, config_setting_get_elem(group, (unsigned)b), &next))
            return false;
    return true;
}

/* ---- facts -------------------------------------------------------------- */

struct fact {
    const char *paper, *key;
    size_t offset; /* in struct kernel_facts */
};
#define PAWS(key, member)                                                      \
    {                                                                          \
        "paws", key, offsetof(struct kernel_facts, paws_##member)              \
    }
#define PERFSAT(member)                                                        \
    {                                                                          \
        "perfsat", #member, offsetof(struct kernel_facts, perfsat_##member)    \
    }
static const struct fact facts[] = {
    PAWS("total_blocks", total_blocks),
    PAWS("threads", threads),
    PAWS("blocks_per_core", blocks_per_core),
    PAWS("phases", phases),
    PAWS("longest", longest),
    PAWS("shortest", shortest),
    PERFSAT(register_bytes),
    PERFSAT(threads),
    PERFSAT(m2090_max),
    PERFSAT(m2090_opt),
    PERFSAT(k20x_max),
    PERFSAT(k20x_opt),
};
#define FACTS (sizeof(facts) / sizeof(facts[0]))

static bool read_paper_facts(const struct reader *r, config_setting_t *all,
                             const char *paper)
{
    const char *keys[FACTS];
    size_t count = 0;
    config_setting_t *group = config_setting_get_member(all, paper);
    if (group == NULL)
        return true;
    if (!config_setting_is_group(group))
        return fail_setting(r, group, "a group of numbers");
    for (size_t f = 0; f < FACTS; f++) {
        if (strcmp(facts[f].paper, paper) != 0)
            continue;
        char *target = (char *)&r->kernel->facts + facts[f].offset;
        keys[count++] = facts[f].key;
        if (!read_optional(r, group, facts[f].key, 0, INT32_MAX,
                           (uint32_t *)(void *)target))
            return false;
    }
    return check_keys(r, group, keys, count);
}

static bool read_facts(const struct reader *r)
{
    static const char *const papers[] = {"paws", "perfsat"};
    config_setting_t *all =
        config_setting_get_member(config_root_setting(&r->config), "facts");
    if (all == NULL)
        return true;
    if (!config_setting_is_group(all))
        return fail_setting(r, all, "a group");
    return check_keys(r, all, papers, 2) &&
           read_paper_facts(r, all, papers[0]) &&
           read_paper_facts(r, all, papers[1]);
}

/* ---- names, program, hash ----------------------------------------------- */

/* The part of a path between the last slash and the last dot. */
static bool name_from_path(const struct reader *r)
{
    const char *slash = strrchr(r->source.path, '/');
    const char *base = slash != NULL ? slash + 1 : r->source.path;
    if (!copy_string(r, base, &r->kernel->name))
        return false;
    char *dot = strrchr(r->kernel->name, '.');
    if (dot != NULL && dot != r->kernel->name)
        *dot = '\0';
    return true;
}

static bool read_names(const struct reader *r)
{
    struct kernel *k = r->kernel;
    if (!copy_string(r, r->source.path, &k->path) ||
        !copy_string(r, "", &k->summary) || !name_from_path(r) ||
        !read_string(r, "name", &k->name) ||
        !read_string(r, "summary", &k->summary))
        return false;
    const config_setting_t *source =
        config_setting_get_member(config_root_setting(&r->config), "source");
    if (source != NULL && config_setting_type(source) != CONFIG_TYPE_STRING)
        return fail_setting(r, source, "a string");
    const config_setting_t *name =
        config_setting_get_member(config_root_setting(&r->config), "name");
    bool plain = k->name[0] != '\0' &&
                 k->name[strspn(k->name, "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_.-+")] == '\0';
    return plain || name == NULL ||
           fail_setting(r, name, "letters, digits and _ . - + in it");
}

static bool read_program(const struct reader *r, struct program *p)
{
    const config_setting_t *s =
        config_setting_get_member(config_root_setting(&r->config), "program");
    if (s == NULL || config_setting_type(s) != CONFIG_TYPE_STRING)
        return fail_at_line(r, 1, "found no string 'program', expected one");
    const char *value = config_setting_get_string(s);
    if (!word_is(&r->program, value))
        return fail_setting(r, s, "one plain string without backslashes");
    struct cursor c = {&r->source, r->program.at,
                       r->program.at + r->program.length, r->e};
    struct scope scope = {.kernel = r->kernel,
                          .buffer = r->buffer,
                          .buffer_count = r->buffer_count};
    if (!program_assemble(p, r->kernel, &scope, &c))
        return false;
    return !p->uses_local || p->local_bytes > 0 ||
           fail_setting(r, s,
                        "a key 'local_bytes' in 'launch', because it uses "
                        "local memory");
}

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t b = 0; b < size; b++)
        hash = (hash ^ ((const unsigned char *)bytes)[b]) * 0x100000001b3;
    return hash;
}

static uint64_t hash_kernel(const struct kernel *k, const char *text,
                            size_t size, uint64_t seed)
{
    const uint64_t launch[] = {k->grid.x,          k->grid.y,       k->grid.z,
                               k->block.x,         k->block.y,      k->block.z,
                               k->regs_per_thread, k->shared_bytes, seed};
    uint64_t hash = hash_bytes(0xcbf29ce484222325, text, size);
    return hash_bytes(hash, launch, sizeof(launch));
}

/* ---- the whole ---------------------------------------------------------- */

static bool parse_config(struct reader *r, size_t size)
{
    size_t length = strlen(r->source.text);
    if (length != size)
        return source_fail(&r->source, r->source.text + length, r->e,
                           "found a NUL character, expected text");
    if (!config_text_scan(&r->source, &r->program, r->e))
        return false;
    if (config_read_string(&r->config, r->source.text))
        return true;
    char message[200];
    snprintf(message, sizeof(message), "found \"%s\", expected libconfig text",
             config_error_text(&r->config));
    return fail_at_line(r, (unsigned)config_error_line(&r->config), message);
}

static bool fill_kernel(struct reader *r, const struct launch_options *o)
{
    static const char *const keys[] = {"name",    "summary", "source", "launch",
                                       "buffers", "facts",   "program"};
    struct program *p = r->kernel->source;
    p->seed = o->seed;
    return check_keys(r, config_root_setting(&r->config), keys,
                      sizeof(keys) / sizeof(keys[0])) &&
           read_names(r) && read_launch(r, o, &p->local_bytes) &&
           read_buffers(r) && read_facts(r) && read_program(r, p);
}

static struct kernel *new_kernel(struct error *e)
{
    struct kernel *k = calloc(1, sizeof(*k));
    struct program *p = calloc(1, sizeof(*p));
    if (k == NULL || p == NULL) {
        free(k);
        free(p);
        error_set(e, STATUS_FAILED, "out of memory");
        return NULL;
    }
    k->source = p;
    k->ops = &program_source_ops;
    return k;
}

struct kernel *kernel_file_parse(const char *text, size_t size,
                                 const char *path,
                                 const struct launch_options *options,
                                 struct error *e)
{
    struct launch_options none = {0};
    const struct launch_options *o = options != NULL ? options : &none;
    struct reader r = {.source = {path, text}, .e = e};
    r.kernel = new_kernel(e);
    if (r.kernel == NULL)
        return NULL;
    config_init(&r.config);
    bool ok = parse_config(&r, size) && fill_kernel(&r, o);
    config_destroy(&r.config);
    for (size_t b = 0; b < r.buffer_count; b++)
        free(r.buffer[b].name);
    free(r.buffer);
    if (!ok) {
        kernel_free(r.kernel);
        return NULL;
    }
    r.kernel->hash = hash_kernel(r.kernel, text, size, o->seed);
    return r.kernel;
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
        error_set(e, STATUS_FAILED, "out of memory");
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

struct kernel *kernel_file_read(const char *path,
                                const struct launch_options *options,
                                struct error *e)
{
    size_t size;
    char *text = read_file(path, &size, e);
    if (text == NULL)
        return NULL;
    struct kernel *k = kernel_file_parse(text, size, path, options, e);
    free(text);
    return k;
}
