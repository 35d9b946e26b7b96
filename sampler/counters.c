/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/counters.h"

#define WORD                 sizeof(uint64_t)
#define OFFSET(field)        (offsetof(struct sampler_counts, field) / WORD)
#define ROW(field, u, w)     {#field, u, w, OFFSET(field), 1},
#define ROWS(field, n, u, w) {#field, u, w, OFFSET(field), n},

const struct counter sampler_counters[] = {
    SAMPLER_COUNTERS(ROW, ROWS){.name = NULL}};

/* Nothing lies between or behind the counters: they can be added as words. */
#define COUNT_ROW(field, u, w)     char field;
#define COUNT_ROWS(field, n, u, w) char field[n];
struct rows {
    SAMPLER_COUNTERS(COUNT_ROW, COUNT_ROWS)
};
enum { WORDS = sizeof(struct rows) };
_Static_assert(sizeof(struct sampler_counts) == WORDS * WORD,
               "struct sampler_counts is exactly its rows");

static const uint64_t *words(const struct sampler_counts *c)
{
    return (const uint64_t *)c;
}

void counters_add(struct sampler_counts *sum, const struct sampler_counts *part)
{
    uint64_t *to = (uint64_t *)sum;
    for (size_t i = 0; i < WORDS; i++)
        to[i] += words(part)[i];
}

void counters_subtract(struct sampler_counts *sum,
                       const struct sampler_counts *part)
{
    uint64_t *from = (uint64_t *)sum;
    for (size_t i = 0; i < WORDS; i++)
        from[i] -= words(part)[i];
}

uint64_t counter_value(const struct sampler_counts *c,
                       const struct counter *counter, size_t i)
{
    return words(c)[counter->first + i];
}

const struct counter *counters_differ(const struct sampler_counts *a,
                                      const struct sampler_counts *b)
{
    for (const struct counter *c = sampler_counters; c->name != NULL; c++)
        for (size_t i = 0; i < c->number; i++)
            if (counter_value(a, c, i) != counter_value(b, c, i))
                return c;
    return NULL;
}
