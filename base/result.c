/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/result.h"

#include <math.h>

const char *const stall_names[STALLS] = {
    [STALL_ISSUED] = "issued",     [STALL_IDLE] = "idle",
    [STALL_SB_MEM] = "sb_mem",     [STALL_SB_ALU] = "sb_alu",
    [STALL_PIPE_MEM] = "pipe_mem", [STALL_PIPE_ALU] = "pipe_alu",
};

const char *const limiter_names[LIMITERS] = {
    [LIMITER_ISSUE] = "issue",     [LIMITER_ALU] = "alu",
    [LIMITER_L1] = "l1",           [LIMITER_SHARED] = "shared",
    [LIMITER_L2] = "l2",           [LIMITER_DRAM] = "dram",
    [LIMITER_LATENCY] = "latency",
};

void memory_account_unknown(struct memory_account *a)
{
    for (int i = 0; i < SERVED_CLASSES; i++)
        a->served[i] = NAN;
    for (int i = 0; i < NOC_CLASSES; i++)
        a->crossings[i] = NAN;
    for (int i = 0; i < ENERGY_PARTS; i++)
        a->energy_uj[i] = NAN;
}

void result_unknown(struct result *r)
{
    *r = (struct result){.cycles = NAN,
                         .cycles_lo = NAN,
                         .cycles_hi = NAN,
                         .warp_insts = NAN,
                         .thread_insts = NAN,
                         .ipc = NAN,
                         .time_us = NAN,
                         .occupancy = NAN,
                         .l1_miss = NAN,
                         .l2_miss = NAN,
                         .dram_gbps = NAN,
                         .energy_uj = NAN,
                         .partial = true};
    for (int i = 0; i < STALLS; i++)
        r->stall[i] = NAN;
    memory_account_unknown(&r->memory);
}
