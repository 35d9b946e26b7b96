/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Least recently used. */
#include "sampler/policy/l1/cache_policy.h"

/* A way's neighbours in the order of last use. */
struct link {
    uint16_t older, newer;
};

/* Each set's ways in a ring, which a link behind them closes: its newer
 * neighbour is the oldest way. */
struct lru {
    int ways;
    struct link link[];
};

static size_t state_size(const struct cache_shape *shape)
{
    return sizeof(struct lru) + (size_t)shape->sets *
                                    (size_t)(shape->ways + 1) *
                                    sizeof(struct link);
}

/* All zero, a ring has not been used yet: its ways are in order. */
static void close_ring(struct link *ring, int ways)
{
    for (int way = 0; way <= ways; way++)
        ring[way] = (struct link){(uint16_t)(way > 0 ? way - 1 : ways),
                                  (uint16_t)(way < ways ? way + 1 : 0)};
}

static struct link *ring_of(struct lru *l, int set)
{
    struct link *ring = &l->link[line_index(set, 0, l->ways + 1)];
    if (ring[0].newer == 0)
        close_ring(ring, l->ways);
    return ring;
}

static void init(void *state, const struct cache_shape *shape)
{
    struct lru *l = state;
    l->ways = shape->ways;
}

static void use(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct lru *l = state;
    struct link *ring = ring_of(l, set), *mine = &ring[way];
    ring[mine->older].newer = mine->newer;
    ring[mine->newer].older = mine->older;
    *mine = (struct link){ring[l->ways].older, (uint16_t)l->ways};
    ring[mine->older].newer = ring[l->ways].older = (uint16_t)way;
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    struct lru *l = state;
    const struct link *ring = ring_of(l, set);
    int way = ring[l->ways].newer;
    while (way < l->ways && locked[way])
        way = ring[way].newer;
    return way < l->ways ? way : -1;
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
