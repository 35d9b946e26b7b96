/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/result.h"

#include <math.h>

const char *const stall_names[STALLS] = {
    [STALL_ISSUED] = "issued",     [STALL_IDLE] = "idle",
    [STALL_SB_MEM] = "sb_mem",     [STALL_SB_ALU] = "sb_alu",
    [STALL_PIPE_MEM] = "pipe_mem", [STALL_PIPE_ALU] = "pipe_alu",
};

const char *const limiter_names[LIMITERS] = {
    [LIMITER_ISSUE] = "issue",
    [LIMITER_ALU] = "alu",
    [LIMITER_L1] = "l1",
    [LIMITER_SHARED] = "shared",
    [LIMITER_L2] = "l2",
    [LIMITER_DRAM] = "dram",
    [LIMITER_NETWORK] = "interconnect",
    [LIMITER_LATENCY] = "latency",
};

const char *const use_names[USES] = {
    [USE_ISSUE] = "issue", [USE_SP] = "alu_sp",
    [USE_INT] = "alu_int", [USE_SFU] = "alu_sfu",
    [USE_DP] = "alu_dp",   [USE_TENSOR] = "alu_tensor",
    [USE_L1] = "l1",       [USE_SHARED] = "shared",
    [USE_L2] = "l2",       [USE_NETWORK] = "interconnect",
    [USE_DRAM] = "dram",
};

enum limiter limiter_of(const double use[USES])
{
    static const enum limiter limiters[USES] = {
        [USE_ISSUE] = LIMITER_ISSUE, [USE_SP] = LIMITER_ALU,
        [USE_INT] = LIMITER_ALU,     [USE_SFU] = LIMITER_ALU,
        [USE_DP] = LIMITER_ALU,      [USE_TENSOR] = LIMITER_ALU,
        [USE_L1] = LIMITER_L1,       [USE_SHARED] = LIMITER_SHARED,
        [USE_L2] = LIMITER_L2,       [USE_NETWORK] = LIMITER_NETWORK,
        [USE_DRAM] = LIMITER_DRAM,
    };
    enum limiter found = LIMITER_LATENCY;
    double most = LIMITER_KNEE;
    for (int i = 0; i < USES; i++)
        if (use[i] > most) {
            most = use[i];
            found = limiters[i];
        }
    return found;
}

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
    for (int i = 0; i < USES; i++)
        r->use[i] = NAN;
    memory_account_unknown(&r->memory);
}
