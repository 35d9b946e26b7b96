/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grid in contiguous chunks, one an SM (ikra Sec. 4.1). Chunk, Reset and
 * Flip differ in where they start and in which direction they go. */
#ifndef SAMPLER_POLICY_BLOCK_CHUNKS_H
#define SAMPLER_POLICY_BLOCK_CHUNKS_H

#include "sampler/policy/block/block_policy.h"

/* Blocks first..end-1, `launched` of them launched in this kernel: forwards
 * from first, backwards from end - 1. The bounds outlast the kernel. */
struct chunk {
    uint64_t first, end, launched;
};

/* The chunk of the index-th SM in order: sizes differ by at most one, the
 * first `remainder` are larger. */
struct chunk chunk_of(const struct block_context *context, int index);
/* The chunk's next block; -1 when all are launched. */
int64_t chunk_take(struct chunk *c, bool backwards);
/* Its last block in that direction, which leaves it for good; -1 likewise. */
int64_t chunk_steal(struct chunk *c, bool backwards);

/* State of chunk, reset and flip. */
struct chunks {
    int first_sm; /* successor of the SM that took a block last in this kernel
                   */
    bool backwards;
    struct chunk chunk[]; /* by SM */
};

/* Deal the grid out, beginning with SM `start`. */
void chunks_deal(struct chunks *c, const struct block_context *context,
                 int start);
int chunks_first_sm(void *state, const struct block_context *context);
int64_t chunks_next(void *state, const struct block_context *context, int sm);

#endif
