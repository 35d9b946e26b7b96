/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contract of a cache replacement policy. The L1's is chosen; all other
 * caches have lru. It is one file with a const struct cache_policy and one line
 * in table.h. */
#ifndef SAMPLER_POLICY_L1_CACHE_POLICY_H
#define SAMPLER_POLICY_L1_CACHE_POLICY_H

#include "sampler/policy/policy.h"

#include <stdint.h>

struct cache_access {
    uint64_t line;    /* line address (byte address >> line bits) */
    uint64_t address; /* of the line's first byte */
    uint32_t pc;      /* of the instruction, in instructions */
    int warp;         /* slot */
    bool critical;    /* warp is critical, where a criticality predictor runs */
    bool write;
};

struct cache_policy;

/* What a state is for. */
struct cache_shape {
    const struct cache_policy *policy; /* for one that has data of its own
                                        * behind it */
    int sets, ways;
    const double *param;
};

struct cache_policy {
    struct policy_info info;
    bool needs_criticality;
    /* Bytes of state for a cache of that shape, zeroed before init (optional:
     * none). */
    size_t (*state_size)(const struct cache_shape *shape);
    void (*init)(void *state, const struct cache_shape *shape); /* optional */
    /* An access found its line (optional). */
    void (*hit)(void *state, int set, int way, const struct cache_access *a);
    /* The way of `set` to replace; ways with locked[way] != 0 (reserved for a
     * fill) may not be chosen. -1 when all are locked. Ways not valid are used
     * before this is asked, except where `partitioned` is set. */
    int (*victim)(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a);
    /* A line comes into the way (optional). */
    void (*fill)(void *state, int set, int way, const struct cache_access *a);
    /* The line there makes room for another (optional). */
    void (*evict)(void *state, int set, int way);
    /* A line became invalid without being replaced (optional). */
    void (*drop)(void *state, int set, int way);
    /* Its counters of what lines do that is of no line: *size bytes in the
     * state, as another cache's may begin with (optional: it learns nothing).
     */
    uint8_t *(*learned)(void *state, size_t *size);
    bool partitioned; /* ask for a victim even when ways are invalid */
};

static inline size_t cache_lines(const struct cache_shape *shape)
{
    return (size_t)shape->sets * (size_t)shape->ways;
}

/* Where a policy keeps what it knows of a way. */
static inline size_t line_index(int set, int way, int ways)
{
    return (size_t)set * (size_t)ways + (size_t)way;
}

#endif
