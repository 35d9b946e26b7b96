/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"
#include "configs/gpu.h"
#include "model/model.h"

#include <string.h>

/* What the walk of a warp and the places of its lines have nothing to do with:
 * how many warps there is room for, how long queues are, bandwidths, what a
 * launch and an event cost. Those of memory's latency stand first. */
static const char *const spared[] = {
    "dram.gbps",
    "dram.latency",
    "dram.rcd",
    "dram.cl",
    "clock.dram_mhz",
    "launch.kernel_cycles",
    "launch.block_cycles",
    "launch.block_period",
    "sm.max_warps",
    "sm.max_blocks",
    "sm.max_threads",
    "sm.registers",
    "sm.register_unit",
    "sm.warp_granularity",
    "sm.shared_bytes",
    "sm.shared_unit",
    "sm.shared_reserved",
    "l1.mshr",
    "l1.mshr_merge",
    "l1.miss_queue",
    "icnt.input_queue",
    "icnt.output_queue",
    "l2.mshr",
    "l2.mshr_merge",
    "l2.queue",
    "l2.memory_queue",
    "l2.port_bytes",
    "l2.unreserved",
    "l2.dirty_share",
    "dram.bank_groups",
    "dram.rows",
    "dram.dual_command",
    "dram.in_flight",
    "dram.ccd",
    "dram.ccdl",
    "dram.rrd",
    "dram.ras",
    "dram.rp",
    "dram.rc",
    "dram.wl",
    "dram.wtr",
    "dram.wr",
    "dram.rtp",
};

static bool is_spared(const struct gpu_key *key)
{
    for (size_t i = 0; i < sizeof(spared) / sizeof(spared[0]); i++)
        if (strcmp(key->key, spared[i]) == 0)
            return true;
    return strncmp(key->key, "energy.", strlen("energy.")) == 0;
}

size_t profile_keys(const struct gpu_key **out)
{
    size_t n = 0;
    for (size_t i = 0; i < gpu_key_count; i++)
        if (!is_spared(&gpu_keys[i]))
            out[n++] = &gpu_keys[i];
    return n;
}

/* Over the sets of a cache that hashes lines are spread evenly, however many
 * there are. */
static void forget_even_sets(struct gpu *g)
{
    if (g->l1.hashed)
        g->l1.size_kb = g->l1.ways = 0;
    if (g->l2.hashed)
        g->l2.size_kb = g->l2.ways = 0;
}

uint64_t profile_hash(const struct gpu *g, const struct gpu_key *const *keys,
                      size_t count)
{
    uint64_t hash = HASH_START;
    struct gpu even = *g;
    forget_even_sets(&even);
    for (size_t i = 0; i < count; i++) {
        double value = gpu_key_get(&even, keys[i]);
        hash = hash_bytes(hash, &value, sizeof(value));
    }
    return hash;
}
