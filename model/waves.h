/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole waves of blocks that begin and end together, and what is left. */
#ifndef MODEL_WAVES_H
#define MODEL_WAVES_H

struct waves {
    double whole;
    double of_sm, sms; /* blocks of an SM, and SMs, in the last one */
};

/* Of so many blocks on SMs of which each holds `resident` at once. */
struct waves waves_of(double blocks, double sms, double resident);

/* Where its blocks are in step: an SM whose blocks are the first to end takes
 * more than its share of those that are left. Of the variance of when blocks
 * end the share `alike` is between SMs: at 1 an SM is filled before another
 * gets a block, at 0 the next one is on any SM alike. Below 0, down to -1, SMs
 * go on alike, block by block: at -1 all get as many. */
struct waves waves_in_step(double blocks, double sms, double resident,
                           double alike);

/* That share of blocks that take so many cycles (ALIKE_CYCLES). */
double waves_alike(double block_cycles);

#endif
