/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/file_buffers.h"

#include "kernels/form/memory_map.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_ALIGNMENT 256

static bool name_is_good(const char *name)
{
    struct word w = {name, (int)strlen(name)};
    return strpbrk(name, "-*") == NULL && !expr_name_is_reserved(&w);
}

static bool read_buffer(const struct config_file *f, struct file_buffers *out,
                        const config_setting_t *s, int64_t *next)
{
    static const char *const keys[] = {"bytes", "host"};
    const char *name = config_setting_name(s);
    if (!config_setting_is_group(s))
        return fail_setting(f, s, "a group { bytes = N; }");
    if (!name_is_good(name))
        return fail_setting(f, s,
                            "a buffer name of letters, digits and _ that is "
                            "no variable or function");
    if (!check_keys(f, s, keys, 2))
        return false;
    const config_setting_t *bytes = config_setting_get_member(s, "bytes");
    int64_t size;
    if (bytes == NULL)
        return fail_setting(f, s, "a key 'bytes' in it");
    if (!read_number(f, bytes, 1, GLOBAL_LIMIT, &size))
        return false;
    int host = 0;
    const config_setting_t *h = config_setting_get_member(s, "host");
    if (h != NULL && !config_setting_lookup_bool(s, "host", &host))
        return fail_setting(f, h, "true or false");
    out->range[out->count] =
        (struct buffer){(uint64_t)*next, (uint64_t)size, host != 0};
    out->named[out->count++] = (struct named_value){name, *next};
    out->named_count = out->count;
    *next +=
        (size + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    return *next - GLOBAL_BASE <= GLOBAL_LIMIT ||
           fail_setting(f, s, "buffers of at most 2^40 bytes together");
}

static bool read_constant(const struct config_file *f, struct file_buffers *out,
                          const config_setting_t *s)
{
    const char *name = config_setting_name(s);
    int64_t value;
    bool good = name_is_good(name);
    for (size_t i = 0; i < out->named_count; i++)
        good = good && strcmp(out->named[i].name, name) != 0;
    if (!good)
        return fail_setting(f, s,
                            "a name of letters, digits and _ that nothing "
                            "else has");
    if (!read_number(f, s, INT64_MIN, INT64_MAX, &value))
        return false;
    out->named[out->named_count++] = (struct named_value){name, value};
    return true;
}

/* The group's members, none where there is no such group. */
static bool find_group(const struct config_file *f, const char *name,
                       const char *expected, config_setting_t **group,
                       unsigned *members)
{
    config_setting_t *root = config_root_setting(&f->config);
    *group = config_setting_get_member(root, name);
    *members = 0;
    if (*group == NULL)
        return true;
    if (!config_setting_is_group(*group))
        return fail_setting(f, *group, expected);
    *members = (unsigned)config_setting_length(*group);
    return true;
}

bool file_buffers_read(struct file_buffers *out, const struct config_file *f)
{
    config_setting_t *buffers, *constants;
    unsigned buffer_count, constant_count;
    if (!find_group(f, "buffers", "a group of buffers", &buffers,
                    &buffer_count) ||
        !find_group(f, "constants", "a group of numbers", &constants,
                    &constant_count))
        return false;
    size_t names = (size_t)buffer_count + constant_count;
    int64_t next = GLOBAL_BASE;
    out->named = calloc(names + 1, sizeof(*out->named));
    out->range = calloc((size_t)buffer_count + 1, sizeof(*out->range));
    if (out->named == NULL || out->range == NULL)
        return error_no_memory(f->e);
    for (unsigned b = 0; b < buffer_count; b++)
        if (!read_buffer(f, out, config_setting_get_elem(buffers, b), &next))
            return false;
    for (unsigned c = 0; c < constant_count; c++)
        if (!read_constant(f, out, config_setting_get_elem(constants, c)))
            return false;
    return true;
}

bool file_buffers_copy(const struct file_buffers *b, struct kernel *k,
                       struct error *e)
{
    if (b->count == 0)
        return true;
    k->buffer = malloc(b->count * sizeof(*k->buffer));
    if (k->buffer == NULL)
        return error_no_memory(e);
    memcpy(k->buffer, b->range, b->count * sizeof(*k->buffer));
    k->buffers = (uint32_t)b->count;
    return true;
}

void file_buffers_free(struct file_buffers *b)
{
    free(b->named);
    free(b->range);
}
