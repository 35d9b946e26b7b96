/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast a window advances, by the warp instructions that all SMs have issued
 * as time goes by. */
#ifndef CALIB_STEADY_H
#define CALIB_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark {
    uint64_t cycle, insts;
};

/* Parts whose rates are compared. Chosen: a third of a wave each of windows of
 * the default length, which shows blocks that are in step. */
#define STEADY_PARTS 6
/* Share by which two that were measured for as long may differ in instructions:
 * a mark or two. Chosen. */
#define STEADY_ALIKE 0.1

struct steady {
    double cycles_per_inst;
    double error;            /* standard error of its logarithm, as the parts
                              * of what was measured differ, those at the same
                              * place of its waves */
    double insts;            /* measured */
    double end_cycle, begun; /* the last mark: its cycle, instructions */
    /* cycles_per_inst of parts of what was measured, as many instructions each;
     * 0 of too few marks. */
    double part[STEADY_PARTS];
};

/* From `settle` warp instructions, or the first mark, to `end`, or the last
 * mark, evenly between marks: whatever a wave begins with is then as much in a
 * whole number of them wherever it is. Of fewer intervals than parts from the
 * first mark past `settle` to the first past `end`. False when that is no time
 * at all. The error is that of a mean of parts taken for independent (batch
 * means: Law and Kelton, Simulation Modeling and Analysis), 0 of too few marks
 * for it. Where two or three waves of `wave` warp instructions are measured,
 * parts are compared with those at the same place of the other waves alone: by
 * which those of blocks in step differ within a wave is in all of them, and is
 * no error of the mean. */
bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle, double end, double wave);

/* After so many parts they are at the same place of the next wave: of two or
 * three whole waves. 1: of others. */
int steady_parts_of_wave(double waves);

/* As of so many times as much of the machine. */
void steady_scale(struct steady *s, double times);

/* Standard error of the log ratio of two rates over the same blocks, as those
 * of their parts differ, likewise: what slows down or speeds up both is in
 * none. INFINITY where either has no parts, or one was measured for longer. */
double steady_ratio_error(const struct steady *a, const struct steady *b,
                          double wave);

/* ... of two windows of which measuring one may have gone on for longer than
 * what was planned of either: then of that, and as much as going on took one
 * rate from the other. INFINITY where that has no parts. */
double steady_pair_error(const struct steady *a, const struct steady *a_planned,
                         const struct steady *b, const struct steady *b_planned,
                         double wave);

#endif
