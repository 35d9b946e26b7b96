/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points as the program estimates them where it is not told otherwise: of the
 * whole grid, by the model that short samples correct. */
#ifndef PAPER_REPRO_HYBRID_H
#define PAPER_REPRO_HYBRID_H

#include "paper_repro/lab.h"

struct hybrid_point {
    const struct point *point; /* with a study */
    struct lab_record *record; /* run.result and counts.cycles are set */
    bool done;                 /* else error says why */
    struct error error;
};

/* Those of one kernel, GPU and study come from one study: all its policies, at
 * as many blocks as fit or, where a point has a block limit, at every count. So
 * what a point gets does not depend on what else is asked. Applications have no
 * estimate that is not a detailed run, and fail. threads 0: all. */
void hybrid_run(struct hybrid_point *p, size_t count, int threads);

#endif
