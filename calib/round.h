/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A round: the samples that jobs have planned and not yet run, those of all
 * jobs together in parallel. */
#ifndef CALIB_ROUND_H
#define CALIB_ROUND_H

#include "calib/job.h"

/* One call of calib_studies(). */
struct batch {
    struct job *job;
    size_t jobs;
    const struct calib_options *options;
    int threads;
    double start;               /* of omp_get_wtime(), for the time limit */
    struct sample_store *store; /* NULL: none */
    int done, total; /* for progress, guarded by critical(calib_news) */
};

/* Samples planned and not yet run. */
size_t round_samples(const struct batch *b);

/* Run those `samples` samples, but those that the store has. A sample's failure
 * is kept in its job; false only when there is no memory for the round itself.
 */
bool round_run(struct batch *b, size_t samples, struct error *e);

#endif
