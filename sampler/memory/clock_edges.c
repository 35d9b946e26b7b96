/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/clock_edges.h"

#include <math.h>
#include <stdbool.h>

#define HZ 1e6 /* of a MHz */
/* Cycles that edges which coincide are apart by rounding at most. */
#define COINCIDES 1e-6

void clock_edges_init(struct clock_edges *e, double core_mhz, double dram_mhz)
{
    *e = (struct clock_edges){.clock_cycles = core_mhz / dram_mhz,
                              .core_period = 1 / (core_mhz * HZ),
                              .dram_period = 1 / (dram_mhz * HZ)};
}

static void start_anew(struct clock_edges *e)
{
    e->cycle = e->clock = 0;
    e->core_time = e->dram_time = 0;
}

static bool sums_say_later(struct clock_edges *e, uint64_t clock,
                           uint64_t cycle)
{
    if (clock < e->clock)
        start_anew(e);
    for (; e->clock < clock; e->clock++)
        e->dram_time += e->dram_period;
    for (; e->cycle < cycle; e->cycle++)
        e->core_time += e->core_period;
    return e->dram_time > e->core_time;
}

uint64_t clock_edges_work_out(struct clock_edges *e, uint64_t clock)
{
    double cycles = (double)clock * e->clock_cycles;
    uint64_t near = (uint64_t)(cycles + 0.5);
    if (fabs(cycles - (double)near) > COINCIDES)
        return near + ((double)near < cycles);
    return near + sums_say_later(e, clock, near);
}
