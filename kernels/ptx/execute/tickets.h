/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What atomics return in blocks that go on side by side. Streams execute each
 * block by itself, where a counter that hands out work, room in a list or the
 * last place begins anew in each of them: every block would do the work of all.
 * So the blocks of such a launch are executed in turns once, each with memory
 * of its own but for what they count, and are given what they drew there
 * whenever they are executed again. */
#ifndef KERNELS_PTX_EXECUTE_TICKETS_H
#define KERNELS_PTX_EXECUTE_TICKETS_H

#include "kernels/ptx/execute/exec.h"

struct ptx_ticket_list { /* of a block, in the order in which it drew */
    uint32_t *word;
    size_t count, room;
};

struct ptx_tickets {
    struct ptx_ticket_list *of; /* by block */
    uint64_t blocks;            /* that may have some: the first */
    uint64_t words;             /* of all of them */
    bool claims;                /* cas and exch draw, too: no warp waits for a
                                 * lock */
    bool complete;              /* all blocks came to their end */
    uint64_t at_once; /* ... or so many went on when it was given up */
};

/* Blocks that draw. */
struct ptx_drawing {
    struct ptx_tickets *tickets;
    struct ptx_view common; /* what all of them count in */
    bool waits;             /* a warp waits for what another is to store */
    bool no_memory;         /* for what one drew */
};

/* Whether an op counts in memory: an atomic on whole numbers, of cas and exch
 * if they claim. With a result that is read it draws. */
bool ptx_op_counts(const struct ptx_op *op, bool claims);
bool ptx_op_draws(const struct ptx_op *op, bool claims);

/* For the first blocks of a grid. False: no memory. */
bool ptx_tickets_open(struct ptx_tickets *t, uint64_t blocks);
void ptx_tickets_free(struct ptx_tickets *t);

/* What a drawing block counts in at an address that a lane gives; NULL where it
 * does not draw, or that is no global memory. */
uint8_t *ptx_tickets_common(struct ptx_block *b, const struct ptx_op *op,
                            uint64_t address);

/* Keep what the lanes of a drawing block drew, if they did. It ends the warp's
 * turn: it takes as long as the other instructions of one. */
void ptx_tickets_keep(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask,
                      const uint64_t value[WARP_LANES]);

/* See whether a drawing warp waits for a lock, which another opens by a store
 * that it does not see: again and again one cas or exch has `changed` nothing
 * at the same addresses. */
void ptx_tickets_watch(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask, bool changed);

/* What they drew, of a block that has tickets. False where it has none for
 * this: the warp has gone another way, or did not get so far. */
bool ptx_tickets_take(const struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask,
                      uint64_t value[WARP_LANES]);

/* How many more warps draw as much as this one does now: all others that went
 * on with it, behind the last ticket of blocks that did not come to their end,
 * so that each goes on with its share of the work. 0 of any other. */
uint64_t ptx_tickets_others(const struct ptx_block *b, const struct ptx_warp *w,
                            const struct ptx_op *op);

#endif
