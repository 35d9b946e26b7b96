/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coherence of the L1s (gpu.coherence), which assumes programs without data
 * races: a kernel's boundary is where its writes become visible.
 *
 * gpu: at the end of a kernel every L1 writes its dirty lines through, which is
 * part of the kernel's time, and drops all it holds.
 *
 * denovo (Sinclair, Alsop and Adve, MICRO 2015, and ikra Sec. 2.1, of which the
 * following is our reading, the first from memory (unchecked)): a write takes
 * ownership of its words, noted at their L2 slice, and so does an atomic, which
 * is then done in the L1 (under gpu atomics are done at the L2). Owned words
 * stay in the L1 across kernels; the others are dropped at a kernel's start
 * unless they lie in a buffer that no launch writes to. Reading words owned
 * elsewhere is served by their owners, who go on owning them; a write takes
 * them over, an atomic with their data; an access past the L1 recalls them to
 * the L2. Evicting a line writes its owned words back. In an L1 a word is owned
 * when it is dirty.
 *
 * Lines have one tag; words are valid, dirty and on their way each for itself,
 * so that SMs which write different words of a line leave each other alone. A
 * request for words gets an answer from the L2 and one from each of their
 * owners. With the words that a load asks for come the others of their
 * l1.sector_bytes which the answering side has: from the L2 those nobody owns,
 * from an owner those that are its own. Later loads of the line wait for these
 * as well; for what does not come with the answer the L1 asks again. */
#ifndef SAMPLER_MEMORY_DIRECTORY_H
#define SAMPLER_MEMORY_DIRECTORY_H

#include "sampler/memory/core.h"
#include "sampler/memory/network.h"
#include "sampler/memory/owners.h"

#include <stdbool.h>
#include <stdint.h>

/* To the SMs (`user`) and to the slices. */
struct directory_callbacks {
    void *user;
    /* SM sm no longer owns words of an L1 line; its copies go with them. */
    void (*invalidate)(void *user, int sm, uint64_t line, uint32_t words);
    /* The answer to *r comes in parts: one more than was known so far. */
    void (*expect_answer)(void *user, const struct request *r);
    /* An L1 gives back sectors of an L2 line with their ownership. */
    void *slices;
    bool (*write_back)(void *slices, int slice, uint64_t line, uint32_t sectors,
                       double now);
};

struct directory {
    struct memory_core *core;
    struct network *network;
    struct owners owners;
    struct directory_callbacks up;
};

/* False when memory is out; directory_free() is due in either case. */
bool directory_init(struct directory *d, struct memory_core *core,
                    struct network *network,
                    const struct directory_callbacks *up);
void directory_free(struct directory *d);

/* A packet is first in the queue of its slice. Deal with what it asks of words
 * that L1s own; *served: with that it is served, else the L2 has the rest. */
bool directory_serve(struct directory *d, uint32_t id, double now,
                     bool *served);

#endif
