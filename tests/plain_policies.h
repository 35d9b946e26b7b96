/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies for tests, in no table: of each kind one that does nothing, one that
 * does the least that works, and for caches the best there can be.
 *
 * null   never decides: no warp issues, no SM gets a block, no line goes. A run
 *        under it must end with an error, never hang or crash.
 * plain  keeps no state and leaves out every callback it may.
 * best   of the L1 replacement policies Belady's, which no other one can beat
 *        on the same accesses. It has to know them beforehand, so it is of use
 *        to a tag array driven by hand and to no run: there what is accessed
 *        next depends on what was hit. For the same reason the other kinds have
 *        no best policy. */
#ifndef TESTS_PLAIN_POLICIES_H
#define TESTS_PLAIN_POLICIES_H

#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"

/* ---- warp schedulers ---------------------------------------------------- */

static inline int null_pick(void *state, const struct warp_table *table,
                            uint64_t ready, uint64_t cycle)
{
    (void)state;
    (void)table;
    (void)ready;
    (void)cycle;
    return -1;
}

/* The lowest slot. */
static inline int plain_pick(void *state, const struct warp_table *table,
                             uint64_t ready, uint64_t cycle)
{
    (void)state;
    (void)table;
    (void)cycle;
    return __builtin_ctzll(ready);
}

static const struct warp_policy null_warp = {
    .info = {.name = "null", .summary = "no warp issues", .paper = "none"},
    .pick = null_pick};
static const struct warp_policy plain_warp = {
    .info = {.name = "plain", .summary = "the lowest slot", .paper = "none"},
    .pick = plain_pick};

/* ---- thread-block schedulers -------------------------------------------- */

static inline int64_t null_next(void *state,
                                const struct block_context *context, int sm)
{
    (void)state;
    (void)context;
    (void)sm;
    return -1;
}

static const struct block_policy null_block = {
    .info = {.name = "null", .summary = "no blocks go out", .paper = "none"},
    .next = null_next};
static const struct block_policy plain_block = {
    .info = {.name = "plain", .summary = "in turn", .paper = "none"}};

/* ---- L1 replacement policies -------------------------------------------- */

static inline int null_victim(void *state, int set, const uint8_t *locked,
                              const struct cache_access *a)
{
    (void)state;
    (void)set;
    (void)locked;
    (void)a;
    return -1;
}

#define PLAIN_WAYS 4 /* that the policies below look at */

/* The first way that is not locked. */
static inline int plain_victim(void *state, int set, const uint8_t *locked,
                               const struct cache_access *a)
{
    (void)state;
    (void)set;
    (void)a;
    for (int way = 0; way < PLAIN_WAYS; way++)
        if (!locked[way])
            return way;
    return -1;
}

static const struct cache_policy null_cache = {
    .info = {.name = "null", .summary = "no line goes", .paper = "none"},
    .victim = null_victim};
static const struct cache_policy plain_cache = {
    .info = {.name = "plain", .summary = "the first way", .paper = "none"},
    .victim = plain_victim};

/* State of best_cache, of one set: whoever drives the cache writes the accesses
 * into it and counts them. */
struct best {
    const uint64_t *line; /* accessed, in order */
    int accesses, now;
    uint64_t held[PLAIN_WAYS];
};

static inline size_t best_state_size(const struct cache_shape *shape)
{
    (void)shape;
    return sizeof(struct best);
}

static inline void best_fill(void *state, int set, int way,
                             const struct cache_access *a)
{
    (void)set;
    ((struct best *)state)->held[way] = a->line;
}

static inline int best_next_use(const struct best *b, uint64_t line)
{
    int i = b->now + 1;
    while (i < b->accesses && b->line[i] != line)
        i++;
    return i;
}

/* The line that is used again last (Belady, IBM Systems Journal 5(2), 1966). */
static inline int best_victim(void *state, int set, const uint8_t *locked,
                              const struct cache_access *a)
{
    (void)set;
    (void)a;
    const struct best *b = state;
    int victim = -1, latest = -1;
    for (int way = 0; way < PLAIN_WAYS; way++) {
        int use = best_next_use(b, b->held[way]);
        if (!locked[way] && use > latest) {
            victim = way;
            latest = use;
        }
    }
    return victim;
}

static const struct cache_policy best_cache = {
    .info = {.name = "best", .summary = "used again last", .paper = "Belady"},
    .state_size = best_state_size,
    .victim = best_victim,
    .fill = best_fill};

#endif
