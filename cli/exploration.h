/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of many designs hybrid mode samples: some that fill the space of the
 * swept values evenly, ten a key as Loeppky, Sacks and Welch have it ("Choosing
 * the Sample Size of a Computer Experiment", Technometrics 51(4), 2009), placed
 * by Sobol's sequence, and its corners; then what is on the front, until all of
 * it is; then designs that more of a resource would slow down. Last, the front
 * and what is close to it are confirmed by longer samples. */
#ifndef CLI_EXPLORATION_H
#define CLI_EXPLORATION_H

#include "cli/designs.h"

struct exploration {
    const struct options *options;
    const struct plan *plan;
    size_t sampled, confirmed; /* designs */
    bool failed;
    struct estimate_error *error;
};

/* Whether so many designs are compared that some are sampled. */
bool exploration_asked(const struct options *o, const struct plan *p);

/* For estimate_options.choose. */
bool exploration_choose(struct exploration *x,
                        const struct estimate_results *results,
                        unsigned char *effort);

#endif
