/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the blocks of a grid have to do with each other's lines, in numbers of
 * blocks. */
#ifndef MODEL_SHARED_LINES_H
#define MODEL_SHARED_LINES_H

#include "model/neighbours.h"

struct shared_lines {
    double blocks;
    double row; /* blocks in a row of the grid */
    /* Of a block's lines; of SHARED_WIDE the lines of which any other block
     * touches each with the chance `by_chance`. */
    double share[SHARING_SUMS];
    double by_chance;
};

/* Of those that sum[] leaves to chance at most the share `open`, 0 to 1. */
void shared_lines_set(struct shared_lines *s, const double sum[SHARING_SUMS],
                      double open, double blocks, double row);

/* Of first touches: the chance with which any other block touches the same, for
 * those of which it does at all. These are a share of all first touches: as
 * many, and as many pairs, as were seen. 0 when none was. */
double shared_by_chance(const double sum[SHARING_SUMS], double open);

/* Lines that a block adds to those of a window of successive blocks, as a share
 * of its lines. */
double shared_lines_own(const struct shared_lines *s, double window);

#endif
