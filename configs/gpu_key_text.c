/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of a GPU as text. */
#include "configs/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *key_name(const void *table, size_t i)
{
    (void)table;
    return gpu_keys[i].key;
}

const char *gpu_key_nearest(const char *name)
{
    return nearest_name(name, NULL, gpu_key_count, key_name);
}

void gpu_key_expected(const struct gpu_key *key, char *out, size_t size)
{
    size_t used = 0;
    if (key->type == GPU_BOOL)
        snprintf(out, size, "true or false");
    else if (key->type != GPU_ENUM)
        snprintf(out, size, "%.15g..%.15g%s%s", key->min, key->max,
                 key->unit[0] != '\0' ? " " : "", key->unit);
    for (int i = 0; key->names != NULL && key->names[i] != NULL; i++)
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s\"%s\"",
                                     i > 0 ? ", " : "", key->names[i]);
}

/* The shortest that reads back to the same value. */
static void real_text(double value, char *out, size_t size)
{
    for (int digits = 12; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

void gpu_key_text(const struct gpu *g, const struct gpu_key *key, char *out,
                  size_t size)
{
    double value = gpu_key_get(g, key);
    if (key->type == GPU_ENUM)
        snprintf(out, size, "%s", key->names[(int)value]);
    else if (key->type == GPU_BOOL)
        snprintf(out, size, "%s", value != 0 ? "true" : "false");
    else
        real_text(value, out, size);
}

static bool parse_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

/* The place of text among names that end with NULL, or -1. */
static int place_of(const char *const *names, const char *text)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    return -1;
}

static bool parse_value(const struct gpu_key *key, const char *text,
                        double *value)
{
    static const char *const truth[] = {"false", "true", NULL};
    const char *const *names = key->type == GPU_BOOL ? truth : key->names;
    if (names == NULL)
        return parse_number(text, value);
    *value = place_of(names, text);
    return *value >= 0;
}

bool gpu_key_set_text(struct gpu *g, const struct gpu_key *key,
                      const char *text, struct error *e)
{
    double value;
    char expected[128];
    if (parse_value(key, text, &value))
        return gpu_key_set(g, key, value, e);
    gpu_key_expected(key, expected, sizeof(expected));
    return error_set(e, STATUS_USAGE, "%s is '%s': expected %s", key->key, text,
                     expected);
}

static const struct gpu_key *find(const char *name, struct error *e)
{
    const struct gpu_key *key = gpu_key_find(name);
    const char *near = key == NULL ? gpu_key_nearest(name) : NULL;
    if (key == NULL)
        error_set(e, STATUS_USAGE, "unknown key '%s'%s%s%s", name,
                  near != NULL ? ", did you mean '" : "",
                  near != NULL ? near : "", near != NULL ? "'?" : "");
    return key;
}

bool gpu_set(struct gpu *g, const char *name, const char *text, struct error *e)
{
    const struct gpu_key *key = find(name, e);
    return key != NULL && gpu_key_set_text(g, key, text, e);
}

bool gpu_get(const struct gpu *g, const char *name, char *out, size_t size,
             struct error *e)
{
    const struct gpu_key *key = find(name, e);
    if (key != NULL)
        gpu_key_text(g, key, out, size);
    return key != NULL;
}
