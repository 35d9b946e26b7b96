/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpgpusim/gpgpusim_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scanner {
    const char *at, *file;
    int line;
    char *word; /* room for the whole text */
    bool quoted;
};

static void skip_blanks(struct scanner *s)
{
    while (*s->at != '\0') {
        if (*s->at == '#')
            s->at += strcspn(s->at, "\n");
        else if (isspace((unsigned char)*s->at))
            s->line += *s->at++ == '\n';
        else
            break;
    }
}

static bool quoted_word(struct scanner *s, struct error *e)
{
    int start = s->line;
    char *out = s->word;
    for (s->at++; *s->at != '"'; s->at++) {
        if (*s->at == '\0')
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:%d: quote without end, expected '\"'", s->file,
                             start);
        s->line += *s->at == '\n';
        if (!isspace((unsigned char)*s->at))
            *out++ = *s->at;
    }
    s->at++;
    *out = '\0';
    return true;
}

/* The next word; an empty unquoted one is the end of the text. */
static bool next_word(struct scanner *s, struct error *e)
{
    skip_blanks(s);
    s->quoted = *s->at == '"';
    if (s->quoted)
        return quoted_word(s, e);
    char *out = s->word;
    while (*s->at != '\0' && *s->at != '#' && *s->at != '"' &&
           !isspace((unsigned char)*s->at))
        *out++ = *s->at++;
    *out = '\0';
    return true;
}

static struct sim_option *append(struct sim_options *list)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 256;
        void *grown = realloc(list->option, capacity * sizeof(*list->option));
        if (grown == NULL)
            return NULL;
        list->option = grown;
        list->capacity = capacity;
    }
    struct sim_option *o = &list->option[list->count];
    memset(o, 0, sizeof(*o));
    return o;
}

static bool add_option(struct sim_options *list, const struct scanner *s,
                       struct error *e)
{
    struct sim_option *o = append(list);
    if (o == NULL)
        return error_no_memory(e);
    o->file = s->file;
    o->line = s->line;
    o->name = strdup(s->word + 1);
    o->value = strdup("");
    list->count++;
    if (o->name == NULL || o->value == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i + 1 < list->count; i++)
        if (strcmp(list->option[i].name, o->name) == 0)
            list->option[i].overridden = true;
    return true;
}

static bool add_word(struct sim_option *o, const char *word, struct error *e)
{
    size_t length = strlen(o->value);
    char *grown = realloc(o->value, length + strlen(word) + 2);
    if (grown == NULL)
        return error_no_memory(e);
    sprintf(grown + length, "%s%s", length > 0 ? " " : "", word);
    o->value = grown;
    return true;
}

static bool parse_words(struct sim_options *list, struct scanner *s,
                        struct error *e)
{
    size_t first = list->count;
    while (next_word(s, e)) {
        if (s->word[0] == '\0' && !s->quoted)
            return true;
        bool name = !s->quoted && s->word[0] == '-' &&
                    isalpha((unsigned char)s->word[1]);
        if (!name && list->count == first)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:%d: '%.60s', expected an option (-name)",
                             s->file, s->line, s->word);
        if (name ? !add_option(list, s, e)
                 : !add_word(&list->option[list->count - 1], s->word, e))
            return false;
    }
    return false;
}

bool sim_options_parse(struct sim_options *list, const char *text,
                       const char *file, struct error *e)
{
    struct scanner s = {.at = text, .file = file, .line = 1};
    s.word = malloc(strlen(text) + 1);
    if (s.word == NULL)
        return error_no_memory(e);
    bool good = parse_words(list, &s, e);
    free(s.word);
    return good;
}

void sim_options_free(struct sim_options *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->option[i].name);
        free(list->option[i].value);
    }
    free(list->option);
    memset(list, 0, sizeof(*list));
}

const struct sim_option *sim_options_find(struct sim_options *list,
                                          const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        struct sim_option *o = &list->option[i];
        if (!o->overridden && strcmp(o->name, name) == 0) {
            o->used = true;
            return o;
        }
    }
    return NULL;
}

void sim_options_unused(const struct sim_options *list, char *out, size_t size)
{
    size_t used = 0;
    if (size == 0)
        return;
    out[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const struct sim_option *o = &list->option[i];
        if (o->used || o->overridden)
            continue;
        int n = snprintf(out + used, size - used, "%s-%s", used ? ", " : "",
                         o->name);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

bool sim_option_error(const struct sim_option *o, const char *expected,
                      struct error *e)
{
    return error_set(e, STATUS_BAD_INPUT, "%s:%d: -%s '%.100s', expected %s",
                     o->file, o->line, o->name, o->value, expected);
}

bool sim_option_numbers(const struct sim_option *o, char separator, int least,
                        int most, double *out, int *count, struct error *e)
{
    char expected[64];
    snprintf(expected, sizeof(expected), "%d%s number%s", least,
             most > least ? " or more" : "", most > 1 ? "s" : "");
    int n = 0;
    const char *at = o->value;
    for (;;) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || (*end != '\0' && *end != separator) || n == most)
            return sim_option_error(o, expected, e);
        out[n++] = value;
        if (*end == '\0')
            break;
        at = end + 1;
    }
    if (n < least)
        return sim_option_error(o, expected, e);
    if (count != NULL)
        *count = n;
    return true;
}
