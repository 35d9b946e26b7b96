/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run counts, all SMs together: a row for each counter. */
#ifndef SAMPLER_COUNTERS_H
#define SAMPLER_COUNTERS_H

#include "base/result.h"
#include "configs/exec.h"
#include "kernels/form/kernel.h"

#include <stddef.h>
#include <stdint.h>

/* one(field, unit, what) and many(field, number, unit, what) for each counter,
 * in the order of the struct. */
/* clang-format off */
#define SAMPLER_COUNTERS(one, many)                                            \
    one(cycles, "cycles", "to the end of the run")                             \
    one(warp_insts, "instructions", "warp instructions issued")                \
    one(thread_insts, "instructions", "their active lanes")                    \
    many(insts_by_class, OP_CLASSES, "instructions", "by enum op_class")       \
    many(lanes_by_class, OP_CLASSES, "instructions", "their active lanes")     \
    many(unit_cycles, EXEC_UNITS, "cycles",                                    \
         "in which a pipeline takes no other, by enum exec_unit")              \
    one(register_reads, "operands", "read, times active lanes")                \
    one(register_writes, "operands", "written, times active lanes")            \
    one(lent_insts, "instructions",                                            \
        "issued by another scheduler than the warp's own")                     \
    one(blocks_done, "blocks", "that have ended")                              \
    many(stalls, STALLS, "slots",                                              \
         "by enum stall; their sum is cycles x schedulers x SMs")              \
    one(l1_accesses, "accesses", "of loads, by lines or sectors of the L1")    \
    one(l1_hits, "accesses", "those that hit")                                 \
    one(l1_misses, "accesses", "those that sent a request")                    \
    one(l1_merges, "accesses", "those that waited for another's")              \
    one(l1_writes, "accesses", "of stores into a write-back L1")               \
    one(l1_atomics, "accesses", "atomics among l1_writes, done in the L1")     \
    one(l1_evictions, "lines", "replaced in the L1")                           \
    one(l1_evictions_unused, "lines", "of these, not used again before")       \
    one(l1_critical_accesses, "accesses",                                      \
        "of warps then critical, where the criticality predictor runs")        \
    one(l1_critical_hits, "accesses", "those that hit")                        \
    one(l1_critical_evictions, "lines",                                        \
        "evicted that a warp then critical brought")                           \
    one(l1_critical_evictions_unused, "lines", "of these, not used again")     \
    one(l1_critical_found, "lines",                                            \
        "that critical warps used again, each once (cawa Fig. 3)")             \
    one(l1_critical_lost, "accesses",                                          \
        "of critical warps to evicted lines; with options.criticality")        \
    one(cpl_looks, "looks",                                                    \
        "at each block until it ended, for the predictor's accuracy")          \
    one(cpl_looks_slow, "looks",                                               \
        "in which the warp that ended last was slow (cawa Fig. 11)")           \
    one(l2_accesses, "accesses", "served by the L2 slices")                    \
    one(l2_hits, "accesses", "those that hit")                                 \
    one(l2_misses, "accesses", "those that asked the memory")                  \
    one(l2_merges, "accesses", "those that waited for another's data")         \
    one(dram_reads, "bursts", "read")                                          \
    one(dram_writes, "bursts", "written")                                      \
    one(dram_bytes, "bytes", "of all bursts")                                  \
    one(dram_row_hits, "requests", "that found their row open")                \
    one(dram_row_misses, "requests", "that did not")                           \
    one(l2_read_sectors, "sectors", "read in the L2")                          \
    one(l2_write_sectors, "sectors", "written in the L2")                      \
    one(icache_accesses, "accesses", "of the instruction caches")              \
    one(icache_misses, "accesses", "those that missed")                        \
    one(constant_accesses, "accesses", "of the constant caches")               \
    one(texture_accesses, "lines", "of the texture caches")                    \
    one(shared_passes, "passes", "over the banks of shared memory")            \
    one(noc_flits, "flits", "on the interconnect")                             \
    one(noc_flits_to_sms, "flits", "those on their way to SMs")                \
    many(noc_crossings, NOC_CLASSES, "flits",                                  \
         "by enum noc_class, times links crossed; without a mesh one link")    \
    one(served_l1, "accesses", "served by the SM's L1 or texture cache")       \
    one(served_remote, "accesses", "served by another SM's L1")                \
    one(served_l2, "accesses", "served by the L2")                             \
    one(served_memory, "accesses", "served by the memory")                     \
    one(shared_conflict_cycles, "cycles", "of passes beyond the first")        \
    one(sched_wait, "cycles", "see struct sampler_warp, of all warps")         \
    one(warp_cycles_resident, "cycles",                                        \
        "of all warps, from launch to their end or the run's")                 \
    one(alu_in_flight, "instructions", "summed over cycles")                   \
    one(mem_in_flight, "instructions", "summed over cycles")                   \
    one(cycles_alu_only, "cycles", "of SMs with alu_in_flight alone")          \
    one(cycles_mem_only, "cycles", "of SMs with mem_in_flight alone")          \
    one(cycles_both, "cycles", "of SMs with both")                             \
    one(cycles_neither, "cycles", "of SMs with neither")                       \
    one(last_block_start, "cycle", "the block that ended last began")          \
    one(last_block_end, "cycle", "it ended")
/* clang-format on */

#define COUNTER_FIELD(field, unit, what)          uint64_t field;
#define COUNTER_FIELDS(field, number, unit, what) uint64_t field[number];

struct sampler_counts {
    SAMPLER_COUNTERS(COUNTER_FIELD, COUNTER_FIELDS)
};

struct counter {
    const char *name, *unit, *what;
    size_t first;  /* its place among the counters of the struct */
    size_t number; /* of counters: 1 unless it is an array */
};

/* Ends with a NULL name. */
extern const struct counter sampler_counters[];

/* Add what a part has counted; take it off again. */
void counters_add(struct sampler_counts *sum,
                  const struct sampler_counts *part);
void counters_subtract(struct sampler_counts *sum,
                       const struct sampler_counts *part);
/* Element i of a counter. */
uint64_t counter_value(const struct sampler_counts *c,
                       const struct counter *counter, size_t i);
/* The first counter by which a and b differ, or NULL. */
const struct counter *counters_differ(const struct sampler_counts *a,
                                      const struct sampler_counts *b);

#endif
