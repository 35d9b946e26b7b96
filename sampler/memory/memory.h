/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What SMs share: an interconnect for requests and one for answers (each with a
 * port for every SM and every L2 slice), the L2 slices, the memory controllers
 * and DRAM channels. Requests go in with memory_send and come back through the
 * callback `reply`. */
#ifndef SAMPLER_MEMORY_MEMORY_H
#define SAMPLER_MEMORY_MEMORY_H

#include "sampler/memory/address.h"
#include "sampler/memory/cache.h"
#include "sampler/memory/coherence_owners.h"
#include "sampler/memory/crossbar.h"
#include "sampler/memory/dram.h"
#include "sampler/memory/events.h"

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
    uint32_t l1_sectors; /* the L1 sectors it is about, where it is an L1's */
    uint32_t extra;      /* further ones that a fill is to bring */
    uint32_t absent;     /* those of them that it could not (an answer's) */
    uint32_t owner;
    uint16_t sm;
    uint8_t kind;   /* enum request_kind */
    uint8_t serial; /* atomics: operations on the busiest address */
    bool counted;   /* where it, or a part of it, came from is counted */
    /* The memory system's own: */
    uint32_t next;        /* list link */
    struct place place;   /* of its line */
    uint32_t taken;       /* sectors that the slice has dealt with */
    uint16_t slice, out;  /* its L2 slice; the port it leaves by */
    uint16_t flits, room; /* of its packet; what it takes up at the other end */
    bool fetched;         /* some sector was asked of the memory for it */
    double time;          /* core cycle at which it is through the controller */
};

#define NO_REQUEST UINT32_MAX

/* An L2 slice. */
struct slice {
    struct cache tags;
    int id;
    double free;                     /* core cycle of its next access */
    uint32_t queue_head, queue_tail; /* requests that wait for their access */
    bool scheduled;                  /* has an AT_TURN to come */
    int to_memory;     /* requests that wait for the memory controller */
    int fetches;       /* outstanding: MSHR entries in use */
    uint32_t *waiters; /* [mshr] list of requests that wait for the line */
    uint16_t *merged;  /* [mshr * units] requests that wait for a unit of it */
    uint32_t *free_mshr;
    int free_count;
    bool blocked;     /* the first waits for a fill or room */
    double pass_free; /* port by which it turns requests over to an L1 */
};

/* A memory controller: requests on their way to the channel's queue. */
struct controller {
    uint32_t head, tail; /* in the pipeline, which takes dram.latency */
    int inside;          /* how many they are */
    int pipeline;        /* command clocks it takes */
    int under_way;       /* from the door to the end */
    uint32_t outside_head, outside_tail; /* those it has no room for */
    uint64_t due; /* of its next AT_CHANNEL, NO_EVENT when there is none */
    struct dram_channel channel;
};

/* What the memory tells those who use it. */
struct memory_callbacks {
    void *user;
    /* A request is answered; *r is the callee's to read until it returns. */
    void (*reply)(void *user, const struct request *r, uint64_t now);
    /* The port of an SM, which had no room, has room for a request again. */
    void (*room)(void *user, int sm);
    /* Another SM takes words of an L1 line that this SM owned. */
    void (*invalidate)(void *user, int sm, uint64_t line, uint32_t words);
    /* The answer to *r comes in parts: one more than was known so far. */
    void (*expect_answer)(void *user, const struct request *r);
};

struct memory {
    const struct gpu *gpu;
    struct event_queue events;
    struct request *request;
    uint32_t request_capacity, free_request;
    struct slice *slice;
    struct controller *controller;
    struct crossbar to_slices, to_sms;
    double *pass_free; /* [sms] ports by which L1s serve each other */
    double flit_cycles, l2_cycle; /* core cycles */
    bool out_of_memory;
    uint64_t writebacks;  /* on their way to a slice */
    struct owners owners; /* empty: nobody owns anything */
    struct sampler_counts *counts;
    struct memory_callbacks up;
};

bool memory_init(struct memory *m, const struct gpu *gpu,
                 struct sampler_counts *counts,
                 const struct memory_callbacks *up);
void memory_free(struct memory *m);

/* Index of a new request, or NO_REQUEST with out_of_memory set. What it holds
 * is for the caller to say, in place: a copy of what was just written part by
 * part waits until the parts have reached the cache. */
uint32_t memory_new_request(struct memory *m);

/* Whether SM sm's port has room for a request; if not, the callback `room` says
 * when it has again. */
bool memory_may_send(const struct memory *m, int sm);
/* Send request `id`, which is new, is filled in and carries `data_bytes`
 * (stores); the header is added here. */
void memory_send(struct memory *m, uint32_t id, int data_bytes, uint64_t now);

/* Process everything due at or before `now`. */
void memory_advance(struct memory *m, uint64_t now);
/* Cycle of the next event, NO_EVENT when nothing is under way. */
uint64_t memory_next(const struct memory *m);
/* Process everything until the write-backs that L1s sent have arrived; the
 * cycle of the last of them, or `now` when there are none. */
uint64_t memory_drain_writebacks(struct memory *m, uint64_t now);

/* ---- for crossbar.c, l2.c and controller.c ------------------------------ */

void memory_at(struct memory *m, double time, enum event_kind kind,
               uint32_t subject);
void memory_drop_request(struct memory *m, uint32_t id);
/* Bytes of r's sectors. */
int memory_bytes(const struct memory *m, const struct request *r);
/* Count the packets of a read or write of memory: on a mesh they share its
 * links. What distance adds to a read of r beyond what it adds to an L2 hit. */
void memory_count_channel(struct memory *m, const struct request *r,
                          int channel);
double memory_detour(const struct memory *m, const struct request *r,
                     int channel);
/* Whether the answers that wait at the slice leave no room for another. */
bool memory_answers_full(const struct memory *m, const struct slice *s);
/* Send the answer to request id, ready at the slice at `time`. */
void memory_answer(struct memory *m, struct slice *s, uint32_t id, double time);

/* Likewise from the L1 of SM `owner`, to which the slice passes it on. */
void memory_answer_from(struct memory *m, int owner, struct slice *s,
                        uint32_t id, double time);
/* A write-back has arrived. */
void memory_drop_writeback(struct memory *m, uint32_t id);

/* Count request id as served by one of m->counts, unless it is counted. */
void memory_count_served(struct memory *m, uint32_t id, uint64_t *where);
/* Add the channels' counts to m->counts. */
void memory_collect(struct memory *m);

#endif
