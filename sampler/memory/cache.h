/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sectored set-associative tag array with pluggable replacement. Lines are
 * allocated when a miss is sent out and stay locked until the fill is back. */
#ifndef SAMPLER_MEMORY_CACHE_H
#define SAMPLER_MEMORY_CACHE_H

#include "sampler/policy/l1/cache_policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_WAY    (-1)
#define WRONG_WAY (-2)
#define NO_MSHR   UINT32_MAX

struct cache_line {
    uint64_t tag;        /* line address */
    uint32_t valid;      /* sectors present */
    uint32_t dirty;      /* sectors to be written back */
    uint32_t pending;    /* sectors on their way */
    uint32_t written;    /* sectors that stores have written through */
    uint32_t mshr;       /* owner's bookkeeping of the pending fill */
    int8_t warp;         /* slot that brought it, for eviction events */
    bool reused;         /* hit since it was brought */
    bool critical;       /* the warp that brought it was */
    bool critical_reuse; /* hit by a critical warp since it was brought */
};

struct cache {
    int sets, ways;
    bool hashed;
    int set_hash; /* enum set_hash */
    /* [set * ways + way] each */
    struct cache_line *line; /* undefined where the way is free */
    uint8_t *mark;           /* a byte of the tag, 0 where the way is free */
    uint8_t *second_mark;    /* another one */
    uint8_t *locked;         /* some sector is pending */
    uint8_t *held;           /* likewise, or has been written through */
    int *used;               /* ways of each set that are not free */
    int written;             /* lines with sectors written through */
    int written_most;        /* from which on they may be replaced */
    const struct cache_policy *policy;
    size_t state_size;
    void *state;
};

/* bytes / (ways * line_bytes) sets, at least one. False when memory is out. */
bool cache_init(struct cache *c, double size_kb, int ways, int line_bytes,
                bool hashed, const struct choice *policy);
/* Hash another way (enum set_hash) than SETS_FOLDED, as a new cache does:
 * SETS_FERMI where there are 32 or 64 sets, the others where they are a power
 * of two. */
void cache_hash_by(struct cache *c, int set_hash);
void cache_free(struct cache *c);

/* Sectors of all its lines that are there. */
uint64_t cache_sectors_held(const struct cache *c);

/* Another cache with the same lines, for policies whose state is bytes alone.
 * False when memory is out; cache_free(to) in either case. */
bool cache_copy(struct cache *to, const struct cache *from);
/* The same into a cache that is there, of the same shape and policy. */
void cache_assign(struct cache *to, const struct cache *from);

/* The set that a line belongs to. */
int cache_set(const struct cache *c, uint64_t line);
/* The way that holds or awaits `line`, or NO_WAY. */
int cache_find(const struct cache *c, int set, uint64_t line);
static inline size_t cache_index(const struct cache *c, int set, int way)
{
    return (size_t)set * (size_t)c->ways + (size_t)way;
}

/* Whether the way holds and awaits nothing. */
static inline bool cache_way_is_free(const struct cache *c, int set, int way)
{
    return c->mark[cache_index(c, set, way)] == 0;
}

/* What a way that is not free holds; valid until the cache is freed. */
static inline struct cache_line *cache_at(const struct cache *c, int set,
                                          int way)
{
    return &c->line[cache_index(c, set, way)];
}

/* Make room for a line: the chosen way's old content is copied to *old (tag
 * UINT64_MAX when it was free) and the way now carries the new tag with nothing
 * valid. NO_WAY when every way is locked; WRONG_WAY when the policy chose one
 * that is, or that there is not, and nothing has changed. */
int cache_allocate(struct cache *c, int set, const struct cache_access *a,
                   struct cache_line *old);
/* The line is accessed again: the policy hears of it. */
void cache_touch(struct cache *c, int set, int way,
                 const struct cache_access *a);
/* Set the sectors that are on their way (0 unlocks). */
void cache_set_pending(struct cache *c, int set, int way, uint32_t sectors);
/* Set the sectors that stores have written through. The line is then replaced
 * only when `written_most` lines of the cache are such, or nothing else in its
 * set ever will be. */
void cache_set_written(struct cache *c, int set, int way, uint32_t sectors);
/* Drop a line unless it awaits a fill; dirty data is the caller's to save. */
void cache_drop(struct cache *c, int set, int way);
/* Drop all lines, as cache_drop() does. */
void cache_invalidate(struct cache *c);

#endif
