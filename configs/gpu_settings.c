/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings of one libconfig text: a group `l1` with a setting `size_kb` is
 * the key l1.size_kb of gpu_keys[]. */
#include "configs/gpu_settings.h"

#include "configs/gpu_measured.h"

#include <stdio.h>
#include <string.h>

#define MAX_KEY 128

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
    memcpy(out, text, strlen(text) + 1);
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
    if (strcmp(name, "base") == 0)
        return true;
    if (group != NULL && strcmp(group, GPU_MEASURED_GROUP) == 0)
        return gpu_measured_set(&g->measured, s, number_of(s), path, e);
    if (group != NULL || !config_setting_is_group(s) ||
        config_setting_length(s) == 0)
        return unknown_key(s, path, name, e);
    for (int i = 0; i < config_setting_length(s); i++)
        if (!read_setting(g, config_setting_get_elem(s, (unsigned)i), name,
                          path, e))
            return false;
    return true;
}

bool gpu_settings_parse(config_t *config, const char *text, const char *path,
                        struct error *e)
{
    if (config_read_string(config, text) == CONFIG_TRUE)
        return true;
    return error_set(e, STATUS_BAD_INPUT,
                     "%s:%d: %s, expected libconfig settings", path,
                     config_error_line(config), config_error_text(config));
}

bool gpu_settings_base(const config_t *config, const char *path,
                       const char **base, int *line, struct error *e)
{
    const config_setting_t *s = config_lookup(config, "base");
    *base = NULL;
    if (s == NULL)
        return true;
    *base = config_setting_get_string(s);
    *line = (int)config_setting_source_line(s);
    return *base != NULL || wrong_type(s, path, "base", "a string", e);
}

bool gpu_settings_state(const config_t *config, const char *key)
{
    return config_lookup(config, key) != NULL;
}

bool gpu_settings_apply(struct gpu *g, const config_t *config, const char *path,
                        struct error *e)
{
    const config_setting_t *root = config_root_setting(config);
    for (int i = 0; i < config_setting_length(root); i++)
        if (!read_setting(g, config_setting_get_elem(root, (unsigned)i), NULL,
                          path, e))
            return false;
    return gpu_measured_check(&g->measured, path, e);
}
