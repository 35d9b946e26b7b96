/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs compared: a design is a GPU under one value of every swept key. Of
 * the block counts and policies asked for, a kernel has the best; over several
 * kernels a design has the geometric mean. */
#ifndef CLI_DESIGNS_H
#define CLI_DESIGNS_H

#include "cli/objectives.h"
#include "cli/points.h"

struct designs {
    struct objectives by;
    size_t count;     /* of numbers, see struct plan */
    size_t made;      /* of them GPUs that were estimated */
    double *value;    /* [count * by.count], NAN: not known */
    bool *is_made;    /* [count] */
    bool *front;      /* [count] */
    bool *is_sampled; /* [count] every kernel of it is */
    /* [count] It takes longer than with one step less of a resource, or less
     * time than with one step more, by over a percent. */
    bool *is_slower;
    bool *is_close; /* [count] see designs_mark_close() */
    double *cost;   /* [count], NULL without --cost */
    /* Percent that one percent more of a key changes an objective by, at the
     * designs as a whole; NAN where it cannot be told. */
    double elasticity[SWEEPS_MAX][OBJECTIVES];
};

/* Whether designs are to be compared. */
bool designs_asked(const struct options *o);
/* Whether options of designs agree with each other; ESTIMATE_USAGE. */
bool designs_check(const struct options *o, struct estimate_error *e);

/* Room for the plan's designs, none known. */
bool designs_create(struct designs *d, const struct options *o,
                    const struct plan *p, struct estimate_error *e);
/* Add those that the plan holds. */
bool designs_add(struct designs *d, const struct options *o,
                 const struct plan *p, const struct estimate_results *results,
                 struct estimate_error *e);
/* When all are there: the front and the elasticities. */
bool designs_finish(struct designs *d, const struct plan *p,
                    struct estimate_error *e);
/* Mark those close to the front, as pareto_close() does. */
void designs_mark_close(struct designs *d, double share);
void designs_free(struct designs *d);

#endif
