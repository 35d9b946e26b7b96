/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The block and warp slots of an SM: where blocks begin and end, barriers, and
 * when a warp is done. The block in slot s has the warp slots from s *
 * warps_per_block on, the first of them warp 0; with sm.turn_blocks warp 0 has
 * the next one for each block that this SM is given, and the others follow it
 * round, so that the first warps of blocks are on all schedulers. */
#ifndef SAMPLER_SM_BLOCKS_H
#define SAMPLER_SM_BLOCKS_H

#include "sampler/sm/core.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/scoreboard.h"

#include <stdbool.h>
#include <stdint.h>

struct blocks {
    struct sm_core *core;
    struct frontend *frontend;
    struct scoreboard *scoreboard;
    int slots;
    int resident;
    uint64_t ages;     /* of the next warp */
    uint64_t launched; /* blocks */
    /* Called when a block has ended. */
    void (*ended)(void *user, const struct block_slot *slot);
    void *user;
};

/* With all but `resident`, `ages` and `launched` set. False when memory is out;
 * blocks_free in any case. */
bool blocks_init(struct blocks *b);
void blocks_free(struct blocks *b);
/* Make room in each slot for a stream of the core's kernel. */
bool blocks_start_kernel(struct blocks *b);

/* Place block `id` in a free slot, of which there must be one. It starts after
 * launch.block_cycles. NULL with e set when its stream cannot be opened. */
const struct block_slot *blocks_launch(struct blocks *b, uint64_t id,
                                       struct error *e);
/* The launch of the block in `slot` is over: its warps begin. */
void blocks_start(struct blocks *b, uint32_t slot);

/* The warp has come to a barrier. */
void blocks_wait_at_barrier(struct blocks *b, int warp);
/* Raise a count of the block in `slot` (struct step): warps that waited for it
 * go on. Its run fails when memory is out. */
void blocks_raise(struct blocks *b, uint32_t slot, uint32_t count);
/* Hold the warp until the count that the step waits for has been raised. */
void blocks_await(struct blocks *b, int warp, const struct step *s);
/* Raise the step's count when the one that it waits for has been. */
void blocks_raise_after(struct blocks *b, uint32_t slot, const struct step *s);
/* The warp has issued its last instruction. */
void blocks_warp_exits(struct blocks *b, int warp);
/* End the warp, if nothing of it is left, and its block if it is the last. To
 * be called whenever something of the warp is complete. */
void blocks_try_end_warp(struct blocks *b, int warp);

#endif
