/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Re-reference interval prediction with 2 bits a line (Jaleel et al., ISCA
 * 2010, "hit priority"): what srrip, ship and cacp share. */
#ifndef SAMPLER_POLICY_L1_RRIP_H
#define SAMPLER_POLICY_L1_RRIP_H

#include "sampler/policy/l1/cache_policy.h"

/* Predicted distance to the next use. */
enum { RRIP_NEAR = 0, RRIP_LONG = 2, RRIP_DISTANT = 3 };

struct rrip {
    int ways;
    uint8_t *value; /* [set * ways + way], in the policy's state */
};

static inline void rrip_set(struct rrip *r, int set, int way, uint8_t value)
{
    r->value[line_index(set, way, r->ways)] = value;
}

/* Among ways first..end-1 of the set the first whose value is RRIP_DISTANT; the
 * values of all of them grow until there is one. Locked ways are not chosen; -1
 * when all are. */
int rrip_victim(struct rrip *r, int set, const uint8_t *locked, int first,
                int end);

/* Counters of 2 bits that learn by signature whether lines are used again. */
enum { COUNTER_START = 1, COUNTER_MAX = 3 };

static inline void count_up(uint8_t *counter)
{
    *counter += *counter < COUNTER_MAX;
}

static inline void count_down(uint8_t *counter)
{
    *counter -= *counter > 0;
}

#endif
