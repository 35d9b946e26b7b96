/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU configurations as libconfig texts: a group `l1` with a setting `size_kb`
 * is the key l1.size_kb of gpu_keys[]. */
#include "base/bundled.h"
#include "configs/gpu_files.h"

#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES (1 << 20)
#define MAX_KEY        128

void gpu_defaults(struct gpu *g)
{
    memset(g, 0, sizeof(*g));
    for (size_t i = 0; i < gpu_key_count; i++)
        gpu_key_set(g, &gpu_keys[i], gpu_keys[i].fallback, NULL);
}

static bool unknown_key(const config_setting_t *s, const char *path,
                        const char *key, struct error *e)
{
    const char *near = gpu_key_nearest(key);
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: unknown key '%s'%s%s%s", path,
                     config_setting_source_line(s), key,
                     near ? ", did you mean '" : "", near ? near : "",
                     near ? "'?" : "");
}

/* What a setting holds, for messages. */
static const char *type_name(const config_setting_t *s)
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return "an integer";
    case CONFIG_TYPE_FLOAT:
        return "a real number";
    case CONFIG_TYPE_STRING:
        return "a string";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    case CONFIG_TYPE_GROUP:
        return "a group";
    default:
        return "a list";
    }
}

static bool wrong_type(const config_setting_t *s, const char *path,
                       const char *key, const char *expected, struct error *e)
{
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: %s is %s, expected %s", path,
                     config_setting_source_line(s), key, type_name(s),
                     expected);
}

static bool fits(const config_setting_t *s, const struct gpu_key *key)
{
    int type = config_setting_type(s);
    if (key->type == GPU_ENUM)
        return type == CONFIG_TYPE_STRING;
    return key->type == GPU_BOOL ? type == CONFIG_TYPE_BOOL
                                 : config_setting_is_number(s);
}

static double number_of(const config_setting_t *s)
{
    if (config_setting_type(s) == CONFIG_TYPE_BOOL)
        return config_setting_get_bool(s);
    if (config_setting_type(s) == CONFIG_TYPE_FLOAT)
        return config_setting_get_float(s);
    return (double)config_setting_get_int64(s);
}

static bool set_key(struct gpu *g, const config_setting_t *s,
                    const struct gpu_key *key, const char *path,
                    struct error *e)
{
    char expected[128] = "a number";
    struct error why;
    if (!fits(s, key)) {
        if (key->type == GPU_BOOL || key->type == GPU_ENUM)
            gpu_key_expected(key, expected, sizeof(expected));
        return wrong_type(s, path, key->key, expected, e);
    }
    if (key->type == GPU_ENUM
            ? gpu_key_set_text(g, key, config_setting_get_string(s), &why)
            : gpu_key_set(g, key, number_of(s), &why))
        return true;
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: %s", path,
                     config_setting_source_line(s), why.text);
}

static bool set_text(char *out, size_t size, const config_setting_t *s,
                     const char *path, const char *key, struct error *e)
{
    const char *text = config_setting_get_string(s);
    if (text == NULL)
        return wrong_type(s, path, key, "a string", e);
    if (strlen(text) >= size)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s:%d: %s has %zu characters, expected at most %zu",
                         path, config_setting_source_line(s), key, strlen(text),
                         size - 1);
    strcpy(out, text);
    return true;
}

/* One setting of the top level (group NULL) or of a group. */
static bool read_setting(struct gpu *g, const config_setting_t *s,
                         const char *group, const char *path, struct error *e)
{
    char name[MAX_KEY];
    snprintf(name, sizeof(name), "%s%s%s", group ? group : "", group ? "." : "",
             config_setting_name(s));
    const struct gpu_key *key = gpu_key_find(name);
    if (key != NULL)
        return set_key(g, s, key, path, e);
    if (strcmp(name, "name") == 0)
        return set_text(g->name, sizeof(g->name), s, path, name, e);
    if (strcmp(name, "summary") == 0)
        return set_text(g->summary, sizeof(g->summary), s, path, name, e);
    if (group != NULL || !config_setting_is_group(s) ||
        config_setting_length(s) == 0)
        return unknown_key(s, path, name, e);
    for (int i = 0; i < config_setting_length(s); i++)
        if (!read_setting(g, config_setting_get_elem(s, (unsigned)i), name,
                          path, e))
            return false;
    return true;
}

/* The file's name without folder and extension. */
static void name_from_path(struct gpu *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    int length = (int)strcspn(base, ".");
    snprintf(g->name, sizeof(g->name), "%.*s", length, base);
}

static bool read_root(struct gpu *g, const config_setting_t *root,
                      const char *path, struct error *e)
{
    gpu_defaults(g);
    for (int i = 0; i < config_setting_length(root); i++)
        if (!read_setting(g, config_setting_get_elem(root, (unsigned)i), NULL,
                          path, e))
            return false;
    if (g->name[0] == '\0')
        name_from_path(g, path);
    struct error why;
    if (!gpu_validate(g, &why))
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, why.text);
    return true;
}

bool gpu_parse(struct gpu *g, const char *text, const char *path,
               struct error *e)
{
    config_t config;
    config_init(&config);
    bool good;
    if (config_read_string(&config, text) == CONFIG_TRUE)
        good = read_root(g, config_root_setting(&config), path, e);
    else
        good = error_set(
            e, STATUS_BAD_INPUT, "%s:%d: %s, expected libconfig settings", path,
            config_error_line(&config), config_error_text(&config));
    config_destroy(&config);
    return good;
}

static char *read_stream(FILE *f, const char *path, struct error *e)
{
    char *text = malloc(MAX_FILE_BYTES + 1);
    if (text == NULL) {
        error_no_memory(e);
        return NULL;
    }
    size_t size = fread(text, 1, MAX_FILE_BYTES + 1, f);
    if (ferror(f))
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    else if (size > MAX_FILE_BYTES)
        error_set(e, STATUS_BAD_INPUT,
                  "%s: more than %d bytes, expected a GPU configuration", path,
                  MAX_FILE_BYTES);
    else if (memchr(text, '\0', size) != NULL)
        error_set(e, STATUS_BAD_INPUT, "%s: binary data, expected text", path);
    else {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

char *gpu_read_text(const char *path, struct error *e)
{
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_stream(f, path, e);
    fclose(f);
    return text;
}

const char *const *gpu_bundled_names(size_t *count)
{
    *count = bundled_gpu_count;
    return bundled_gpu_names;
}

static const char *bundled_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

static bool unknown_gpu(const char *name, struct error *e)
{
    const char *near =
        nearest_name(name, bundled_gpu_names, bundled_gpu_count, bundled_name);
    if (near != NULL)
        return error_set(e, STATUS_USAGE,
                         "unknown GPU '%s', did you mean '%s'?", name, near);
    return error_set(e, STATUS_USAGE,
                     "unknown GPU '%s', expected a bundled one (estimate list "
                     "gpus) or a configuration file",
                     name);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_path(const char *text)
{
    return strchr(text, '/') != NULL || ends_with(text, ".cfg") ||
           ends_with(text, ".config");
}

bool gpu_load(struct gpu *g, const char *name_or_path, char *ignored,
              size_t ignored_size, struct error *e)
{
    if (ignored != NULL && ignored_size > 0)
        ignored[0] = '\0';
    for (size_t i = 0; i < bundled_gpu_count; i++)
        if (strcmp(bundled_gpus[i].name, name_or_path) == 0)
            return gpu_parse(g, bundled_gpus[i].text, bundled_gpus[i].path, e);
    if (!is_path(name_or_path))
        return unknown_gpu(name_or_path, e);
    if (ends_with(name_or_path, ".config"))
        return gpu_import_gpgpusim(g, name_or_path, ignored, ignored_size, e);
    char *text = gpu_read_text(name_or_path, e);
    bool good = text != NULL && gpu_parse(g, text, name_or_path, e);
    free(text);
    return good;
}
