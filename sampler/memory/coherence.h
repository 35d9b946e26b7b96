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
 * them over, an atomic with their data; an access past the L1 calls them in.
 * Evicting a line writes its owned words back. In an L1 a word is owned when it
 * is dirty.
 *
 * Lines have one tag; words are valid, dirty and on their way each for itself,
 * so that SMs which write different words of a line leave each other alone. A
 * request for words gets an answer from the L2 and one from each of their
 * owners. With the words that a load asks for come the others of their
 * l1.sector_bytes which the answering side has: from the L2 those nobody owns,
 * from an owner those that are its own. Later loads of the line wait for these
 * as well; for what does not come with the answer the L1 asks again. */
#ifndef SAMPLER_MEMORY_COHERENCE_H
#define SAMPLER_MEMORY_COHERENCE_H

#include "sampler/memory/memory.h"

bool coherence_init(struct memory *m);
/* Serve request id if it is a matter of ownership; false when the L2 has the
 * line. */
bool coherence_serve(struct memory *m, struct slice *s, uint32_t id,
                     double now);

#endif
