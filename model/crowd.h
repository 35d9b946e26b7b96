/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks anywhere in the grid touch alike: a crowd of them, every two of
 * which are compared. */
#ifndef MODEL_CROWD_H
#define MODEL_CROWD_H

#include "model/profile.h"
#include "model/walk.h"

/* By how many of the blocks a line or sector was touched. */
struct crowd_place {
    uint64_t key;
    uint32_t blocks; /* 0: the place is empty */
};

struct crowd {
    struct crowd_place *place; /* a hash table */
    size_t capacity, used;
    int blocks;
};

/* Add the first touches of a further block to a crowd that began as zeros.
 * False when out of memory. */
bool crowd_add(struct crowd *c, const struct first_touch *touch, size_t count);
void crowd_free(struct crowd *c);

/* From the first touches of all its blocks, three or more: SHARED_WIDE and
 * SHARED_WIDE_PAIRS of lines[], and of the sectors that are read in phase[] (by
 * first instruction), unless rows of the grid say more of what blocks share.
 * False when out of memory. */
bool crowd_count(const struct crowd *c, const struct first_touch *touch,
                 size_t count, struct profile_phase *const *phase,
                 size_t phases, double lines[SHARING_SUMS]);

#endif
