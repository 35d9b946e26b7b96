/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/block_times.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define PI 3.14159265358979323846

static void add(struct block_sums *s, double cycles)
{
    s->blocks++;
    s->sum += cycles;
    s->squares += cycles * cycles;
}

void block_times_add(struct block_times *t, uint64_t block, int sm,
                     double cycles)
{
    if (block < t->first)
        return;
    uint64_t wave = (block - t->first) / t->resident;
    if (wave >= BLOCK_TIMES_WAVES)
        return;
    add(&t->wave[wave], cycles);
    if (wave > 0)
        return;
    if (t->sm[sm].blocks < BLOCK_TIMES_RANKS)
        add(&t->rank[(int)t->sm[sm].blocks], cycles);
    add(&t->sm[sm], cycles);
}

/* From the mean of its own group each, as a share of the mean. */
static double spread(const struct block_sums *of, int groups)
{
    double freedom = 0, squares = 0, cycles = 0, blocks = 0;
    for (int i = 0; i < groups; i++) {
        double n = of[i].blocks, sum = of[i].sum;
        if (n < 2)
            continue;
        freedom += n - 1;
        squares += of[i].squares - sum * sum / n;
        blocks += n;
        cycles += sum;
    }
    return freedom > 0 ? sqrt(fmax(0, squares) / freedom) / (cycles / blocks)
                       : NAN;
}

/* Variance of the n-th of so many normal deviates in order, n being any: as a
 * share of theirs, within 3 % of what 6,000 draws have for up to eight of them
 * and 11 % for up to 32. */
static double variance_in_order(double count)
{
    return 1 / (0.55 + 0.44 * count);
}

double block_times_spread(const struct block_times *t)
{
    return spread(t->wave, BLOCK_TIMES_WAVES);
}

double block_times_spread_on_sm(const struct block_times *t)
{
    return spread(t->sm, MAX_SMS);
}

double block_times_spread_in_order(const struct block_times *t)
{
    return spread(t->rank, BLOCK_TIMES_RANKS);
}

double block_times_mean(const struct block_times *t)
{
    return t->wave[0].sum / t->wave[0].blocks;
}

/* Most blocks of the first wave on an SM. */
static double most_on_sm(const struct block_times *t)
{
    double most = 0;
    for (int i = 0; i < MAX_SMS; i++)
        most = fmax(most, t->sm[i].blocks);
    return most;
}

/* Of the variance that blocks have by how many ended on their SM before, the
 * share that is missing to that of blocks in no order. NAN: of one SM alone. */
static double alike_in_order(const struct block_times *t)
{
    double all = spread(&t->wave[0], 1);
    double apart = block_times_spread_in_order(t);
    double by_chance = all * all * variance_in_order(most_on_sm(t));
    if (isnan(apart))
        return NAN;
    return by_chance > 0 ? 1 - apart * apart / by_chance : 0;
}

double block_times_alike(const struct block_times *t, double sm_spread,
                         double cycles)
{
    double ordered = alike_in_order(t);
    double within = pow(block_times_spread_on_sm(t), 2);
    double between = sm_spread * sm_spread * cycles / block_times_mean(t);
    double by_chance = within / most_on_sm(t);
    if (isnan(by_chance))
        return NAN;
    if (ordered > 0)
        return -ordered;
    if (between < by_chance)
        return isnan(ordered) ? between / by_chance - 1 : 0;
    return within + between > 0 ? between / (within + between) : -1;
}

double blocks_apart(double spread, double waves)
{
    return spread * sqrt(waves);
}

double blocks_in_step(double apart)
{
    return exp(-2 * pow(PI * apart, 2));
}

double blocks_latest(double count)
{
    return gsl_cdf_ugaussian_Pinv((count - 0.375) / (count + 0.25));
}

double blocks_latest_deviation(double count)
{
    double late = pow(gsl_cdf_ugaussian_P(1), 1 / count);
    double early = pow(gsl_cdf_ugaussian_P(-1), 1 / count);
    return (gsl_cdf_ugaussian_Pinv(late) - gsl_cdf_ugaussian_Pinv(early)) / 2;
}
