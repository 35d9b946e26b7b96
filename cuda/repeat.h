/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches that need not be executed: programs launch a kernel again and again
 * to take its time. What a launch leaves follows from its kernel, its blocks,
 * its parameters and the memory that it uses. So it leaves what the last one
 * like it left where nothing of that has changed since and it did not read what
 * it wrote; and where all that memory holds again what it held then, byte by
 * byte, of which copies are kept from the second time on. */
#ifndef CUDA_REPEAT_H
#define CUDA_REPEAT_H

#include "cuda/arena.h"

/* Whether they launch the same blocks; their values are not looked at. */
bool calls_alike(const struct estimate_call *a, const struct estimate_call *b);

struct memory_use {
    uint8_t *at;
    uint64_t bytes, changed; /* when it was written last */
    unsigned use;            /* ESTIMATE_READ, ESTIMATE_WRITTEN */
    int kind;
    uint8_t *before, *after; /* what it held; NULL: no copy, or not written */
};

/* A launch, by kernel, blocks and parameters. */
struct repeat {
    struct estimate_call call; /* without values */
    uint8_t *parameters;
    uint64_t parameter_bytes;
    struct memory_use *used;
    size_t uses;
    struct estimate_executed executed;
    bool holds;  /* nothing but its memory decides what it leaves */
    bool leaves; /* ... and it leaves the same when nothing has changed */
    bool has_before, has_after; /* copies */
    unsigned misses, wait; /* launches without a copy, after copies were of no
                            * use */
};

#define REPEATS_MAX 8                     /* launches of a kernel */
#define COPIES_MAX  (UINT64_C(512) << 20) /* bytes of all copies */

struct repeats { /* of a kernel, that which was new last in front */
    struct repeat *one[REPEATS_MAX];
    size_t count;
};

/* All copies. */
struct copies {
    uint64_t bytes;
    bool are_kept; /* whether there are to be any */
};

/* The launch that was made ready, as it was remembered, or NULL. */
struct repeat *repeats_find(struct repeats *all,
                            const struct estimate_function *f,
                            const struct estimate_call *call);

/* What the launch that was made ready executes when it repeats `r`, whose bytes
 * are then in place; else NULL. */
const struct estimate_executed *repeat_use(struct repeat *r, struct arena *a,
                                           struct copies *c);
/* It will be executed: keep a copy of what it is going to use, where that is
 * worth it. */
void repeat_prepare(struct repeat *r, const struct arena *a, struct copies *c);

/* Remember the launch that has just been executed, and note what it wrote. */
void repeats_note(struct repeats *all, struct arena *a, struct copies *c,
                  const struct estimate_device *d,
                  const struct estimate_function *f,
                  const struct estimate_call *call,
                  const struct estimate_executed *x);

#endif
