/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/draw.h"

#include "base/gsl.h"
#include "base/mix.h"
#include "kernels/file/hash_draw.h"

#include <gsl/gsl_sf_exp.h>
#include <math.h>

size_t draw_state_size(void)
{
    gsl_return_errors();
    return gsl_rng_taus2->size;
}

void draw_seed(void *state, uint64_t seed, uint64_t block, uint32_t warp)
{
    uint64_t mixed = mix(mix(mix(seed) ^ block) ^ warp);
    gsl_rng_taus2->set(state, (unsigned long)(mixed & 0xffffffff));
}

gsl_rng draw_generator(void *state)
{
    return (gsl_rng){gsl_rng_taus2, state};
}

int64_t draw_uniform(gsl_rng *rng, int64_t n)
{
    if (n < 2)
        return 0;
    if (n <= UINT32_MAX)
        return (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n);
    uint64_t high = gsl_rng_get(rng), low = gsl_rng_get(rng);
    return (int64_t)((high << 32 | low) % (uint64_t)n);
}

/* Rejection-inversion (Hörmann and Derflinger, ACM Transactions on Modeling and
 * Computer Simulation 6(3), 1996) for h(x) = x^-s. area() is an integral of h,
 * written with (exp(t) - 1) / t so that s near 1 needs no case of its own. */
static double area(double x, double s)
{
    double log_x = log(x);
    return gsl_sf_exprel((1 - s) * log_x) * log_x;
}

static double area_inverse(double a, double s)
{
    double t = a * (1 - s);
    if (t < -1)
        t = -1; /* rounding only */
    double log1p_over_t = fabs(t) > 1e-8 ? log1p(t) / t : 1 - t / 2;
    return exp(log1p_over_t * a);
}

struct zipf zipf_prepare(int64_t n, double s)
{
    struct zipf z = {.n = (double)n, .s = s};
    z.area_first = area(1.5, s) - 1;
    z.area_last = area(z.n + 0.5, s);
    z.squeeze = 2 - area_inverse(area(2.5, s) - pow(2, -s), s);
    return z;
}

int64_t draw_zipf(gsl_rng *rng, const struct zipf *z)
{
    for (;;) {
        double u = z->area_last +
                   gsl_rng_uniform_pos(rng) * (z->area_first - z->area_last);
        double x = area_inverse(u, z->s);
        double k = fmin(fmax(floor(x + 0.5), 1), z->n);
        if (k - x <= z->squeeze || u >= area(k + 0.5, z->s) - pow(k, -z->s))
            return (int64_t)k - 1;
    }
}
