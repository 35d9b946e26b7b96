/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What exact gates of the way to memory are sums of: configuration terms.
 * On plain_gpu() a cycle is one of every clock, and
 *
 *   2    from issue to the load/store unit's step: collector, unit
 *   11   request: icnt.latency 10, one flit (header 8 of 40 bytes)
 *   50   l2.latency
 *   14   answer with a line: icnt.latency 10, four flits (8 + 128 bytes)
 *   40   dram.latency
 *   12   dram.rcd, 12 dram.cl, 12 dram.rp
 *   5    two bursts of 64 bytes, whose commands are dram.ccdl 3 apart, and two
 *        cycles of data (64 GB/s over 2 channels = 32 bytes a cycle) */
#ifndef TESTS_MEMORY_GATE_H
#define TESTS_MEMORY_GATE_H

#include "tests/script_gate.h"

enum {
    TO_UNIT = 2,
    REQUEST = 11,
    L2 = 50,
    ANSWER = 14,
    L2_HIT = TO_UNIT + REQUEST + L2 + ANSWER,
    RCD = 12,
    CL = 12,
    RP = 12,
    BURSTS = 3 + 2,
    CONTROLLER = 40,
    ROW_HIT = CL + BURSTS + CONTROLLER
};

/* A load of one line whose address comes from the load before. */
#define CHASE(...) MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .stride = 4, __VA_ARGS__)
/* One that nothing waits for. */
#define TOUCH(...)                                                             \
    MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, .stride = 4, __VA_ARGS__)

/* Loads go past the L1. */
static inline struct gpu uncached(void)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    return g;
}

#endif
