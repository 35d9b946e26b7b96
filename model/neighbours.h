/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks near a block, and which of its lines other blocks touch as well. */
#ifndef MODEL_NEIGHBOURS_H
#define MODEL_NEIGHBOURS_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct kernel;

/* A group is a block and its neighbours, whose touching of the same lines says
 * what blocks share. */
enum neighbour {
    CENTRE,
    RIGHT,
    NEXT_ROW, /* of a grid of three dimensions, which says whether it is one */
    NEXT_PLANE, /* of rows or one of planes (neighbours_plane) */
    LEFT,
    BELOW, /* in the next row of the grid, or plane */
    ABOVE,
    PARTNER,   /* the next block of the same SM */
    SECOND,    /* the one after that */
    FAR_RIGHT, /* FAR blocks away in the row, on either side */
    FAR_BELOW, /* as far in rows, or as there are */
    REMOTE,    /* anywhere in the grid, on other rows and columns */
    REMOTE_TOO,
    NEIGHBOURS
};

/* Chance knows no distance. */
#define DISTANT (BIT(REMOTE) | BIT(REMOTE_TOO))

/* Blocks of a row of the grid, as it was given. */
int64_t neighbours_row(const struct kernel *k);
/* Blocks of a plane of the grid, which is as good a row where what is next to a
 * block in another plane shares more with it; 0 where there are no planes. */
int64_t neighbours_plane(const struct kernel *k);
/* Blocks that differ: of the grid, or of a period. Neighbours are among the
 * first so many; what periods have in common is not what blocks share. */
uint64_t neighbours_blocks(const struct kernel *k);

/* False when the grid, of rows of x blocks, has no such neighbour of the
 * block, which else is *out. */
bool neighbour_block(const struct kernel *k, const struct gpu *g, int64_t x,
                     uint64_t centre, int which, uint64_t *out);

/* Of what a block touches for the first time (lines or sectors): all; and what
 * it takes away from that when a block counts only its share, 1/n where n
 * blocks touch the same. Rows of the grid are taken first, then what they have
 * in common with other rows. */
enum sharing_sum {
    SHARED_COLD, /* all */
    SHARED_NEAR,
    SHARED_NEAR_ALL, /* of SHARED_NEAR, what the whole row touches */
    SHARED_FAR,
    SHARED_FAR_ALL, /* of SHARED_FAR, what every row touches */
    SHARED_PARTNER, /* all that the next block of the same SM touches, too */
    SHARED_PARTNER_ALL, /* of these, what the one after it does, too */
    /* Where a block touches what others touch by chance: the mean share of
     * distant blocks that do, and of pairs of them that both do. */
    SHARED_WIDE,
    SHARED_WIDE_PAIRS,
    SHARED_ROOM,   /* what may differ of what all blocks touch first */
    SHARED_MIDDLE, /* what a block FAR blocks away touches and those next to it
                    * do not, as numberings of graphs and meshes have it */
    SHARING_SUMS
};

/* Of what the centre touches, what blocks on both sides do, but not the far
 * one; and what a block on one side does. */
struct sides {
    double both, one;
};

/* The same in both directions. */
struct group_sides {
    struct sides near, far;
};

/* Add what the centre and the neighbours of `mask` touch, of those in `known`
 * that were looked at. */
void neighbours_add_sides(struct group_sides *s, uint32_t mask, uint32_t known,
                          double weight);

/* Add `weight` of the same, in rows of `row` blocks; `sides`: what the whole
 * group touches. */
void neighbours_count(double sum[SHARING_SUMS], const struct kernel *k,
                      int64_t row, uint32_t mask, uint32_t known,
                      const struct group_sides *sides, double weight);

#endif
