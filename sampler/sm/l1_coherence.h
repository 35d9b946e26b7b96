/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What coherence (sampler/memory/directory.h) asks of an L1: at the boundaries
 * of kernels, and when another SM takes its words. */
#ifndef SAMPLER_SM_L1_COHERENCE_H
#define SAMPLER_SM_L1_COHERENCE_H

#include "kernels/form/read_only.h"
#include "sampler/sm/l1.h"

#include <stdint.h>

/* Between the last block of a kernel and the next kernel: under gpu coherence
 * the dirty lines of a write-back L1 are sent to the L2. The caller waits until
 * they have arrived. */
void l1_end_kernel(struct l1 *l1);
/* Drop what may be stale. Under gpu coherence that is all; under denovo words
 * that the L1 owns and lines of `read_only` stay. */
void l1_start_kernel(struct l1 *l1, const struct address_ranges *read_only);

/* The SM no longer owns `words` of an L1 line, and its copies of them go. */
void l1_invalidate(struct l1 *l1, uint64_t line, uint32_t words);
/* One answer to *r more than was asked for will come. */
void l1_expect_answer(struct l1 *l1, const struct request *r);

#endif
