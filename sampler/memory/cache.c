/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/cache.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#define FREE_TAG UINT64_MAX

static size_t index_of(const struct cache *c, int set, int way)
{
    return (size_t)set * (size_t)c->ways + (size_t)way;
}

/* ---- marks: a byte of each tag, so that few tags are looked at ----------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* Never 0, the mark of the places behind a set's last way. */
static uint64_t mark_of(uint64_t tag)
{
    return tag * UINT64_C(0x9e3779b97f4a7c15) >> 56 | 1;
}

/* The highest bits of the bytes that are 0. */
static uint64_t zero_bytes(uint64_t x)
{
    uint64_t low = 0x7f * EACH_BYTE;
    return ~(((x & low) + low) | x | low);
}

static void set_mark(struct cache *c, int set, int way, uint64_t mark)
{
    uint64_t *word = &c->marks[(size_t)set * (size_t)c->words + way / 8];
    int at = way % 8 * 8;
    *word = (*word & ~(UINT64_C(0xff) << at)) | mark << at;
}

/* ---- lines --------------------------------------------------------------- */

/* Nothing but a tag. */
static void reset_line(struct cache *c, int set, int way, uint64_t tag)
{
    struct cache_line *l = &c->line[index_of(c, set, way)];
    c->written -= l->written != 0;
    *l = (struct cache_line){.tag = tag, .mshr = NO_MSHR};
    c->held[index_of(c, set, way)] = 0;
    set_mark(c, set, way, mark_of(tag));
}

static void *new_state(const struct cache_policy *p,
                       const struct cache_shape *shape)
{
    size_t size = p->state_size != NULL ? p->state_size(shape) : 0;
    return calloc(1, size > 0 ? size : 1);
}

bool cache_init(struct cache *c, double size_kb, int ways, int line_bytes,
                bool hashed, const struct choice *policy)
{
    int sets = (int)(size_kb * 1024 / ((double)ways * line_bytes));
    *c = (struct cache){.sets = sets < 1 ? 1 : sets,
                        .ways = ways,
                        .words = (ways + 7) / 8,
                        .hashed = hashed,
                        .policy = policy->cache};
    const struct cache_shape shape = {.policy = c->policy,
                                      .sets = c->sets,
                                      .ways = ways,
                                      .param = policy->param};
    size_t lines = (size_t)c->sets * (size_t)ways;
    c->line = calloc(lines, sizeof(*c->line));
    c->marks = calloc((size_t)c->sets * (size_t)c->words, sizeof(*c->marks));
    c->locked = calloc(lines, 1);
    c->held = calloc(lines, 1);
    c->state = new_state(c->policy, &shape);
    if (c->line == NULL || c->marks == NULL || c->locked == NULL ||
        c->held == NULL || c->state == NULL)
        return false;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < ways; way++)
            reset_line(c, set, way, FREE_TAG);
    if (c->policy->init != NULL)
        c->policy->init(c->state, &shape);
    return true;
}

void cache_free(struct cache *c)
{
    free(c->line);
    free(c->marks);
    free(c->locked);
    free(c->held);
    free(c->state);
    *c = (struct cache){0};
}

int cache_set(const struct cache *c, uint64_t line)
{
    uint64_t sets = (uint64_t)c->sets;
    uint64_t index = modulo(line, sets);
    if (!c->hashed)
        return (int)index;
    /* Fold the upper bits in, as hashed set functions of GPU caches do
     * (Nugteren et al., HPCA 2014, Sec. 5). */
    uint64_t by = sets == 1 ? 2 : sets;
    for (uint64_t rest = divide(line, sets); rest != 0; rest = divide(rest, by))
        index = modulo(index + rest, sets);
    return (int)index;
}

int cache_find(const struct cache *c, int set, uint64_t line)
{
    const struct cache_line *of_set = &c->line[index_of(c, set, 0)];
    const uint64_t *marks = &c->marks[(size_t)set * (size_t)c->words];
    uint64_t wanted = mark_of(line) * EACH_BYTE;
    for (int word = 0; word < c->words; word++) {
        uint64_t like = zero_bytes(marks[word] ^ wanted);
        for (; like != 0; like &= like - 1) {
            int way = word * 8 + __builtin_ctzll(like) / 8;
            if (of_set[way].tag == line)
                return way;
        }
    }
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

/* The ways of a set that may not be replaced. Where all are written lines,
 * there is nothing to wait for. */
static const uint8_t *untouchable(const struct cache *c, int set)
{
    const uint8_t *locked = &c->locked[index_of(c, set, 0)];
    const uint8_t *held = &c->held[index_of(c, set, 0)];
    size_t ways = (size_t)c->ways;
    bool few = c->written > 0 && c->written < c->written_most;
    return few && (memchr(held, 0, ways) != NULL ||
                   memchr(locked, 1, ways) != NULL)
               ? held
               : locked;
}

int cache_allocate(struct cache *c, int set, const struct cache_access *a,
                   struct cache_line *old)
{
    const uint8_t *locked = untouchable(c, set);
    int way = free_way(c, set);
    if (way == NO_WAY)
        way = c->policy->victim(c->state, set, locked, a);
    if (way == NO_WAY)
        return NO_WAY;
    if (way < 0 || way >= c->ways || locked[way])
        return WRONG_WAY;
    struct cache_line *l = cache_at(c, set, way);
    *old = *l;
    if (l->tag != FREE_TAG && c->policy->evict != NULL)
        c->policy->evict(c->state, set, way);
    reset_line(c, set, way, a->line);
    l->warp = (uint32_t)a->warp;
    l->critical = a->critical;
    if (c->policy->fill != NULL)
        c->policy->fill(c->state, set, way, a);
    return way;
}

void cache_touch(struct cache *c, int set, int way,
                 const struct cache_access *a)
{
    cache_at(c, set, way)->reused = true;
    if (c->policy->hit != NULL)
        c->policy->hit(c->state, set, way, a);
}

void cache_set_pending(struct cache *c, int set, int way, uint32_t sectors)
{
    struct cache_line *l = cache_at(c, set, way);
    size_t i = index_of(c, set, way);
    l->pending = sectors;
    c->locked[i] = sectors != 0;
    c->held[i] = (sectors | l->written) != 0;
}

void cache_set_written(struct cache *c, int set, int way, uint32_t sectors)
{
    struct cache_line *l = cache_at(c, set, way);
    c->written += (sectors != 0) - (l->written != 0);
    l->written = sectors;
    c->held[index_of(c, set, way)] = (sectors | l->pending) != 0;
}

void cache_drop(struct cache *c, int set, int way)
{
    struct cache_line *l = cache_at(c, set, way);
    if (l->pending != 0)
        return;
    if (l->tag != FREE_TAG && c->policy->drop != NULL)
        c->policy->drop(c->state, set, way);
    reset_line(c, set, way, FREE_TAG);
}

void cache_invalidate(struct cache *c)
{
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++)
            cache_drop(c, set, way);
}
