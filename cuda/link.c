/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/link.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words --------------------------------------------------------------- */

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '%';
}

static bool goes_on(char c)
{
    return begins_name(c) || (c >= '0' && c <= '9');
}

/* The end of the word at `s`: a directive, a name, a number, a comment, a
 * string, or one character. */
static const char *word_end(const char *s)
{
    const char *end;
    if (s[0] == '/' && s[1] == '/')
        return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*')
        return (end = strstr(s + 2, "*/")) != NULL ? end + 2 : s + strlen(s);
    if (s[0] == '"')
        return (end = strchr(s + 1, '"')) != NULL ? end + 1 : s + strlen(s);
    end = s + 1;
    while ((s[0] == '.' || goes_on(s[0])) && goes_on(*end))
        end++;
    return end;
}

static bool is_word(const char *s, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - s) &&
           strncmp(s, word, (size_t)(end - s)) == 0;
}

/* ---- what a module consists of --------------------------------------------
 */

struct item {
    const char *at, *end;
    const char *name; /* NULL: it has none */
    size_t name_bytes;
    const char *linkage, *linkage_end; /* .visible, ..; NULL: its own */
    size_t text;                       /* whose it is */
    bool is_header;                    /* .version, .target, .address_size */
    bool is_section;                   /* for debuggers */
    bool is_function;
    bool is_set;       /* not only declared */
    struct item *next; /* of the same hash */
};

#define BUCKETS 4096

struct linker {
    struct item *item;
    size_t items, room;
    struct item *bucket[BUCKETS];
    char *out;
    size_t size, out_room;
    bool failed; /* no memory */
};

/* Directives that end with their line. */
static bool is_line(const char *s, const char *end, bool *is_header)
{
    *is_header = is_word(s, end, ".version") || is_word(s, end, ".target") ||
                 is_word(s, end, ".address_size");
    return *is_header || is_word(s, end, ".file");
}

/* Take a word of an item into account. */
static void note_word(struct item *i, const char *s, const char *end,
                      int parentheses)
{
    if (is_word(s, end, ".func") || is_word(s, end, ".entry"))
        i->is_function = true;
    if (is_word(s, end, ".extern"))
        i->is_set = false;
    if (is_word(s, end, ".extern") || is_word(s, end, ".visible") ||
        is_word(s, end, ".weak") || is_word(s, end, ".common")) {
        i->linkage = s;
        i->linkage_end = end;
    }
    if (i->name == NULL && parentheses == 0 && begins_name(*s)) {
        i->name = s;
        i->name_bytes = (size_t)(end - s);
    }
}

/* The item from `s` on, which is not the end. */
static struct item read_item(const char *s)
{
    struct item i = {.at = s, .is_set = true};
    int braces = 0, parentheses = 0;
    const char *end = word_end(s);
    if (is_line(s, end, &i.is_header)) {
        i.end = s + strcspn(s, "\n");
        return i;
    }
    i.is_section = is_word(s, end, ".section");
    for (; *s != '\0'; s = end) {
        end = word_end(s);
        braces += (*s == '{') - (*s == '}');
        parentheses += (*s == '(') - (*s == ')');
        if (braces == 0 && *s == '}' && (i.is_function || i.is_section))
            break;
        if (braces == 0 && *s == ';') {
            i.is_set = i.is_set && !i.is_function;
            break;
        }
        if (braces == 0 && !i.is_section)
            note_word(&i, s, end, parentheses);
    }
    i.end = *s != '\0' ? end : s;
    return i;
}

static struct item **bucket_of(struct linker *l, const char *name, size_t bytes)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return &l->bucket[hash % BUCKETS];
}

static void add_item(struct linker *l, const struct item *i)
{
    if (l->items == l->room) {
        size_t room = l->room != 0 ? 2 * l->room : 256;
        struct item *grown = realloc(l->item, room * sizeof(*grown));
        if (grown == NULL) {
            l->failed = true;
            return;
        }
        l->item = grown;
        l->room = room;
    }
    l->item[l->items++] = *i;
}

static void read_items(struct linker *l, const char *s, size_t text)
{
    while (*(s += strspn(s, " \t\r\n")) != '\0' && !l->failed) {
        struct item i = {.end = word_end(s)};
        if (*s != '/') {
            i = read_item(s);
            i.text = text;
            add_item(l, &i);
        }
        s = i.end;
    }
}

/* In the order of the items in each bucket. */
static void fill_buckets(struct linker *l)
{
    for (size_t n = l->items; n-- > 0;) {
        struct item *i = &l->item[n];
        if (i->name == NULL)
            continue;
        struct item **bucket = bucket_of(l, i->name, i->name_bytes);
        i->next = *bucket;
        *bucket = i;
    }
}

/* ---- names ----------------------------------------------------------------
 */

static const struct item *same_name(const struct item *i, const char *name,
                                    size_t bytes)
{
    while (i != NULL &&
           (i->name_bytes != bytes || strncmp(i->name, name, bytes) != 0))
        i = i->next;
    return i;
}

/* Whether what a text calls so is its own, and another's name as well. */
static bool is_renamed(struct linker *l, const char *name, size_t bytes,
                       size_t text)
{
    bool is_own = false, is_taken = false;
    const struct item *i = *bucket_of(l, name, bytes);
    for (; (i = same_name(i, name, bytes)) != NULL; i = i->next)
        if (i->text == text)
            is_own = is_own || i->linkage == NULL;
        else
            is_taken = is_taken || i->linkage != NULL || i->text < text;
    return is_own && is_taken;
}

/* The first that sets what others name; NULL: none does. */
static const struct item *definition(struct linker *l, const struct item *of)
{
    const struct item *i = NULL;
    if (of->name != NULL && of->linkage != NULL)
        i = *bucket_of(l, of->name, of->name_bytes);
    while ((i = same_name(i, of->name, of->name_bytes)) != NULL &&
           (!i->is_set || i->linkage == NULL))
        i = i->next;
    return i;
}

/* ---- the text -------------------------------------------------------------
 */

static void put(struct linker *l, const char *text, size_t bytes)
{
    if (bytes >= l->out_room - l->size) {
        size_t room = 2 * (l->out_room + bytes) + 4096;
        char *grown = realloc(l->out, room);
        if (grown == NULL) {
            l->failed = true;
            return;
        }
        l->out = grown;
        l->out_room = room;
    }
    memcpy(l->out + l->size, text, bytes);
    l->size += bytes;
    l->out[l->size] = '\0';
}

/* A word of an item. */
static void put_word(struct linker *l, const struct item *i, const char *s,
                     const char *end, const struct item *is)
{
    char suffix[32];
    /* What a function is declared as it is set as. */
    if (s == i->linkage && is != NULL && is->is_function)
        put(l, is->linkage, (size_t)(is->linkage_end - is->linkage));
    else
        put(l, s, (size_t)(end - s));
    if (begins_name(*s) && is_renamed(l, s, (size_t)(end - s), i->text))
        put(l, suffix,
            (size_t)snprintf(suffix, sizeof(suffix), "$of$%zu", i->text + 1));
}

#define FILES_MAX 100000 /* of a text, as far as it numbers them */

/* .file NUMBER NAME or .loc NUMBER LINE COLUMN, the files of each text behind
 * those of the ones before; what else a line tells goes by a section. Its end.
 */
static const char *put_file(struct linker *l, const struct item *i,
                            const char *s, const char *end)
{
    char number[32];
    char *behind;
    unsigned long file = strtoul(end, &behind, 10);
    int n = snprintf(number, sizeof(number), "\t%lu",
                     file + FILES_MAX * (unsigned long)i->text);
    put(l, s, (size_t)(end - s));
    put(l, number, (size_t)n);
    put(l, behind, strcspn(behind, ",\n"));
    return behind + strcspn(behind, "\n");
}

/* Without ", debug": there are no sections any more. */
static void put_header(struct linker *l, const struct item *i)
{
    size_t size = (size_t)(i->end - i->at), first = strcspn(i->at, ",\n");
    put(l, i->at, size < first ? size : first);
    put(l, "\n", 1);
}

static void put_item(struct linker *l, const struct item *i)
{
    const struct item *is = definition(l, i);
    const char *end;
    if (i->is_header && i->text == 0)
        put_header(l, i);
    if (i->is_header || i->is_section || (i->is_set && is != NULL && is != i))
        return;
    for (const char *s = i->at; s < i->end; s = end) {
        end = word_end(s);
        if (is_word(s, end, ".file") || is_word(s, end, ".loc"))
            end = put_file(l, i, s, end);
        else
            put_word(l, i, s, end, is);
    }
    put(l, "\n", 1);
}

char *link_texts(char *const *text, size_t texts, size_t *size)
{
    struct linker *l = calloc(1, sizeof(*l));
    if (l == NULL)
        return NULL;
    for (size_t i = 0; i < texts; i++)
        read_items(l, text[i], i);
    fill_buckets(l);
    for (size_t i = 0; i < l->items && !l->failed; i++)
        put_item(l, &l->item[i]);
    char *out = l->out;
    if (l->failed) {
        free(out);
        out = NULL;
    }
    *size = l->size;
    free(l->item);
    free(l);
    return out;
}
