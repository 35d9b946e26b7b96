/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/kernel_time.h"

#include "configs/gpu.h"

#include <math.h>

static double block_time(const struct demand *d, const struct overlap *o,
                         const struct gpu *g, double blocks)
{
    return overlap_block_time(d, o, blocks) + g->launch.block_cycles;
}

/* Blocks start and end together: whole waves, then what is left. */
static double in_waves(double per_sm, double resident, double full, double rest)
{
    double waves = floor(ceil(per_sm) / resident);

    return waves * full + rest;
}

/* Blocks end one after the other: a steady stream, and a drain in which one
 * block after the other is not replaced (the mean of the block times at 1 to
 * `resident` blocks, by Simpson's rule). */
static double as_stream(double per_sm, double resident, double full,
                        double half, double one)
{
    double drain = resident > 1 ? (one + 4 * half + full) / 6 : one;

    return (per_sm - (resident + 1) / 2) * full / resident + drain;
}

/* How far blocks hold each other up, 0 (each takes as long as alone) to 1 (one
 * after the other). Only as far as that can one end before the others. */
static double contention(double full, double one, double resident)
{
    if (resident <= 1)
        return 1;
    return fmin(1, fmax(0, (full / one - 1) / (resident - 1)));
}

/* How much longer the slowest of n blocks takes than the mean, in standard
 * deviations (Gumbel's limit for the normal distribution). */
static double slowest_of(double n)
{
    return n > 1 ? sqrt(2 * log(n)) : 0;
}

struct kernel_time kernel_time(const struct profile *p, const struct gpu *g,
                               const struct demand *d, const struct overlap *o,
                               int blocks_resident, bool spread_out,
                               double tail_factor)
{
    double per_sm = p->blocks / g->sms, whole = ceil(per_sm);
    double resident = fmin(blocks_resident, whole);
    double rest = fmod(whole, resident);
    struct kernel_time k = {.block = block_time(d, o, g, resident)};
    double one = resident > 1 ? block_time(d, o, g, 1) : k.block;
    double last = rest > 0 ? block_time(d, o, g, rest) : 0;
    double waves = in_waves(per_sm, resident, k.block, last), stream = waves;
    double mixed, tail;

    if (per_sm > resident)
        stream = as_stream(per_sm, resident, k.block,
                           block_time(d, o, g, (resident + 1) / 2), one);
    mixed = waves + contention(k.block, one, resident) *
                        (spread_out ? 1 : 0.5) * (stream - waves);
    tail = tail_factor * p->spread * k.block *
           slowest_of(fmin(p->blocks, resident * g->sms));
    k.cycles = fmax(mixed, p->blocks * g->launch.block_period) + tail +
               g->launch.kernel_cycles;
    if (!g->icache.perfect)
        k.cycles += p->code_lines * g->icache.miss_latency /
                    (resident * p->warps_per_block);
    k.steady = fmin(k.cycles, floor(per_sm / resident) * k.block);
    return k;
}
