/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What SMs share: the network, the L2 slices, the memory controllers and their
 * DRAM channels. Requests go in by memory_send() and come back by the callback
 * `reply`.
 *
 *     SM -> network -> slice -> controller -> DRAM channel
 *                        |
 *                    directory of what L1s own (denovo)
 *
 * Each part is a struct with a header of its own and calls those below it; what
 * goes up, along the same lines, is an event or a callback. This is where they
 * are wired.
 *
 * A function that returns bool returns false when memory is out. The run must
 * then end; memory_free() is all that is left to call. */
#ifndef SAMPLER_MEMORY_MEMORY_H
#define SAMPLER_MEMORY_MEMORY_H

#include "sampler/memory/controller.h"
#include "sampler/memory/core.h"
#include "sampler/memory/directory.h"
#include "sampler/memory/l2.h"
#include "sampler/memory/l2_serve.h"
#include "sampler/memory/network.h"
#include "sampler/memory/request.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* What the memory tells those who use it. */
struct memory_callbacks {
    void *user;
    /* A request is answered; *r is the callee's to read until it returns. */
    bool (*reply)(void *user, const struct request *r, uint64_t now);
    /* The port of an SM, which had no room, has room for a request again. */
    void (*room)(void *user, int sm);
    /* Another SM takes words of an L1 line that this SM owned. */
    void (*invalidate)(void *user, int sm, uint64_t line, uint32_t words);
    /* The answer to *r comes in parts: one more than was known so far. */
    void (*expect_answer)(void *user, const struct request *r);
};

struct memory {
    struct memory_core core;
    struct network network;
    struct directory directory; /* under denovo */
    struct l2_slice *slice;
    struct controller *controller;
    struct memory_callbacks up;
};

/* The memory must not move; memory_free() is due in either case. */
bool memory_init(struct memory *m, const struct gpu *gpu,
                 const struct memory_callbacks *up);
void memory_free(struct memory *m);

/* Whether SM sm's port has room for a request; if not, the callback `room` says
 * when it has again. */
static inline bool memory_may_send(const struct memory *m, int sm)
{
    return network_sm_has_room(&m->network, sm);
}

/* Send a copy of *r, which carries `data_bytes` beyond its header. */
bool memory_send(struct memory *m, const struct request *r, int data_bytes,
                 uint64_t now);

/* An L2 line as after an access of old (l2_warm). */
static inline void memory_warm(struct memory *m, uint64_t line,
                               uint32_t sectors, bool writes)
{
    l2_warm(&m->slice[address_locate(m->core.gpu, line).slice], line, sectors,
            writes);
}

/* Lines of all slices, and those of them that hold something. */
double memory_lines(const struct memory *m);
double memory_lines_held(const struct memory *m);
/* Sectors that they hold. */
double memory_sectors_held(const struct memory *m);

/* Copies of the tags of all slices, [l2.banks]; NULL without memory. */
struct cache *memory_copy_tags(const struct memory *m);
void memory_free_tags(struct cache *copies, int banks);
/* The slices hold what they held then. */
void memory_assign_tags(struct memory *m, const struct cache *copies);

/* Process everything due at or before `now`. */
bool memory_advance(struct memory *m, uint64_t now);

/* Cycle of the next event, NO_EVENT when nothing is under way. */
static inline uint64_t memory_next(const struct memory *m)
{
    return events_next(&m->core.events);
}

/* Process everything until the write-backs that L1s sent have arrived; *now
 * becomes the cycle of the last, if there are any. */
bool memory_drain_writebacks(struct memory *m, uint64_t *now);

/* Everything counted so far. */
struct memory_counts memory_counts(const struct memory *m);

#endif
