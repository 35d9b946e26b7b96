/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches that need not be executed: programs launch a kernel again and again
 * over the same memory to take its time. When nothing that the last one read
 * or wrote has changed since, and it did not read what it wrote, the same
 * launch leaves the same bytes. Only memory that the program reaches through
 * calls of the runtime is looked at; a launch that uses other memory is always
 * executed. */
#ifndef CUDA_REPEAT_H
#define CUDA_REPEAT_H

#include "cuda/arena.h"

/* Whether they launch the same blocks; their values are not looked at. */
bool calls_alike(const struct estimate_call *a, const struct estimate_call *b);

/* The last launch of a kernel. */
struct repeat {
    struct estimate_call call; /* without values */
    uint8_t *parameters;
    uint64_t parameter_bytes;
    struct {
        const uint8_t *at;
        uint64_t changed;
    } * used; /* memory it used, and when that was written last */
    size_t uses;
    struct estimate_executed executed;
    bool holds; /* it can be repeated */
};

/* What the launch that was made ready executes, when it repeats the last one;
 * else NULL. */
const struct estimate_executed *repeat_find(const struct repeat *last,
                                            const struct arena *a,
                                            const struct estimate_function *f,
                                            const struct estimate_call *call);

/* Remember the launch that has just been executed, and note what it wrote. */
void repeat_note(struct repeat *last, struct arena *a,
                 const struct estimate_device *d,
                 const struct estimate_function *f,
                 const struct estimate_call *call,
                 const struct estimate_executed *x);

#endif
