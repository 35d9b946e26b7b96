/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the memory counts in a run. */
#ifndef SAMPLER_MEMORY_COUNTS_H
#define SAMPLER_MEMORY_COUNTS_H

#include "base/result.h"

#include <stdint.h>

struct memory_counts {
    uint64_t l2_accesses, l2_hits, l2_misses, l2_merges;
    uint64_t l2_read_sectors, l2_write_sectors;
    uint64_t dram_reads, dram_writes; /* bursts */
    uint64_t dram_bytes, dram_row_hits, dram_row_misses;
    uint64_t noc_flits, noc_flits_to_sms;
    /* Flits times links crossed (one where there is no mesh). */
    uint64_t noc_crossings[NOC_CLASSES];
    /* Accesses as enum served has them. */
    uint64_t served_remote, served_l2, served_memory;
};

#endif
