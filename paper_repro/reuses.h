/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who uses the lines again that critical warps brought into the L1s: from what
 * a run tells of its lines to a count for each instruction. */
#ifndef PAPER_REPRO_REUSES_H
#define PAPER_REPRO_REUSES_H

#include "paper_repro/record.h"

#include <stdbool.h>

/* Begins as zeros. */
struct reuses {
    void *held;           /* lines in the L1s: a tree, see tsearch() */
    int launch;           /* whose lines they are, counted from 1 */
    struct lab_reuse *of; /* [count], of instructions */
    size_t count, room;
};

/* False when out of memory. */
bool reuses_note(struct reuses *r, const struct sampler_line *l);
/* The run has ended: the counts, by line of the kernel's file, the caller's.
 * False when out of memory. */
bool reuses_take(struct reuses *r, struct lab_reuse **out, size_t *count);
void reuses_free(struct reuses *r);

#endif
