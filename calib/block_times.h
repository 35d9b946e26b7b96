/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How different the times are that the blocks of a window take. Blocks that
 * take the same stay in step: they begin and end together for the whole grid.
 */
#ifndef CALIB_BLOCK_TIMES_H
#define CALIB_BLOCK_TIMES_H

#include <stdint.h>

/* Waves whose blocks are looked at. Chosen: as many as a window measures. */
#define BLOCK_TIMES_WAVES 32

struct block_times {
    uint64_t first, resident; /* the first block that counts; of a wave */
    struct {
        double blocks, sum, squares;
    } wave[BLOCK_TIMES_WAVES];
};

/* A block that ended. */
void block_times_add(struct block_times *t, uint64_t block, double cycles);
/* Deviation of the times of a wave's blocks, as a share of their mean, that of
 * all waves together: from one to the next the mean may change. NAN where no
 * wave has two. */
double block_times_spread(const struct block_times *t);

#endif
