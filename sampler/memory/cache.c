/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/cache.h"

#include "base/bits.h"
#include "configs/address.h"
#include "configs/gpu.h"

#include <stdlib.h>
#include <string.h>

#define FREE_TAG UINT64_MAX
#define NO_MARK  0 /* of a free way */

/* Two bytes of the tag, so that hardly another tag is looked at. */
static uint64_t mixed(uint64_t tag)
{
    return tag * UINT64_C(0x9e3779b97f4a7c15);
}

static uint8_t mark_of(uint64_t tag)
{
    uint8_t mark = (uint8_t)(mixed(tag) >> 56);
    return mark != NO_MARK ? mark : 1;
}

static uint8_t second_mark_of(uint64_t tag)
{
    return (uint8_t)(mixed(tag) >> 48);
}

/* ---- lines --------------------------------------------------------------- */

/* What the way holds goes, if it holds something. */
static void empty_way(struct cache *c, int set, int way)
{
    size_t i = cache_index(c, set, way);
    if (c->mark[i] == NO_MARK)
        return;
    c->written -= c->line[i].written != 0;
    c->used[set]--;
    c->held[i] = 0;
    c->mark[i] = NO_MARK;
}

/* A line without any sectors comes into a free way. */
static void fill_way(struct cache *c, int set, int way,
                     const struct cache_access *a)
{
    size_t i = cache_index(c, set, way);
    c->line[i] = (struct cache_line){
        .tag = a->line,
        .mshr = NO_MSHR,
        .warp = (int8_t)a->warp,
        .critical = a->critical,
    };
    c->used[set]++;
    c->mark[i] = mark_of(a->line);
    c->second_mark[i] = second_mark_of(a->line);
}

static size_t line_count(const struct cache *c)
{
    return (size_t)c->sets * (size_t)c->ways;
}

/* False when memory is out. */
static bool make_room(struct cache *c)
{
    size_t lines = line_count(c);
    c->line = malloc(lines * sizeof(*c->line));
    c->mark = calloc(lines, 1);
    c->second_mark = calloc(lines, 1);
    c->used = calloc((size_t)c->sets, sizeof(*c->used));
    c->locked = calloc(lines, 1);
    c->held = calloc(lines, 1);
    c->state = calloc(1, c->state_size + 1);
    return c->line != NULL && c->mark != NULL && c->second_mark != NULL &&
           c->used != NULL && c->locked != NULL && c->held != NULL &&
           c->state != NULL;
}

bool cache_init(struct cache *c, double size_kb, int ways, int line_bytes,
                bool hashed, const struct choice *policy)
{
    int sets = (int)(size_kb * 1024 / ((double)ways * line_bytes));
    const struct cache_policy *p = policy->cache;
    *c = (struct cache){.sets = sets < 1 ? 1 : sets,
                        .ways = ways,
                        .hashed = hashed,
                        .policy = p};
    const struct cache_shape shape = {
        .policy = p, .sets = c->sets, .ways = ways, .param = policy->param};
    c->state_size = p->state_size != NULL ? p->state_size(&shape) : 0;
    if (!make_room(c))
        return false;
    if (p->init != NULL)
        p->init(c->state, &shape);
    return true;
}

void cache_hash_by(struct cache *c, int set_hash)
{
    bool power = (c->sets & (c->sets - 1)) == 0;
    bool fits = set_hash == SETS_FERMI ? c->sets == 32 || c->sets == 64
                                       : power && c->sets > 1;
    c->set_hash = fits ? set_hash : SETS_FOLDED;
}

uint64_t cache_sectors_held(const struct cache *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)c->sets * (size_t)c->ways; i++)
        if (c->mark[i] != 0)
            sum += (uint64_t)__builtin_popcount(c->line[i].valid);
    return sum;
}

bool cache_copy(struct cache *to, const struct cache *from)
{
    *to = *from;
    if (!make_room(to))
        return false;
    cache_assign(to, from);
    return true;
}

void cache_assign(struct cache *to, const struct cache *from)
{
    size_t lines = line_count(from);
    for (int set = 0; set < from->sets; set++) {
        size_t first = cache_index(from, set, 0);
        if (from->used[set] > 0)
            memcpy(&to->line[first], &from->line[first],
                   (size_t)from->ways * sizeof(*to->line));
    }
    memcpy(to->mark, from->mark, lines);
    memcpy(to->second_mark, from->second_mark, lines);
    memcpy(to->used, from->used, (size_t)from->sets * sizeof(*to->used));
    memcpy(to->locked, from->locked, lines);
    memcpy(to->held, from->held, lines);
    memcpy(to->state, from->state, from->state_size);
    to->written = from->written;
}

void cache_free(struct cache *c)
{
    free(c->line);
    free(c->mark);
    free(c->second_mark);
    free(c->used);
    free(c->locked);
    free(c->held);
    free(c->state);
    *c = (struct cache){0};
}

/* Fold the upper bits in, as hashed set functions of GPU caches do (Nugteren et
 * al., HPCA 2014, Sec. 5). */
static int folded_set(uint64_t line, uint64_t sets)
{
    uint64_t index = modulo(line, sets), by = sets == 1 ? 2 : sets;
    for (uint64_t rest = divide(line, sets); rest != 0; rest = divide(rest, by))
        index = modulo(index + rest, sets);
    return (int)index;
}

/* That of the Fermi L1, lines of 128 bytes in 32 sets: bits 7 to 11 of an
 * address with bits 13, 14, 15, 17 and 19, of 64 sets and bit 12 (the same
 * paper). */
static int fermi_set(uint64_t line, uint64_t sets)
{
    uint64_t upper =
        (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
    return (int)(((line ^ upper) & 31) | (sets > 32 ? line & 32 : 0));
}

/* As address_ipoly() has slices, of as many bits as GPGPU-Sim reads. */
static int ipoly_set(uint64_t line, uint64_t sets)
{
    uint64_t read = (UINT64_C(1) << address_ipoly_bits(sets)) - 1;
    return (int)address_ipoly(divide(line, sets) & read, line & (sets - 1),
                              __builtin_ctzll(sets));
}

int cache_set(const struct cache *c, uint64_t line)
{
    uint64_t sets = (uint64_t)c->sets;
    uint64_t index = modulo(line, sets);
    if (!c->hashed)
        return (int)index;
    switch ((enum set_hash)c->set_hash) {
    case SETS_FERMI:
        return fermi_set(line, sets);
    case SETS_IPOLY:
        return ipoly_set(line, sets);
    case SETS_XOR:
        return (int)((line ^ divide(line, sets)) & (sets - 1));
    default:
        return folded_set(line, sets);
    }
}

int cache_find(const struct cache *c, int set, uint64_t line)
{
    size_t first = cache_index(c, set, 0);
    const uint8_t *marks = &c->mark[first], *end = marks + c->ways;
    const uint8_t *seconds = &c->second_mark[first];
    int mark = mark_of(line), second = second_mark_of(line);
    for (const uint8_t *at = marks;
         (at = memchr(at, mark, (size_t)(end - at))) != NULL; at++) {
        ptrdiff_t way = at - marks;
        if (seconds[way] == second && c->line[first + (size_t)way].tag == line)
            return (int)way;
    }
    return NO_WAY;
}

static int free_way(const struct cache *c, int set)
{
    if (c->policy->partitioned || c->used[set] == c->ways)
        return NO_WAY;
    const uint8_t *marks = &c->mark[cache_index(c, set, 0)];
    const uint8_t *way = memchr(marks, NO_MARK, (size_t)c->ways);
    return (int)(way - marks);
}

/* The ways of a set that may not be replaced. Where all are written lines,
 * there is nothing to wait for. */
static const uint8_t *untouchable(const struct cache *c, int set)
{
    const uint8_t *locked = &c->locked[cache_index(c, set, 0)];
    const uint8_t *held = &c->held[cache_index(c, set, 0)];
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
    bool is_free = cache_way_is_free(c, set, way);
    *old =
        is_free ? (struct cache_line){.tag = FREE_TAG} : *cache_at(c, set, way);
    if (!is_free && c->policy->evict != NULL)
        c->policy->evict(c->state, set, way);
    empty_way(c, set, way);
    fill_way(c, set, way, a);
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
    size_t i = cache_index(c, set, way);
    l->pending = sectors;
    c->locked[i] = sectors != 0;
    c->held[i] = (sectors | l->written) != 0;
}

void cache_set_written(struct cache *c, int set, int way, uint32_t sectors)
{
    struct cache_line *l = cache_at(c, set, way);
    c->written += (sectors != 0) - (l->written != 0);
    l->written = sectors;
    c->held[cache_index(c, set, way)] = (sectors | l->pending) != 0;
}

void cache_drop(struct cache *c, int set, int way)
{
    if (cache_way_is_free(c, set, way) || cache_at(c, set, way)->pending != 0)
        return;
    if (c->policy->drop != NULL)
        c->policy->drop(c->state, set, way);
    empty_way(c, set, way);
}

void cache_invalidate(struct cache *c)
{
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; c->used[set] > 0 && way < c->ways; way++)
            cache_drop(c, set, way);
}
