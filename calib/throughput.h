/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Block throughput in the steady state and how well a run knows it, by batch
 * means (Law, Simulation Modeling and Analysis, 5th ed., Sec. 9.5.3). A batch
 * is a whole number of waves, so that blocks that move in step do not look like
 * noise. */
#ifndef CALIB_THROUGHPUT_H
#define CALIB_THROUGHPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THROUGHPUT_BATCHES 40 /* at most */
#define ENOUGH_BATCHES     20 /* for the stop rule */

struct throughput {
    double cycles_per_block;
    double relative_se; /* of cycles_per_block; NAN below two batches */
    int batches;
    double batch[THROUGHPUT_BATCHES]; /* cycles per block of each batch */
};

/* end[0..count-1]: the cycles at which blocks ended, ascending. The steady
 * state is from the end of block `from` to that of the last whole batch after
 * it. False when there is no whole wave. */
bool throughput_measure(struct throughput *out, const uint64_t *end,
                        size_t count, size_t from, size_t wave);

/* Correlation of two runs' errors, batch by batch over the same blocks; 0 where
 * they do not have the same batches. */
double throughput_correlation(const struct throughput *a,
                              const struct throughput *b);

/* The stop rule looks at a growing run again and again. Look i = 1, 2, ... may
 * spend 6/(pi i)^2 of the error probability, which sums to all of it. True when
 * the half-width at that confidence is at most `target` (relative). */
bool throughput_precise(const struct throughput *t, int look, double target);

#endif
