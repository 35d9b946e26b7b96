/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What SMs share: the interconnect (a port each way for every SM and every L2
 * slice), the L2 slices, the DRAM channels. Requests go in with memory_send and
 * come back through the reply callback of memory_advance. */
#ifndef SAMPLER_MEMORY_H
#define SAMPLER_MEMORY_H

#include "sampler/cache.h"
#include "sampler/coherence_owners.h"
#include "sampler/dram.h"
#include "sampler/events.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct sampler_counts;

enum request_kind {
    REQUEST_FILL,  /* an L1 miss: owner is the L1's MSHR */
    REQUEST_READ,  /* a load past the L1: owner is the memory operation */
    REQUEST_WRITE, /* a store: acknowledged to the memory operation */
    REQUEST_ATOMIC,
    REQUEST_OWN,       /* a store takes a line's ownership (coherence.h) */
    REQUEST_OWN_FILL,  /* an atomic at the L1 does, and needs its data */
    REQUEST_WRITEBACK, /* dirty data from an L1, nobody waits for it */
    REQUEST_DRAM_READ, /* inside the memory system only */
    REQUEST_DRAM_WRITE
};

struct request {
    uint64_t line;       /* L2 line address */
    uint32_t sectors;    /* L2 sectors of it */
    uint32_t l1_sectors; /* REQUEST_FILL: the L1 sectors it brings */
    uint32_t owner;
    uint32_t next; /* list link, the memory system's */
    uint16_t sm;
    uint8_t kind;   /* enum request_kind */
    uint8_t serial; /* atomics: operations on the busiest address */
};

#define NO_REQUEST UINT32_MAX

/* An L2 slice. */
struct slice {
    struct cache tags;
    double in_free, data_free, out_free; /* ports, core cycles */
    uint32_t queue_head, queue_tail;     /* requests that wait for room */
    int credits;                         /* requests it still accepts */
    uint32_t *waiters; /* [mshr] list of requests that wait for the fill */
    uint16_t *merged;  /* [mshr] length of that list */
    uint32_t *free_mshr;
    int free_count;
};

struct memory {
    const struct gpu *gpu;
    struct event_heap events;
    struct request *request;
    uint32_t request_capacity, free_request;
    struct slice *slice;
    struct dram_channel *channel;
    double *channel_due; /* time of the pending AT_CHANNEL, or -1 */
    uint32_t *overflow_head, *overflow_tail; /* waiting for a full channel */
    double *sm_out_free, *sm_in_free;        /* ports of the SMs */
    double flit_cycles, l2_cycle;            /* core cycles */
    bool out_of_memory;
    bool credit_returned; /* since the flag was last cleared */
    uint64_t writebacks;  /* on their way to a slice */
    struct owners owners; /* empty: nobody owns lines */
    struct sampler_counts *counts;
    void (*lose)(void *user, int sm, uint64_t line);
    void (*reply)(void *user, const struct request *r, uint64_t now);
    void *user;
};

bool memory_init(struct memory *m, const struct gpu *gpu,
                 struct sampler_counts *counts,
                 void (*reply)(void *user, const struct request *r,
                               uint64_t now),
                 void *user);
void memory_free(struct memory *m);

/* Whether SM sm may send a request to the slice of L2 line `line` at `now`: 0 =
 * yes; n > 0 = its port is backed up for n more cycles; SEND_NO_CREDIT = the
 * slice has no room until credit_returned is set. */
#define SEND_NO_CREDIT (-1)
int memory_send_wait(const struct memory *m, int sm, uint64_t line,
                     uint64_t now);
/* Send; `data_bytes` rides along (stores), the header is added here. */
void memory_send(struct memory *m, const struct request *r, int data_bytes,
                 uint64_t now);

/* Process everything due at or before `now`. */
void memory_advance(struct memory *m, uint64_t now);
/* Cycle of the next event, NO_EVENT when nothing is under way. */
uint64_t memory_next(const struct memory *m);

/* ---- for l2.c ----------------------------------------------------------- */

/* A copy of *r in the pool: its index, or NO_REQUEST with out_of_memory set. */
uint32_t memory_new_request(struct memory *m, const struct request *r);
void memory_drop_request(struct memory *m, uint32_t id);
/* Take the port for `length` cycles, `from` at the earliest: when it starts. */
double memory_reserve(double *port, double from, double length);
void memory_to_dram(struct memory *m, const struct request *r, double now);
/* Send the answer to request id, ready at the slice at `time`. */
void memory_answer(struct memory *m, struct slice *s, uint32_t id, double time);

/* Likewise from the L1 of SM `owner`, to which the slice passes it on. */
void memory_answer_from(struct memory *m, int owner, struct slice *s,
                        uint32_t id, double time);
/* A write-back has arrived. */
void memory_drop_writeback(struct memory *m, uint32_t id);

/* Add the channels' counts to m->counts. */
void memory_collect(struct memory *m);

#endif
