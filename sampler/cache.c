/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/cache.h"

#include <stdlib.h>

#define FREE_TAG UINT64_MAX

static size_t index_of(const struct cache *c, int set, int way)
{
    return (size_t)set * (size_t)c->ways + (size_t)way;
}

/* Nothing but a tag. */
static void reset_line(struct cache *c, size_t at, uint64_t tag)
{
    c->line[at] = (struct cache_line){.tag = tag, .mshr = NO_MSHR};
    c->tag[at] = tag;
}

bool cache_init(struct cache *c, double size_kb, int ways, int line_bytes,
                bool hashed, const struct cache_choice *policy)
{
    int sets = (int)(size_kb * 1024 / ((double)ways * line_bytes));
    *c = (struct cache){.sets = sets < 1 ? 1 : sets,
                        .ways = ways,
                        .hashed = hashed,
                        .policy = policy->policy};
    size_t lines = (size_t)c->sets * (size_t)ways;
    c->line = malloc(lines * sizeof(*c->line));
    c->tag = malloc(lines * sizeof(*c->tag));
    c->locked = calloc(lines, 1);
    c->state = calloc(1, c->policy->state_size(c->sets, ways));
    if (c->line == NULL || c->tag == NULL || c->locked == NULL ||
        c->state == NULL)
        return false;
    for (size_t i = 0; i < lines; i++)
        reset_line(c, i, FREE_TAG);
    c->policy->init(c->state, c->sets, ways, policy->param);
    return true;
}

void cache_free(struct cache *c)
{
    free(c->line);
    free(c->tag);
    free(c->locked);
    free(c->state);
    *c = (struct cache){0};
}

int cache_set(const struct cache *c, uint64_t line)
{
    uint64_t sets = (uint64_t)c->sets;
    uint64_t index = line % sets;
    if (!c->hashed)
        return (int)index;
    /* Fold the upper bits in, as hashed set functions of GPU caches do
     * (Nugteren et al., HPCA 2014, Sec. 5). */
    for (uint64_t rest = line / sets; rest != 0; rest /= sets == 1 ? 2 : sets)
        index = (index + rest) % sets;
    return (int)index;
}

int cache_find(const struct cache *c, int set, uint64_t line)
{
    const uint64_t *tag = &c->tag[index_of(c, set, 0)];
    for (int way = 0; way < c->ways; way++)
        if (tag[way] == line)
            return way;
    return NO_WAY;
}

struct cache_line *cache_at(const struct cache *c, int set, int way)
{
    return &c->line[index_of(c, set, way)];
}

static int free_way(const struct cache *c, int set)
{
    return c->policy->partitioned ? NO_WAY : cache_find(c, set, FREE_TAG);
}

int cache_allocate(struct cache *c, int set, const struct cache_access *a,
                   struct cache_line *old)
{
    const uint8_t *locked = &c->locked[index_of(c, set, 0)];
    int way = free_way(c, set);
    if (way == NO_WAY)
        way = c->policy->victim(c->state, set, locked, a);
    if (way == NO_WAY)
        return NO_WAY;
    struct cache_line *l = cache_at(c, set, way);
    *old = *l;
    if (l->tag != FREE_TAG && c->policy->evict != NULL)
        c->policy->evict(c->state, set, way);
    reset_line(c, index_of(c, set, way), a->line);
    l->warp = (uint32_t)a->warp;
    l->critical = a->critical;
    c->policy->fill(c->state, set, way, a);
    return way;
}

void cache_touch(struct cache *c, int set, int way,
                 const struct cache_access *a)
{
    cache_at(c, set, way)->reused = true;
    c->policy->hit(c->state, set, way, a);
}

void cache_set_pending(struct cache *c, int set, int way, uint32_t sectors)
{
    cache_at(c, set, way)->pending = sectors;
    c->locked[index_of(c, set, way)] = sectors != 0;
}

void cache_drop(struct cache *c, int set, int way)
{
    struct cache_line *l = cache_at(c, set, way);
    if (l->pending != 0)
        return;
    if (l->tag != FREE_TAG && c->policy->drop != NULL)
        c->policy->drop(c->state, set, way);
    reset_line(c, index_of(c, set, way), FREE_TAG);
}

void cache_invalidate(struct cache *c)
{
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++)
            cache_drop(c, set, way);
}
