/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- complaints --------------------------------------------------------- */

bool fail_at_line(const struct config_file *f, unsigned line,
                  const char *message)
{
    return error_set(f->e, STATUS_BAD_INPUT, "%s:%u: %s", f->source.path, line,
                     message);
}

/* A setting as a message calls it; elements of lists have no name. */
static void setting_text(char *out, size_t size, const config_setting_t *s)
{
    const char *name = config_setting_name(s);
    if (name != NULL)
        snprintf(out, size, "'%s'", name);
    else
        snprintf(out, size, "%s",
                 config_setting_is_root(s)    ? "a file"
                 : config_setting_is_group(s) ? "a group"
                 : config_setting_is_list(s)  ? "a list"
                                              : "a value");
}

bool fail_setting(const struct config_file *f, const config_setting_t *s,
                  const char *expected)
{
    char message[200], found[100];
    setting_text(found, sizeof(found), s);
    snprintf(message, sizeof(message), "found %s, expected %s", found,
             expected);
    return fail_at_line(f, config_setting_source_line(s), message);
}

static const char *key_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

bool check_keys(const struct config_file *f, const config_setting_t *group,
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
        return fail_at_line(f, config_setting_source_line(s), message);
    }
    return true;
}

/* ---- values ------------------------------------------------------------- */

bool read_number(const struct config_file *f, const config_setting_t *s,
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
    char expected[120];
    bool whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    int length =
        snprintf(expected, sizeof(expected), "a whole number from %lld to %lld",
                 (long long)low, (long long)high);
    if (whole)
        snprintf(expected + length, sizeof(expected) - (size_t)length,
                 ", not %lld", (long long)value);
    return fail_setting(f, s, expected);
}

bool read_optional(const struct config_file *f, const config_setting_t *group,
                   const char *key, int64_t low, int64_t high, uint32_t *out)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    int64_t value = *out;
    if (s != NULL && !read_number(f, s, low, high, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

bool copy_string(const struct config_file *f, const char *from, char **out)
{
    free(*out);
    *out = strdup(from);
    return *out != NULL || error_no_memory(f->e);
}

bool read_string(const struct config_file *f, const char *key, char **out)
{
    const config_setting_t *s =
        config_setting_get_member(config_root_setting(&f->config), key);
    if (s == NULL)
        return true;
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return fail_setting(f, s, "a string");
    return copy_string(f, config_setting_get_string(s), out);
}

bool read_dimensions(const struct config_file *f, const config_setting_t *s,
                     dimension_reader *read, void *user, struct dim3 *out)
{
    uint32_t *const side[] = {&out->x, &out->y, &out->z};
    int64_t value;
    *out = (struct dim3){1, 1, 1};
    bool scalar = !config_setting_is_array(s) && !config_setting_is_list(s);
    int count = scalar ? 1 : config_setting_length(s);
    if (count < 1 || count > 3)
        return fail_setting(f, s, "one to three numbers");
    for (int n = 0; n < count; n++) {
        const config_setting_t *element =
            scalar ? s : config_setting_get_elem(s, (unsigned)n);
        if (!read(f, element, user, &value))
            return false;
        *side[n] = (uint32_t)value;
    }
    return true;
}

/* ---- the file ----------------------------------------------------------- */

bool config_file_open(struct config_file *f, const char *text, size_t size,
                      const char *path, struct error *e)
{
    *f = (struct config_file){.source = {path, text}, .e = e};
    config_init(&f->config);
    size_t length = strlen(text);
    if (length != size)
        return source_fail(&f->source, text + length, e,
                           "found a NUL character, expected text");
    if (!config_text_scan(&f->source, &f->programs, e))
        return false;
    if (config_read_string(&f->config, text))
        return true;
    char message[200];
    snprintf(message, sizeof(message), "found \"%s\", expected libconfig text",
             config_error_text(&f->config));
    return fail_at_line(f, (unsigned)config_error_line(&f->config), message);
}

void config_file_close(struct config_file *f)
{
    config_destroy(&f->config);
    free(f->programs.text);
}
