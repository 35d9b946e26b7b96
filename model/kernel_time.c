/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/kernel_time.h"

#include "configs/gpu.h"
#include "model/constants.h"

#include <math.h>

double kernel_block_time(const struct demand *d, const struct overlap *o,
                         const struct gpu *g, double blocks)
{
    return overlap_block_time(d, o, blocks) + g->launch.block_cycles;
}

static double block_time(const struct grid_run *r, double blocks)
{
    return kernel_block_time(r->demand, r->overlap, r->gpu, blocks);
}

/* In the last wave. */
static double last_time(const struct grid_run *r, double blocks)
{
    return kernel_block_time(r->last_demand, r->last_overlap, r->gpu, blocks);
}

/* While one block after the other is not replaced: the mean of the block times
 * at 1 to `resident` blocks, by Simpson's rule. */
static double drain_time(const struct grid_run *r, double resident, double full)
{
    if (resident <= 1)
        return full;
    return (last_time(r, 1) + 4 * last_time(r, (resident + 1) / 2) + full) / 6;
}

/* Blocks end one after the other: a steady stream, and a drain. */
static double as_stream(double per_sm, double resident, double full,
                        double drain)
{
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

/* How much longer than the mean the longest of n blocks takes, as a share: by
 * how far blocks differ, but not beyond the longest of those that were looked
 * at, as far as more blocks have longer ones. */
static double longest_of(const struct profile *p, double n)
{
    double by_spread = p->spread * slowest_of(n);
    double looked_at = slowest_of(p->longest_of);
    return looked_at > 0 ? fmin(by_spread,
                                p->longest * fmax(1, slowest_of(n) / looked_at))
                         : by_spread;
}

/* The time of a block as a share of its own when no SM keeps L2 and memory from
 * another: what it is on the SMs that are the last to end. */
static double alone_share(const struct grid_run *r, double resident,
                          double full)
{
    struct demand d = *r->demand;
    d.use[RES_L2] = d.use[RES_DRAM] = 0;
    return kernel_block_time(&d, r->overlap, r->gpu, resident) / full;
}

/* Blocks of an SM end one after the other when the oldest goes first, and all
 * at about the same time when their warps advance together: between a stream
 * and waves, as far as blocks hold each other up. */
static double grid_time(const struct grid_run *r, double resident, double full,
                        double waves)
{
    double per_sm = r->profile->blocks / r->gpu->sms;
    double one = resident > 1 ? block_time(r, 1) : full;
    if (per_sm <= resident)
        return waves;
    double drain = drain_time(r, resident, full);
    double stream = as_stream(per_sm, resident, full, drain);
    if (ceil(per_sm) > (1 + ONE_BLOCK) * per_sm)
        stream =
            fmax(stream, alone_share(r, resident, full) *
                             as_stream(ceil(per_sm), resident, full, drain));
    return waves + contention(full, one, resident) *
                       (r->overlap->aligned ? ALIGNED_STREAM : 1) *
                       (stream - waves);
}

/* Blocks that an SM holds when it gets one each `period` cycles: as many as
 * come until the first of them ends. */
static double held_of(const struct grid_run *r, double resident, double full,
                      double period)
{
    double held = resident, time = full;
    for (int i = 0; i < HELD_STEPS && time < held * period; i++) {
        held = fmax(1, time / period);
        time = block_time(r, held);
    }
    return held;
}

/* The last block is handed out when all others have been, and takes its time
 * among those that have not ended. */
static double handed_out(const struct grid_run *r, double resident, double full)
{
    const struct gpu *g = r->gpu;
    double period = g->launch.block_period;
    if (period <= 0)
        return 0;
    double held = held_of(r, resident, full, period * g->sms);
    return (r->profile->blocks - 1) * period + block_time(r, held);
}

/* Of the longest block that was counted or walked, which no other hastens. */
static double longest_time(const struct grid_run *r)
{
    return last_time(r, 1) * (1 + r->profile->longest);
}

struct kernel_time kernel_time(const struct grid_run *r)
{
    const struct profile *p = r->profile;
    const struct gpu *g = r->gpu;
    double resident = fmin(r->blocks_resident, ceil(p->blocks / g->sms));
    struct kernel_time k = {.block = block_time(r, resident)};
    k.in_waves = r->whole_waves * k.block + last_time(r, r->last_resident);
    double grid = grid_time(r, resident, k.block, k.in_waves);
    /* Others have ended by then. */
    double tail = r->tail_factor * last_time(r, 1) *
                  longest_of(p, fmin(p->blocks, resident * g->sms));
    double others = fmax(grid, handed_out(r, resident, k.block)) + tail;
    k.cycles = fmax(others, longest_time(r));
    k.longest = 1 - others / k.cycles;
    k.cycles += g->launch.kernel_cycles;
    if (!g->icache.perfect)
        k.cycles += p->code_lines * g->icache.miss_latency /
                    (resident * p->warps_per_block);
    return k;
}
