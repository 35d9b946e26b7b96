/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the two-level schedulers share (Gebhart et al., TOCS 2012; paws
 * Sec. IV-B2, Fig. 8): a small ready queue arbitrated round-robin, a pending
 * queue for warps that wait for a long-latency operation, a barrier or a
 * branch, and an active queue whose head fills each free place of the ready
 * queue. A new warp and one that is done waiting join it with their next
 * instruction, not before, as that decides where it belongs. The schedulers
 * differ in how they order the active queue. */
#ifndef SAMPLER_POLICY_WARP_TWO_LEVEL_H
#define SAMPLER_POLICY_WARP_TWO_LEVEL_H

#include "sampler/policy/warp/order.h"

struct two_level {
    uint64_t owned;
    uint64_t pending, known; /* warps in the pending queue, in any queue */
    uint64_t in_ready;
    bool all;      /* a warp comes back when all its long operations are done */
    bool departed; /* from first in, first out and the default parameters */
    int size;      /* of the ready queue */
    int16_t ready[MAX_WARP_SLOTS]; /* its places, -1 = free */
    int next;                      /* place the round-robin begins at */
    uint8_t active[MAX_WARP_SLOTS];
    int active_count;
};

#define TWO_LEVEL_READY                                                        \
    {                                                                          \
        .name = "ready", .fallback = 6, .min = 1, .max = MAX_WARP_SLOTS,       \
        .help = "warps in the ready queue of a scheduler (paws Table I)",      \
        .role = ROLE_READY_QUEUE                                               \
    }
#define TWO_LEVEL_ALL                                                          \
    {                                                                          \
        .name = "all", .fallback = 0, .min = 0, .max = 1,                      \
        .help = "1: a warp comes back when all its long-latency operations "   \
                "are done, not when the ones that it waits for are"            \
    }
#define TWO_LEVEL_PARAM                                                        \
    {                                                                          \
        TWO_LEVEL_READY, TWO_LEVEL_ALL                                         \
    }

void two_level_init(void *state, const struct warp_context *context);
int two_level_pick(void *state, const struct warp_table *table, uint64_t ready,
                   uint64_t cycle);
/* EVENT_WARP_EXIT: the warp leaves whatever queue it is in. */
void two_level_event(void *state, const struct warp_table *table,
                     const struct sched_event *event);
bool two_level_departed(const void *state);
/* All moves between the queues for this cycle; before NULL keeps the active
 * queue first in, first out. Returns the ready queue's warps. */
uint64_t two_level_move(struct two_level *t, const struct warp_table *table,
                        warp_before *before);

#endif
