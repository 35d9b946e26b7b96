/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where claims and figures get their numbers: points run in full detail, each
 * once, those that are not yet on disk in parallel (lab_gather). */
#ifndef PAPER_REPRO_LAB_H
#define PAPER_REPRO_LAB_H

#include "paper_repro/record.h"
#include "paper_repro/window.h"

/* Strings are copied where they are kept; NULL is as good as "". */
struct point {
    const char *kernel, *gpu;
    /* "warp[/block[/l1]]", empty: lrr, rr and lru. "gto//cacp" */
    const char *policies;
    const char *keys;       /* of the GPU: "l1.ways=4 l1.hashed=true" */
    int blocks;             /* resident on an SM at most, 0 = as many as fit */
    enum window window;     /* WINDOW_UNSET: the lab's */
    int launches;           /* the first so many, whole; 0 = all */
    bool criticality;       /* run the predictor for its counts */
    uint64_t moments;       /* tell of SM 0 every so many cycles, 0 = not */
    bool warps;             /* tell of every warp's life */
    bool waits;             /* .. and how long it waited for memory */
    bool lines;             /* tell who uses the L1's lines again */
    struct lab_warp follow; /* tell this warp's rank over time */
    /* Policies of the study that an estimate of the whole grid comes from
     * (hybrid.h), in place of a detailed run. It has cycles and result alone.
     */
    const char *study;
};

struct lab_options {
    enum window window; /* of points that name none */
    const char *store;  /* file of results (store.h), NULL = none */
    int threads;        /* 0 = one a core */
    bool beside;        /* with what stands beside a result: on the second
                         * machine, by estimates, in half the window */
    bool progress;      /* on stderr */
};

struct lab;

/* NULL with e. */
struct lab *lab_create(const struct lab_options *o, struct error *e);
void lab_free(struct lab *l);

/* A point's results, valid until lab_free. NULL with e. */
const struct lab_record *lab_record(struct lab *l, const struct point *p,
                                    struct error *e);
/* Its record's run alone. */
const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e);

/* Call work twice. The first time it is only listened to for the points it
 * asks for: it gets a run of ones without moments and warps for each, and what
 * it makes of them is void. All these points are run, in parallel; the second
 * time it gets their results. Points asked for only then run one by one. A
 * point's failure is told where it is asked for; false when work says so the
 * second time, or memory or the store fails. */
bool lab_gather(struct lab *l, bool (*work)(void *user, struct error *e),
                void *user, struct error *e);
/* Whether this is the first of the two calls. */
bool lab_listening(const struct lab *l);
enum window lab_window(const struct lab *l);
bool lab_beside(const struct lab *l);
/* Points that were asked for, and the seconds of one core that they take or,
 * found on disk, took. */
size_t lab_cost(const struct lab *l, double *seconds);

#endif
