/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `estimate explain` says that changes would do, beside what they do in
 * full detail. The table of what is known is
 *
 *     kernel,gpu,grid,tb,key,value,before_us,after_us,model_pct,hybrid_pct,
 *     lo_pct,hi_pct,whole
 *
 * of which the first eight columns are kept: full detail. Grid: blocks by side,
 * "64:64:1", or "own". */
#ifndef BENCH_EXPLAIN_CHANGES_H
#define BENCH_EXPLAIN_CHANGES_H

#include "base/error.h"

#include <stdbool.h>

#define CHANGE_NAME 64

struct change {
    char kernel[CHANGE_NAME], gpu[CHANGE_NAME], grid[CHANGE_NAME];
    char key[CHANGE_NAME], value[CHANGE_NAME];
    int tb;
    double before_us, after_us; /* NAN: not run */
    /* Percent of the time before; of the model alone, and as explain says it,
     * with its interval. NAN: not told. */
    double model, hybrid, lo, hi;
    bool whole; /* explain ran both points whole */
    bool development;
};

struct changes {
    struct change *item;
    size_t count;
};

bool changes_load(struct changes *c, const char *path, struct error *e);
/* With what `known` has beside them. */
bool changes_save(const struct changes *c, const struct changes *known,
                  const char *path, struct error *e);
bool changes_add(struct changes *c, const struct change *one, struct error *e);
void changes_free(struct changes *c);
/* The one of the same point, key and value; NULL: none. */
const struct change *changes_find(const struct changes *c,
                                  const struct change *like);

/* What full detail says, in percent. */
double change_truth(const struct change *c);

/* A table for each half of the kernels: a row for each kind of change. */
void changes_report(const struct changes *c);

#endif
