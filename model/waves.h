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

/* Where its blocks, which take so many cycles, are in step: an SM whose blocks
 * are the first to end takes more than its share of those that are left. */
struct waves waves_in_step(double blocks, double sms, double resident,
                           double block_cycles);

#endif
