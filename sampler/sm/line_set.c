/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/line_set.h"

#include <stdlib.h>

/* Where the line is or would be; capacity is a power of two and never full.
 * Fibonacci hashing (Knuth, vol. 3, sec. 6.4). */
static size_t place_of(const struct line_set *s, uint64_t line)
{
    size_t at = (line * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (at &= s->capacity - 1; s->slot[at] != 0 && s->slot[at] != line + 1;)
        at = (at + 1) & (s->capacity - 1);
    return at;
}

static bool grow(struct line_set *s)
{
    struct line_set bigger = {.capacity =
                                  s->capacity == 0 ? 1024 : 2 * s->capacity};
    bigger.slot = calloc(bigger.capacity, sizeof(*bigger.slot));
    if (bigger.slot == NULL)
        return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slot[i] != 0)
            bigger.slot[place_of(&bigger, s->slot[i] - 1)] = s->slot[i];
    bigger.count = s->count;
    free(s->slot);
    *s = bigger;
    return true;
}

bool line_set_add(struct line_set *s, uint64_t line)
{
    if (2 * s->count >= s->capacity && !grow(s))
        return false;
    size_t at = place_of(s, line);
    s->count += s->slot[at] == 0;
    s->slot[at] = line + 1;
    return true;
}

bool line_set_has(const struct line_set *s, uint64_t line)
{
    return s->capacity > 0 && s->slot[place_of(s, line)] != 0;
}

void line_set_free(struct line_set *s)
{
    free(s->slot);
    *s = (struct line_set){0};
}
