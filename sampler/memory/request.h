/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What SMs ask of the memory, and what they learn from its answers. */
#ifndef SAMPLER_MEMORY_REQUEST_H
#define SAMPLER_MEMORY_REQUEST_H

#include "base/bits.h"
#include "configs/gpu.h"

#include <stdbool.h>
#include <stdint.h>

enum request_kind {
    REQUEST_FILL,  /* an L1 miss: owner is the L1's MSHR */
    REQUEST_READ,  /* a load past the L1: owner is the memory operation */
    REQUEST_WRITE, /* a store: acknowledged to the memory operation */
    REQUEST_ATOMIC,
    REQUEST_OWN,       /* a store takes a line's ownership (coherence.h) */
    REQUEST_OWN_FILL,  /* an atomic at the L1 does, and needs its data */
    REQUEST_WRITEBACK, /* dirty data from an L1, nobody waits for it */
    REQUEST_DRAM_READ, /* from an L2 slice to the DRAM */
    REQUEST_DRAM_WRITE
};

struct request {
    uint64_t line;        /* L2 line address */
    uint32_t sectors;     /* L2 sectors of the line */
    uint32_t l1_sectors;  /* the L1 sectors it is about, where it is an L1's */
    uint32_t l1_optional; /* L1 sectors that a fill brings along where the side
                           * that answers has them */
    uint32_t l1_absent;   /* an answer's: optional sectors that do not come */
    uint32_t owner;       /* the name of who waits for the answer, with the SM
                           * or, of a DRAM read, with the slice */
    uint16_t sm;
    union {
        uint8_t atomic_ops; /* an atomic's that a slice does one by one */
        uint8_t partial;    /* a store's sectors that it writes a part of */
    };
    uint8_t kind : 6; /* enum request_kind */
    bool parted : 1;  /* a slice parts it: each sector has an answer */
    bool counted : 1; /* where it, or a part of it, came from is counted */
};

/* Bytes of its L2 sectors. */
static inline int request_bytes(const struct gpu *g, const struct request *r)
{
    return count_bits(r->sectors) * g->l2.sector_bytes;
}

#endif
