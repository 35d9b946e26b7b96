/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that fit on an SM: the CUDA occupancy rules. Registers are allocated
 * to warps in units of sm.register_unit, and the warps that have some are
 * counted in multiples of sm.warp_granularity (CUDA Occupancy Calculator,
 * "allocation unit size" and "warp allocation granularity"). */
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <limits.h>

static int64_t round_up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static int by_shared(const struct gpu *g, const struct kernel *k)
{
    int64_t bytes = round_up((int64_t)k->shared_bytes + g->sm.shared_reserved,
                             g->sm.shared_unit);
    if (k->shared_bytes == 0)
        return INT_MAX;
    return (int)(g->sm.shared_bytes / bytes);
}

static int by_registers(const struct gpu *g, const struct kernel *k)
{
    if (k->regs_per_thread == 0)
        return INT_MAX;
    int64_t per_warp =
        round_up((int64_t)k->regs_per_thread * WARP_LANES, g->sm.register_unit);
    int64_t warps = g->sm.registers / per_warp;
    warps -= warps % g->sm.warp_granularity;
    return (int)(warps / k->warps_per_block);
}

int occupancy_blocks(const struct gpu *g, const struct kernel *k,
                     enum occupancy_limit *limit)
{
    const int blocks[] = {
        [LIMIT_BLOCKS] = g->sm.max_blocks,
        [LIMIT_WARPS] = g->sm.max_warps / (int)k->warps_per_block,
        [LIMIT_THREADS] = g->sm.max_threads / (int)k->threads_per_block,
        [LIMIT_SHARED] = by_shared(g, k),
        [LIMIT_REGISTERS] = by_registers(g, k),
    };
    int tightest = 0;
    for (int i = 1; i < (int)(sizeof(blocks) / sizeof(blocks[0])); i++)
        if (blocks[i] < blocks[tightest])
            tightest = i;
    if (limit != NULL)
        *limit = (enum occupancy_limit)tightest;
    return blocks[tightest];
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[] = {
        [LIMIT_BLOCKS] = "block slots",  [LIMIT_WARPS] = "warp slots",
        [LIMIT_THREADS] = "threads",     [LIMIT_SHARED] = "shared memory",
        [LIMIT_REGISTERS] = "registers",
    };
    return names[limit];
}

bool occupancy_none_fits(const struct gpu *g, const struct kernel *k,
                         struct error *e)
{
    enum occupancy_limit tightest;
    occupancy_blocks(g, k, &tightest);
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: not even one block fits on an SM of %s (%s)", k->name,
                     g->name, occupancy_limit_name(tightest));
}
