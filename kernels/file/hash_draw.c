/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/hash_draw.h"

#include "base/mix.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide_unsigned;

int64_t hash_below(int64_t x, int64_t n)
{
    return n < 1 ? 0 : (int64_t)(mix((uint64_t)x) % (uint64_t)n);
}

/* x % n, where inverse is floor((2^64 - 1) / n): the quotient that it gives is
 * right or one too small. */
static uint64_t remainder_by(uint64_t x, uint64_t n, uint64_t inverse)
{
    uint64_t quotient = (uint64_t)((wide_unsigned)x * inverse >> 64);
    uint64_t rest = x - quotient * n;
    return rest >= n ? rest - n : rest;
}

void hash_below_lanes(int64_t x[WARP_LANES], int64_t n)
{
    uint64_t range = n < 1 ? 1 : (uint64_t)n;
    uint64_t inverse = UINT64_MAX / range;
    for (int l = 0; l < WARP_LANES; l++)
        x[l] = (int64_t)remainder_by(mix((uint64_t)x[l]), range, inverse);
}

/* Of tries that succeed with one probability, how many it takes. */
struct tries {
    double log_failure;
    double one; /* above it a uniform draw surely means one */
};

/* What roundings of logarithms stay well below. */
#define ROUNDING 1e-9

static struct tries tries_of(int64_t percent)
{
    double success = 100.0 / (double)percent;
    return (struct tries){log1p(-success), (1 - success) * (1 + ROUNDING)};
}

/* By inversion of the distribution function, 1 - (1 - 1/mean)^k. */
static int64_t geometric(int64_t x, const struct tries *t)
{
    double u = ((double)(mix((uint64_t)x) >> 11) + 0.5) * 0x1p-53;
    return u > t->one ? 1 : 1 + (int64_t)(log(u) / t->log_failure);
}

int64_t hash_geometric(int64_t x, int64_t percent)
{
    if (percent <= 100)
        return 1;
    const struct tries t = tries_of(percent);
    return geometric(x, &t);
}

void hash_geometric_lanes(int64_t x[WARP_LANES], int64_t percent)
{
    const struct tries t = tries_of(percent > 100 ? percent : 100);
    for (int l = 0; l < WARP_LANES; l++)
        x[l] = percent <= 100 ? 1 : geometric(x[l], &t);
}
