/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interconnect that joins every port in with every port out. A port in is a
 * queue: only its first packet asks for a port out, so that those behind wait
 * with it. A port out takes one packet at a time, the ports in that ask for it
 * in that cycle take turns (McKeown, "The iSLIP scheduling algorithm", IEEE/ACM
 * ToN 7(2), 1999, with one iteration), and none while its receiver has no room.
 */
#ifndef SAMPLER_MEMORY_CROSSBAR_H
#define SAMPLER_MEMORY_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

struct memory;

struct port_in {
    uint32_t head, tail; /* requests, linked by next */
    int flits;           /* of all of them */
    double free;         /* core cycle at which the next may ask */
};

struct port_out {
    double free;      /* core cycle at which the last has passed */
    int room;         /* that its receiver has left */
    int waiting;      /* ports in that ask for it */
    int turn;         /* port in that is looked at first */
    bool scheduled;   /* has an AT_OUT to come */
    uint64_t *asking; /* mask of those ports */
};

struct crossbar {
    uint32_t id; /* which of the memory's interconnects */
    int inputs, outputs;
    struct port_in *in;
    struct port_out *out;
    uint64_t *masks;
    /* The packet starts to leave port `out` at `time`. */
    void (*passed)(struct memory *m, uint32_t request, double time);
};

/* Each port out has `room` to begin with, in what memory_room() counts. */
bool crossbar_init(struct crossbar *x, uint32_t id, int inputs, int outputs,
                   int room,
                   void (*passed)(struct memory *m, uint32_t request,
                                  double time));
void crossbar_free(struct crossbar *x);

/* Queue request `id` at port `in`; its `out`, `flits` and `room` are set. */
void crossbar_push(struct memory *m, struct crossbar *x, int in, uint32_t id,
                   double now);
/* A receiver has `room` more. */
void crossbar_release(struct memory *m, struct crossbar *x, int out, int room,
                      double now);

/* The events AT_IN and AT_OUT. */
void crossbar_ask(struct memory *m, struct crossbar *x, int in);
void crossbar_grant(struct memory *m, struct crossbar *x, int out);

#endif
