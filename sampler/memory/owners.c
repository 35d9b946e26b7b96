/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/owners.h"

#include <stdlib.h>

/* The entry of line, or the free one where it would go. */
static struct owner_entry *entry_of(const struct owners *o, uint64_t line)
{
    /* Fibonacci hashing (Knuth, TAOCP vol. 3, 6.4). */
    size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; at++) {
        struct owner_entry *e = &o->entry[at & (o->capacity - 1)];
        if (e->key == line + 1 || e->key == 0)
            return e;
    }
}

static bool allocate(struct owners *o, size_t capacity)
{
    *o = (struct owners){.capacity = capacity};
    o->entry = calloc(capacity, sizeof(*o->entry));
    return o->entry != NULL;
}

bool owners_init(struct owners *o)
{
    return allocate(o, 1024);
}

void owners_free(struct owners *o)
{
    free(o->entry);
}

uint32_t owners_words(const struct owners *o, uint64_t line, int sm)
{
    const struct owner_entry *e = entry_of(o, line);
    uint32_t words = 0;
    for (int w = 0; e->key != 0 && w < LINE_WORDS; w++)
        words |= (uint32_t)(e->sm[w] == sm) << w;
    return words;
}

uint32_t owners_any(const struct owners *o, uint64_t line)
{
    bool known = entry_of(o, line)->key != 0;
    return known ? ~owners_words(o, line, NO_OWNER) : 0;
}

uint32_t owners_other(const struct owners *o, uint64_t line, uint32_t words,
                      int but, int *sm)
{
    uint32_t others = words & owners_any(o, line) & ~owners_words(o, line, but);
    if (others == 0)
        return 0;
    *sm = entry_of(o, line)->sm[__builtin_ctz(others)];
    return others & owners_words(o, line, *sm);
}

static bool grow(struct owners *o)
{
    struct owners more;
    if (!allocate(&more, 2 * o->capacity))
        return false;
    for (size_t i = 0; i < o->capacity; i++)
        if (o->entry[i].key != 0) {
            *entry_of(&more, o->entry[i].key - 1) = o->entry[i];
            more.used++;
        }
    owners_free(o);
    *o = more;
    return true;
}

/* An entry for a line that has none. */
static bool add_line(struct owners *o, uint64_t line)
{
    if (2 * (o->used + 1) > o->capacity && !grow(o))
        return false;
    struct owner_entry *e = entry_of(o, line);
    e->key = line + 1;
    for (int w = 0; w < LINE_WORDS; w++)
        e->sm[w] = NO_OWNER;
    o->used++;
    return true;
}

bool owners_set(struct owners *o, uint64_t line, uint32_t words, int sm)
{
    if (entry_of(o, line)->key == 0) {
        if (sm == NO_OWNER)
            return true;
        if (!add_line(o, line))
            return false;
    }
    struct owner_entry *e = entry_of(o, line);
    for (; words != 0; words &= words - 1)
        e->sm[__builtin_ctz(words)] = (int16_t)sm;
    return true;
}
