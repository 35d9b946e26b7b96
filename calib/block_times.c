/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/block_times.h"

#include <math.h>

#define PI 3.14159265358979323846

void block_times_add(struct block_times *t, uint64_t block, double cycles)
{
    if (block < t->first)
        return;
    uint64_t wave = (block - t->first) / t->resident;
    if (wave >= BLOCK_TIMES_WAVES)
        return;
    t->wave[wave].blocks++;
    t->wave[wave].sum += cycles;
    t->wave[wave].squares += cycles * cycles;
}

double block_times_spread(const struct block_times *t)
{
    double freedom = 0, squares = 0, cycles = 0, blocks = 0;
    for (int i = 0; i < BLOCK_TIMES_WAVES; i++) {
        double n = t->wave[i].blocks, sum = t->wave[i].sum;
        if (n < 2)
            continue;
        freedom += n - 1;
        squares += t->wave[i].squares - sum * sum / n;
        blocks += n;
        cycles += sum;
    }
    return freedom > 0 ? sqrt(fmax(0, squares) / freedom) / (cycles / blocks)
                       : NAN;
}

double blocks_apart(double spread, double waves)
{
    return spread * sqrt(waves);
}

double blocks_in_step(double apart)
{
    return exp(-2 * pow(PI * apart, 2));
}
