/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/columns.h"

#include "configs/gpu.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct row, member)

#define LABEL(name, member)                                                    \
    {                                                                          \
        name, "name", COLUMN_LABEL, AT(member), 0                              \
    }
#define NAME(name, member)                                                     \
    {                                                                          \
        name, "name", COLUMN_NAME, AT(member), 0                               \
    }
#define REAL(name, unit, member, decimals)                                     \
    {                                                                          \
        name, unit, COLUMN_REAL, AT(member), decimals                          \
    }

// clang-format off
const struct column columns[] = {
    NAME("kernel", kernel),
    NAME("gpu", gpu),
    {"tb", "resident blocks a SM", COLUMN_INT, AT(tb), 0},
    LABEL("sched", sched),
    LABEL("tb_sched", tb_sched),
    LABEL("l1_policy", l1_policy),
    NAME("mode", mode),
    REAL("cycles", "core cycles", result.cycles, 1),
    REAL("cycles_lo", "core cycles", result.cycles_lo, 1),
    REAL("cycles_hi", "core cycles", result.cycles_hi, 1),
    REAL("delta_pct", "%", delta.pct, 3),
    REAL("delta_lo", "%", delta.lo, 3),
    REAL("delta_hi", "%", delta.hi, 3),
    REAL("ipc", "warp instructions a cycle and SM", result.ipc, 4),
    REAL("warp_insts", "warp instructions", result.warp_insts, 0),
    REAL("thread_insts", "thread instructions", result.thread_insts, 0),
    REAL("time_us", "microseconds", result.time_us, 3),
    REAL("occupancy", "share", result.occupancy, 4),
    NAME("limiter", limiter),
    REAL("stall_issued", "share", result.stall[STALL_ISSUED], 6),
    REAL("stall_idle", "share", result.stall[STALL_IDLE], 6),
    REAL("stall_sb_mem", "share", result.stall[STALL_SB_MEM], 6),
    REAL("stall_sb_alu", "share", result.stall[STALL_SB_ALU], 6),
    REAL("stall_pipe_mem", "share", result.stall[STALL_PIPE_MEM], 6),
    REAL("stall_pipe_alu", "share", result.stall[STALL_PIPE_ALU], 6),
    REAL("l1_miss", "share", result.l1_miss, 4),
    REAL("l2_miss", "share", result.l2_miss, 4),
    REAL("dram_gbps", "1e9 bytes a second", result.dram_gbps, 3),
    REAL("energy_uj", "microjoules", result.energy_uj, 3),
    {"sampled", "0 or 1", COLUMN_BOOL, AT(result.sampled), 0},
    {"partial", "0 or 1", COLUMN_BOOL, AT(result.partial), 0},
    {"seed", "whole number", COLUMN_U64, AT(seed), 0},
    REAL("served_l1", "share", result.memory.served[SERVED_L1], 4),
    REAL("served_remote", "share", result.memory.served[SERVED_REMOTE], 4),
    REAL("served_l2", "share", result.memory.served[SERVED_L2], 4),
    REAL("served_memory", "share", result.memory.served[SERVED_MEMORY], 4),
    REAL("crossings_read", "flits times links",
         result.memory.crossings[NOC_READ], 0),
    REAL("crossings_write", "flits times links",
         result.memory.crossings[NOC_WRITE], 0),
    REAL("crossings_writeback", "flits times links",
         result.memory.crossings[NOC_WRITEBACK], 0),
    REAL("energy_core_uj", "microjoules",
         result.memory.energy_uj[ENERGY_CORE], 3),
    REAL("energy_l1_uj", "microjoules", result.memory.energy_uj[ENERGY_L1], 3),
    REAL("energy_shared_uj", "microjoules",
         result.memory.energy_uj[ENERGY_SHARED], 3),
    REAL("energy_l2_uj", "microjoules", result.memory.energy_uj[ENERGY_L2], 3),
    REAL("energy_network_uj", "microjoules",
         result.memory.energy_uj[ENERGY_NETWORK], 3),
    REAL("energy_memory_uj", "microjoules",
         result.memory.energy_uj[ENERGY_MEMORY], 3),
};
// clang-format on
const size_t column_count = sizeof(columns) / sizeof(columns[0]);

static const void *field(const struct column *c, const struct row *row)
{
    return (const char *)row + c->offset;
}

const char *column_text(const struct column *c, const struct row *row)
{
    if (c->type == COLUMN_LABEL)
        return field(c, row);
    if (c->type == COLUMN_NAME)
        return *(const char *const *)field(c, row);
    return NULL;
}

static void real_number(char out[COLUMN_VALUE_MAX], double value, int decimals)
{
    out[0] = '\0';
    if (!isfinite(value))
        return;
    snprintf(out, COLUMN_VALUE_MAX, "%.*f", decimals, value);
    if (out[0] == '-' && strspn(out + 1, "0.") == strlen(out + 1))
        memmove(out, out + 1, strlen(out)); /* no minus zero */
}

void column_number(char out[COLUMN_VALUE_MAX], const struct column *c,
                   const struct row *row)
{
    const void *at = field(c, row);
    out[0] = '\0';
    if (c->type == COLUMN_INT)
        snprintf(out, COLUMN_VALUE_MAX, "%d", *(const int *)at);
    else if (c->type == COLUMN_U64)
        snprintf(out, COLUMN_VALUE_MAX, "%" PRIu64, *(const uint64_t *)at);
    else if (c->type == COLUMN_BOOL)
        snprintf(out, COLUMN_VALUE_MAX, "%d", *(const bool *)at ? 1 : 0);
    else if (c->type == COLUMN_REAL)
        real_number(out, *(const double *)at, c->decimals);
}

void swept_text(char out[COLUMN_VALUE_MAX], const struct gpu_key *key,
                double value)
{
    if (key->type == GPU_ENUM)
        snprintf(out, COLUMN_VALUE_MAX, "%s", key->names[(int)value]);
    else
        snprintf(out, COLUMN_VALUE_MAX, "%.12g", value);
}
