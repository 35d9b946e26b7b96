/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random draws of kernel files: GSL generators whose state lives in a warp's
 * stream state, and the distributions GSL lacks. */
#ifndef KERNELS_FILE_DRAW_H
#define KERNELS_FILE_DRAW_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of generator state of one warp. */
size_t draw_state_size(void);
/* Seed `state` for a warp; streams of different warps are unrelated. */
void draw_seed(void *state, uint64_t seed, uint64_t block, uint32_t warp);
/* The generator over `state`, valid as long as it is. */
gsl_rng draw_generator(void *state);

/* Uniform 0..n-1; 0 when n < 2. */
int64_t draw_uniform(gsl_rng *rng, int64_t n);

/* 0..n-1 with probability proportional to 1 / (k + 1)^s. */
struct zipf {
    double n, s;
    double area_first, area_last, squeeze;
};
#define ZIPF_EXPONENT_MAX 16.0
struct zipf zipf_prepare(int64_t n, double s);
int64_t draw_zipf(gsl_rng *rng, const struct zipf *z);

#endif
