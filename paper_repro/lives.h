/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lives of a point's warps tell (struct lab_record with `warps`). */
#ifndef PAPER_REPRO_LIVES_H
#define PAPER_REPRO_LIVES_H

#include "paper_repro/lab.h"

#define LIVES_WARPS 64

/* Of the blocks of a run: cawa Sec. 2.2. Disparity is what the slowest warp
 * takes longer than the fastest, in percent of the fastest's time (as the text
 * has it at Fig. 2); of one warp there is none. */
struct lives {
    int blocks;                /* with two warps or more */
    double mean, median, most; /* disparity */
    double most_insts;         /* the same of instructions, of any block */
    double critical_wait;      /* percent of the slowest warp's time in which it
                                * could have issued and did not; mean */
    /* Of the block with the most disparity, by growing time. */
    struct sampler_warp warp[LIVES_WARPS];
    int warps;
    /* The slowest warp of the block that issued the most instructions, and how
     * many these were. */
    struct sampler_warp busiest;
    uint64_t busiest_insts;
};

/* From launch to end, cycles. */
double lives_time(const struct sampler_warp *w);

/* False when out of memory. */
bool lives_look(struct lives *out, const struct lab_record *r, struct error *e);

/* Cycles of the block that a launch issued last, mean over the launches (kaws
 * Table 2). Launches run one after another. NAN without warps. */
double lives_last_block(const struct lab_record *r);

#endif
