/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the counts of a walked block, which order its warps (struct step), are
 * raised, for each place that loads may be served from. */
#ifndef MODEL_COUNTS_H
#define MODEL_COUNTS_H

#include "model/timing.h"

struct raise {
    double time[MEMORY_LEVELS]; /* of it and all before it */
};

/* All zero: none raised yet. */
struct counts {
    struct raised {
        struct raise *raise; /* in the order in which they were walked */
        size_t times;
    } * of; /* by number */
    size_t numbers;
    size_t raises; /* of all numbers */
};

void counts_free(struct counts *c);
/* A block begins. */
void counts_reset(struct counts *c);
/* False: no memory. */
bool counts_raise(struct counts *c, uint32_t number,
                  const double time[MEMORY_LEVELS]);
/* When it has been raised so many times; NULL: it has not. */
const double *counts_time(const struct counts *c, uint32_t number,
                          uint32_t times);

#endif
