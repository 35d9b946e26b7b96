/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/coherence_owners.h"

#include <stdlib.h>

#define FREE_LINE UINT64_MAX

/* The entry of line, or the free one where it would go. */
static struct owner_entry *entry_of(const struct owners *o, uint64_t line)
{
    /* Fibonacci hashing (Knuth, TAOCP vol. 3, 6.4). */
    size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; at++) {
        struct owner_entry *e = &o->entry[at & (o->capacity - 1)];
        if (e->line == line || e->line == FREE_LINE)
            return e;
    }
}

static bool allocate(struct owners *o, size_t capacity)
{
    *o = (struct owners){.capacity = capacity};
    o->entry = malloc(capacity * sizeof(*o->entry));
    for (size_t i = 0; o->entry != NULL && i < capacity; i++)
        o->entry[i] = (struct owner_entry){FREE_LINE, NO_OWNER};
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

int owners_find(const struct owners *o, uint64_t line)
{
    return entry_of(o, line)->sm;
}

static bool grow(struct owners *o)
{
    struct owners more;
    if (!allocate(&more, 2 * o->capacity))
        return false;
    for (size_t i = 0; i < o->capacity; i++)
        if (o->entry[i].sm != NO_OWNER) {
            *entry_of(&more, o->entry[i].line) = o->entry[i];
            more.used++;
        }
    owners_free(o);
    *o = more;
    return true;
}

bool owners_set(struct owners *o, uint64_t line, int sm)
{
    struct owner_entry *e = entry_of(o, line);
    if (e->line == line || sm == NO_OWNER) {
        e->sm = sm;
        return true;
    }
    if (2 * (o->used + 1) > o->capacity && !grow(o))
        return false;
    *entry_of(o, line) = (struct owner_entry){line, sm};
    o->used++;
    return true;
}
