/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In which core cycle a command clock of the DRAM falls, as GPGPU-Sim has it
 * (gpgpu_sim::next_clock_domain): it adds up the periods of both, so that where
 * edges coincide, what rounding leaves of the sums says which comes first. */
#ifndef SAMPLER_MEMORY_CLOCK_EDGES_H
#define SAMPLER_MEMORY_CLOCK_EDGES_H

#include <stdbool.h>
#include <stdint.h>

/* Coinciding edges that are remembered: those of the clocks that a controller
 * looks at by turns. */
#define EDGES_KNOWN 8

struct clock_edges {
    double clock_cycles; /* core cycles of a command clock */
    double core_period, dram_period;
    /* Edges added up to, and their times. */
    uint64_t cycle, clock;
    double core_time, dram_time;
    struct {
        uint64_t clock;
        bool later;
    } known[EDGES_KNOWN];
    int oldest;
};

void clock_edges_init(struct clock_edges *e, double core_mhz, double dram_mhz);
/* The core cycle that a command clock goes before, or with. */
uint64_t clock_edges_cycle(struct clock_edges *e, uint64_t clock);

#endif
