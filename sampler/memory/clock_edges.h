/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In which core cycle a command clock of the DRAM falls, as GPGPU-Sim has it
 * (gpgpu_sim::next_clock_domain): it adds up the periods of both, so that where
 * edges coincide, what rounding leaves of the sums says which comes first. */
#ifndef SAMPLER_MEMORY_CLOCK_EDGES_H
#define SAMPLER_MEMORY_CLOCK_EDGES_H

#include <stddef.h>
#include <stdint.h>

/* Edges that are remembered: those of the clocks that a controller looks at by
 * turns. A power of two. */
#define EDGES_KNOWN 16

struct clock_edges {
    double clock_cycles; /* core cycles of a command clock */
    double core_period, dram_period;
    /* Edges added up to, and their times. */
    uint64_t cycle, clock;
    double core_time, dram_time;
    struct {
        uint64_t clock, cycle;
    } known[EDGES_KNOWN]; /* by clock; at first all are of clock 0 */
};

/* For clock_edges_cycle: of a clock from 1 on, worked out anew. */
uint64_t clock_edges_work_out(struct clock_edges *e, uint64_t clock);
void clock_edges_init(struct clock_edges *e, double core_mhz, double dram_mhz);
/* The core cycle that a command clock goes before, or with. */
static inline uint64_t clock_edges_cycle(struct clock_edges *e, uint64_t clock)
{
    size_t at = clock % EDGES_KNOWN;
    if (e->known[at].clock != clock) {
        e->known[at].cycle = clock_edges_work_out(e, clock);
        e->known[at].clock = clock;
    }
    return e->known[at].cycle;
}

#endif
