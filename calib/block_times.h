/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How different the times are that the blocks of a window take. Blocks that
 * take the same stay in step: they begin and end together for the whole grid.
 */
#ifndef CALIB_BLOCK_TIMES_H
#define CALIB_BLOCK_TIMES_H

#include "configs/gpu.h"

#include <stdint.h>

/* Waves whose blocks are looked at. Chosen: as many as a window measures. */
#define BLOCK_TIMES_WAVES 32
/* Blocks of an SM whose order is looked at: as many as one holds at most (CUDA
 * C Programming Guide, technical specifications by compute capability). */
#define BLOCK_TIMES_RANKS 32

/* Of some blocks. */
struct block_sums {
    double blocks, sum, squares;
};

struct block_times {
    uint64_t first, resident; /* the first block that counts; of a wave */
    struct block_sums wave[BLOCK_TIMES_WAVES];
    struct block_sums sm[MAX_SMS]; /* of the first wave */
    /* ... by how many had ended on their SM before */
    struct block_sums rank[BLOCK_TIMES_RANKS];
};

/* A block that ended on an SM. */
void block_times_add(struct block_times *t, uint64_t block, int sm,
                     double cycles);
/* Deviation of the times of a wave's blocks, as a share of their mean, that of
 * all waves together: from one to the next the mean may change. NAN where no
 * wave has two. */
double block_times_spread(const struct block_times *t);

/* Likewise of the first wave's blocks from those on the same SM alone. */
double block_times_spread_on_sm(const struct block_times *t);

/* Of the first wave's n-th blocks to end on each SM, all n together. NAN: of
 * one SM alone. */
double block_times_spread_in_order(const struct block_times *t);

/* Their mean, of those of the first wave. */
double block_times_mean(const struct block_times *t);

/* How far blocks that began together end by SMs, as waves_in_step() takes it.
 * Where the first blocks to end on each SM are less apart from each other, and
 * the second ones, and so on, than where blocks end in no order, SMs go on
 * alike: 0 less what is missing of that variance. Elsewhere it is the share of
 * the variance of when blocks end that is between SMs, whose warp instructions
 * spread by `sm_spread` after so many cycles, and go on to do so by the root of
 * time; the rest is between the blocks of an SM. Of one SM alone it is told by
 * whether SMs are less apart than by the root of the number of its blocks. NAN:
 * no SM has two blocks. Measured: of fifteen kernels under lrr, after a fifth
 * of their first wave, SMs end 0.3 to 2.5 times as far apart as that has it but
 * for three, of which two are shorter than 11,000 cycles; of 22 of which a part
 * of a wave is left, the most blocks of it that an SM gets are told for 16. */
double block_times_alike(const struct block_times *t, double sm_spread,
                         double cycles);

/* How far blocks that began together are from step after so many waves of them:
 * the deviation of the places that they have reached, in blocks, when each
 * block's time deviates by `spread` of it and none depends on another. Whole
 * waves are left of the first harmonic as the normal distribution's
 * characteristic function has it: 1 of blocks in step, 0 of those anywhere. */
double blocks_apart(double spread, double waves);
double blocks_in_step(double apart);

/* When the latest of so many ends on average, in deviations behind their mean
 * and within 0.03 of one, if they are normally distributed (Blom, Statistical
 * Estimates and Transformed Beta-Variables, 1958). */
double blocks_latest(double count);

/* How far that is by chance, likewise: half of what lies between the quantiles
 * that are one deviation from the middle of a normal one. */
double blocks_latest_deviation(double count);

#endif
