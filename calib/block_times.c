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

double blocks_apart(double spread, double waves)
{
    return spread * sqrt(waves);
}

double blocks_in_step(double apart)
{
    return exp(-2 * pow(PI * apart, 2));
}
