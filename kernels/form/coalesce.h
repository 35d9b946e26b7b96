/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one memory instruction of a warp becomes: lines and sectors of a cache,
 * or passes over the banks of shared memory. Used by both engines. */
#ifndef KERNELS_FORM_COALESCE_H
#define KERNELS_FORM_COALESCE_H

#include "kernels/form/kernel.h"

#define MAX_TRANSACTIONS (2 * WARP_LANES)

struct transaction {
    uint64_t line;    /* byte address / line_bytes */
    uint32_t sectors; /* bit i = bytes i*sector_bytes.. of the line */
    union {
        uint32_t whole;  /* those of them that are written whole */
        uint32_t serial; /* what coalesce_serial() counted */
    };
};

/* The distinct lines that the active lanes of s touch with `width` bytes each,
 * in the order of the first lane that touches one (lower line first within a
 * lane), each with the sectors touched. Returns their number, 0 when no lane
 * is active. width, sector_bytes <= line_bytes <= 32 * sector_bytes, and
 * line_bytes is a multiple of sector_bytes; an access need not be aligned. */
int coalesce(const struct step *s, unsigned width, unsigned line_bytes,
             unsigned sector_bytes, struct transaction out[MAX_TRANSACTIONS]);

/* Set `whole` of the n transactions that coalesce() made: the sectors that the
 * lanes cover byte by byte, each byte taken to be one lane's. */
void coalesce_whole(const struct step *s, unsigned width, unsigned line_bytes,
                    unsigned sector_bytes, struct transaction *t, int n);

/* Of the active lanes those at the address that most of them share, at least 1
 * of addresses that differ. */
int busiest_address(const struct step *s);

/* Set `serial` of the n transactions, of an atomic: in each of its sectors the
 * lanes at the address that most of them share, summed over the sectors. */
void coalesce_serial(const struct step *s, unsigned line_bytes,
                     unsigned sector_bytes, struct transaction *t, int n);

/* Passes over the banks that a shared-memory access takes: in each part of the
 * warp the largest number of distinct words in one bank, summed over the parts;
 * lanes that read the same word share it. Accesses wider than a bank go in
 * width / bank_bytes parts of the warp, at most 4 (half and quarter warps: CUDA
 * C Programming Guide, "Shared Memory", compute capability 2.x and later).
 * 1 = free of conflicts; 0 when no lane is active. `pairs`: where of all active
 * lanes l and l ^ 1, or l and l ^ 2, access the same address, parts are twice
 * as large (NVIDIA's developer forum, "Unexpected shared memory bank conflict":
 * loads of compute capability 7.0 to 7.5). */
int shared_conflict_degree(const struct step *s, unsigned width, unsigned banks,
                           unsigned bank_bytes, bool pairs);

/* The different addresses of the active lanes, 0 when none is active. */
int distinct_addresses(const struct step *s);

#endif
