/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coherence of the L1s (gpu.coherence), which assumes programs without data
 * races: a kernel's boundary is where its writes become visible.
 *
 * gpu: at the end of a kernel every L1 writes its dirty lines through, which is
 * part of the kernel's time, and drops all it holds.
 *
 * denovo (Sinclair et al., MICRO 2015; here by line where theirs is by word): a
 * write takes ownership of the line, noted at its L2 slice, and so does an
 * atomic, which is then done in the L1 (their sections 3 and 5; under gpu
 * atomics are done at the L2). Owned lines stay in the L1 across kernels; the
 * others are dropped at a kernel's start unless they lie in a buffer that no
 * launch writes to. A read of a line owned elsewhere is served by its owner,
 * who goes on owning it; a write takes it over, data included; an access past
 * the L1 calls it in. Evicting an owned line writes it back. In an L1 a line is
 * owned when it is dirty. */
#ifndef SAMPLER_COHERENCE_H
#define SAMPLER_COHERENCE_H

#include "sampler/memory.h"

struct kernel;
struct machine;
struct sm;

/* Address ranges that no launch of the run writes to. */
struct read_only {
    struct address_range {
        uint64_t first, bytes;
    } * range;
    size_t count;
};

/* ---- the machine's side ------------------------------------------------- */

/* Set m->read_only by looking through the stores of all kernels of a run, which
 * have the same buffers. */
bool coherence_find_read_only(struct machine *m, struct kernel *const *kernels,
                              int count);
/* Between the last block of a kernel and the next kernel. */
void coherence_end_kernel(struct machine *m);
void coherence_start_kernel(struct sm *sm);

/* ---- the slices' side (denovo) ------------------------------------------ */

bool coherence_init(struct memory *m);
/* Serve request id if it is a matter of ownership; false when the L2 has the
 * line. */
bool coherence_serve(struct memory *m, struct slice *s, uint32_t id,
                     double now);

#endif
