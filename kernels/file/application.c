/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT_DEPTH 16
/* Turns of all repeats together: repeats may hold nothing but repeats of 0. */
#define TURNS_MAX  (INT64_C(16) * APPLICATION_LAUNCHES)
#define SIDE_MAX   INT32_MAX
#define SHARED_MAX INT32_MAX

struct reader {
    const struct config_file *f;
    config_setting_t *kernels;
    struct named_value *named; /* what expressions may name here */
    size_t named_count, named_capacity;
    int64_t launches, turns;
    bool (*launch)(void *user, const struct application_launch *l);
    void *user;
};

/* ---- names -------------------------------------------------------------- */

/* Names come from the file, or live as long as the program. */
static bool push_name(struct reader *a, const char *name, int64_t value)
{
    if (a->named_count == a->named_capacity) {
        size_t capacity = 2 * a->named_capacity + 16;
        void *grown = realloc(a->named, capacity * sizeof(*a->named));
        if (grown == NULL)
            return error_no_memory(a->f->e);
        a->named = grown;
        a->named_capacity = capacity;
    }
    a->named[a->named_count++] = (struct named_value){name, value};
    return true;
}

static bool check_name(const struct reader *a, const config_setting_t *s,
                       const char *name)
{
    struct word w = {name, (int)strlen(name)};
    bool good = (name[0] == '_' || (name[0] | 32) >= 'a') &&
                name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_")] == '\0' &&
                !expr_name_is_reserved(&w);
    for (size_t i = 0; i < a->named_count; i++)
        good = good && strcmp(a->named[i].name, name) != 0;
    return good || fail_setting(a->f, s,
                                "a name of letters, digits and _ that nothing "
                                "else has");
}

/* ---- expressions -------------------------------------------------------- */

/* The cursor over the string s where it stands in the text: the last such one
 * that begins no later than the line libconfig noted. */
static bool find_text(const struct reader *a, const config_setting_t *s,
                      struct cursor *c)
{
    const char *value = config_setting_get_string(s), *found = NULL;
    int line = (int)config_setting_source_line(s);
    size_t length = strlen(value);
    const char *at = a->f->source.text;
    while ((at = strstr(at, value)) != NULL) {
        if (source_line(&a->f->source, at) > line)
            break;
        if (at > a->f->source.text && at[-1] == '"' && at[length] == '"')
            found = at;
        at++;
    }
    if (found == NULL)
        return fail_setting(a->f, s, "one plain string without backslashes");
    *c = (struct cursor){&a->f->source, found, found + length, a->f->e};
    return true;
}

static bool constant_at(struct cursor *c, const struct expr_pool *pool,
                        const char *start, int64_t *out)
{
    if (!cursor_at_end(c))
        return cursor_expected(c, "the end of the expression");
    if (pool->count != 1 || pool->code[0].op != EXPR_CONST)
        return source_fail(c->source, start, c->error,
                           "found an expression that differs between threads, "
                           "expected one of numbers, buffers and counters");
    *out = pool->code[0].integer;
    return true;
}

/* A number, or an expression in a string. */
static bool evaluate(const struct reader *a, const config_setting_t *s,
                     int64_t low, int64_t high, int64_t *out)
{
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return read_number(a->f, s, low, high, out);
    struct cursor c;
    if (!find_text(a, s, &c))
        return false;
    const char *start = c.at;
    struct expr_pool pool = {0};
    struct scope scope = {.named = a->named, .named_count = a->named_count};
    struct expr e;
    bool ok = expr_compile(&pool, &scope, &c, &e) &&
              constant_at(&c, &pool, start, out);
    expr_pool_free(&pool);
    if (!ok || (*out >= low && *out <= high))
        return ok;
    return source_fail(&a->f->source, start, a->f->e,
                       "found %lld, expected a number from %lld to %lld",
                       (long long)*out, (long long)low, (long long)high);
}

static bool read_side(const struct config_file *f, const config_setting_t *s,
                      void *user, int64_t *out)
{
    (void)f;
    return evaluate(user, s, 1, SIDE_MAX, out);
}

/* ---- a launch ----------------------------------------------------------- */

static bool read_changes(struct reader *a, const config_setting_t *s,
                         struct launch *changes)
{
    const config_setting_t *grid = config_setting_get_member(s, "grid");
    const config_setting_t *block = config_setting_get_member(s, "block");
    const config_setting_t *shared =
        config_setting_get_member(s, "shared_bytes");
    int64_t bytes = 0;
    if (grid != NULL &&
        !read_dimensions(a->f, grid, read_side, a, &changes->grid))
        return false;
    if (block != NULL &&
        !read_dimensions(a->f, block, read_side, a, &changes->block))
        return false;
    if (shared != NULL && !evaluate(a, shared, 0, SHARED_MAX, &bytes))
        return false;
    changes->shared_given = shared != NULL;
    changes->shared_bytes = (uint32_t)bytes;
    return true;
}

static bool push_arguments(struct reader *a, const config_setting_t *s)
{
    const config_setting_t *group = config_setting_get_member(s, "arguments");
    if (group == NULL)
        return true;
    if (!config_setting_is_group(group))
        return fail_setting(a->f, group, "a group of named values");
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *m = config_setting_get_elem(group, (unsigned)i);
        int64_t value;
        if (!check_name(a, m, config_setting_name(m)) ||
            !evaluate(a, m, INT64_MIN, INT64_MAX, &value) ||
            !push_name(a, config_setting_name(m), value))
            return false;
    }
    return true;
}

static const char *kernel_key(const void *table, size_t i)
{
    return config_setting_name(config_setting_get_elem(table, (unsigned)i));
}

static const config_setting_t *find_kernel(const struct reader *a,
                                           const config_setting_t *s)
{
    const char *name = config_setting_get_string(s);
    for (int i = 0; name != NULL && i < config_setting_length(a->kernels); i++)
        if (strcmp(kernel_key(a->kernels, (size_t)i), name) == 0)
            return config_setting_get_elem(a->kernels, (unsigned)i);
    if (name == NULL) {
        fail_setting(a->f, s, "the name of a kernel");
        return NULL;
    }
    char suggestion[2 * WORD_SHOWN], message[200];
    struct word w = {name, (int)strlen(name)};
    word_suggestion(suggestion, sizeof(suggestion), &w, a->kernels,
                    (size_t)config_setting_length(a->kernels), kernel_key);
    snprintf(message, sizeof(message),
             "found '%.*s', expected the name of a kernel%s", word_shown(&w),
             name, suggestion);
    fail_at_line(a->f, config_setting_source_line(s), message);
    return NULL;
}

/* `name` holds the kernel's name; s is the launch's group, NULL for a bare
 * name. */
static bool one_launch(struct reader *a, const config_setting_t *name,
                       const config_setting_t *s)
{
    static const char *const keys[] = {"kernel", "grid", "block",
                                       "shared_bytes", "arguments"};
    struct application_launch l = {.kernel = find_kernel(a, name)};
    size_t outer = a->named_count;
    if (l.kernel == NULL)
        return false;
    if (a->launches == APPLICATION_LAUNCHES)
        return fail_setting(a->f, name, "at most 65536 launches");
    a->named[0].value = a->launches++;
    if (s != NULL &&
        !(check_keys(a->f, s, keys, sizeof(keys) / sizeof(keys[0])) &&
          read_changes(a, s, &l.changes) && push_arguments(a, s)))
        return false;
    l.named = a->named;
    l.named_count = a->named_count;
    bool ok = a->launch(a->user, &l);
    a->named_count = outer;
    return ok;
}

/* ---- sequences ---------------------------------------------------------- */

static bool sequence(struct reader *a, const config_setting_t *list, int depth);

static bool repeat(struct reader *a, const config_setting_t *s, int depth)
{
    static const char *const keys[] = {"repeat", "index", "launches"};
    const config_setting_t *body = config_setting_get_member(s, "launches");
    const config_setting_t *index = config_setting_get_member(s, "index");
    int64_t turns;
    if (!check_keys(a->f, s, keys, 3) ||
        !evaluate(a, config_setting_get_member(s, "repeat"), 0,
                  APPLICATION_LAUNCHES, &turns))
        return false;
    if (body == NULL)
        return fail_setting(a->f, s, "a key 'launches' in it");
    const char *name = index != NULL ? config_setting_get_string(index) : NULL;
    if (index != NULL && name == NULL)
        return fail_setting(a->f, index, "a name in quotes");
    if (name != NULL && !check_name(a, index, name))
        return false;
    size_t outer = a->named_count;
    bool ok = name == NULL || push_name(a, name, 0);
    for (int64_t i = 0; ok && i < turns; i++) {
        if (name != NULL)
            a->named[outer].value = i;
        if (++a->turns > TURNS_MAX)
            return fail_setting(a->f, s, "fewer repetitions");
        ok = sequence(a, body, depth + 1);
    }
    a->named_count = outer;
    return ok;
}

static bool element(struct reader *a, const config_setting_t *s, int depth)
{
    if (config_setting_type(s) == CONFIG_TYPE_STRING)
        return one_launch(a, s, NULL);
    if (!config_setting_is_group(s))
        return fail_setting(a->f, s,
                            "a kernel's name, a launch { kernel = ...; } or "
                            "{ repeat = N; launches = ( ... ); }");
    if (config_setting_get_member(s, "repeat") != NULL)
        return repeat(a, s, depth);
    const config_setting_t *name = config_setting_get_member(s, "kernel");
    if (name == NULL)
        return fail_setting(a->f, s, "a key 'kernel' or 'repeat' in it");
    return one_launch(a, name, s);
}

static bool sequence(struct reader *a, const config_setting_t *list, int depth)
{
    bool listed = config_setting_is_list(list) || config_setting_is_array(list);
    if (!listed || config_setting_length(list) == 0)
        return fail_setting(a->f, list, "a list of launches in parentheses");
    if (depth > REPEAT_DEPTH)
        return fail_setting(a->f, list, "repeats at most 16 deep");
    for (int i = 0; i < config_setting_length(list); i++)
        if (!element(a, config_setting_get_elem(list, (unsigned)i), depth))
            return false;
    return true;
}

/* ---- the whole ---------------------------------------------------------- */

bool application_is(const struct config_file *f)
{
    const config_setting_t *root = config_root_setting(&f->config);
    return config_setting_get_member(root, "kernels") != NULL ||
           config_setting_get_member(root, "application") != NULL;
}

static bool read_sequence(struct reader *a, const config_setting_t *list,
                          const struct named_value *buffer, size_t buffers)
{
    static const char launch[] = "launch";
    if (!push_name(a, launch, 0))
        return false;
    for (size_t i = 0; i < buffers; i++) {
        if (strcmp(buffer[i].name, launch) == 0)
            return fail_at_line(a->f, config_setting_source_line(list),
                                "found a buffer 'launch', expected another "
                                "name: it is the launch's number");
        if (!push_name(a, buffer[i].name, buffer[i].value))
            return false;
    }
    if (!sequence(a, list, 0))
        return false;
    return a->launches > 0 ||
           fail_setting(a->f, list, "at least one launch in it");
}

bool application_read(const struct config_file *f,
                      const struct named_value *buffer, size_t buffers,
                      bool (*launch)(void *user,
                                     const struct application_launch *l),
                      void *user)
{
    config_setting_t *root = config_root_setting(&f->config);
    const config_setting_t *list =
        config_setting_get_member(root, "application");
    struct reader a = {.f = f,
                       .kernels = config_setting_get_member(root, "kernels"),
                       .launch = launch,
                       .user = user};
    if (a.kernels == NULL || !config_setting_is_group(a.kernels))
        return fail_at_line(f, 1, "found no group 'kernels', expected one");
    if (list == NULL)
        return fail_at_line(f, 1, "found no list 'application', expected one");
    bool ok = read_sequence(&a, list, buffer, buffers);
    free(a.named);
    return ok;
}
