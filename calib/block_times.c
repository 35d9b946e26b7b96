/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/block_times.h"

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
    if (wave == 0)
        add(&t->sm[sm], cycles);
}

/* From the mean of its own group each. */
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

double block_times_spread(const struct block_times *t)
{
    return spread(t->wave, BLOCK_TIMES_WAVES);
}

double block_times_spread_on_sm(const struct block_times *t)
{
    return spread(t->sm, MAX_SMS);
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

double block_times_alike(const struct block_times *t, double sm_spread,
                         double cycles)
{
    double within = pow(block_times_spread_on_sm(t), 2);
    double between = sm_spread * sm_spread * cycles / block_times_mean(t);
    double by_chance = within / most_on_sm(t);
    if (isnan(by_chance))
        return NAN;
    if (between < by_chance)
        return between / by_chance - 1;
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
