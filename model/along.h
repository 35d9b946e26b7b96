/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many lines the blocks of a grid touch from its start to its end: data
 * that is in no order, or denser, in one part of it makes blocks there slower
 * though they have as many instructions as others. */
#ifndef MODEL_ALONG_H
#define MODEL_ALONG_H

#include "model/constants.h"

#include <stddef.h>

/* Of blocks of which one is in each of as many equal parts of the grid. */
struct along {
    int parts; /* 0: too few blocks to tell, or chance may have them as far
                * apart (ALONG_ERRORS) */
    double lines[ALONG_PARTS]; /* of a block of the part, as a multiple of those
                                * of all */
};

/* The n-th of `blocks` blocks touched end[n + 1] - end[n] lines. */
void along_set(struct along *out, const size_t *end, unsigned blocks);

/* Lines of a block of a stretch of the grid, from one share of it to another,
 * as a multiple of those of all; 1 where it is not told. */
double along_share(const struct along *a, double from, double to);

#endif
