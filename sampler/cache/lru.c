/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Least recently used. */
#include "sampler/cache/policies.h"

struct lru {
    uint64_t clock;
    int ways;
    uint64_t used[]; /* by line_index: time of last use */
};

static size_t state_size(int sets, int ways)
{
    return sizeof(struct lru) + (size_t)sets * (size_t)ways * sizeof(uint64_t);
}

static void init(void *state, int sets, int ways, const double *param)
{
    (void)sets;
    (void)param;
    ((struct lru *)state)->ways = ways;
}

static void use(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct lru *l = state;
    l->used[line_index(set, way, l->ways)] = ++l->clock;
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    const struct lru *l = state;
    const uint64_t *used = &l->used[line_index(set, 0, l->ways)];
    int oldest = -1;
    for (int way = 0; way < l->ways; way++)
        if (!locked[way] && (oldest < 0 || used[way] < used[oldest]))
            oldest = way;
    return oldest;
}

const struct cache_policy cache_lru = {
    .info = {.name = "lru",
             .summary = "replace the least recently used line",
             .paper = "baseline of all five papers"},
    .state_size = state_size,
    .init = init,
    .hit = use,
    .victim = victim,
    .fill = use,
};
