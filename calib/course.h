/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a block goes through its instructions as its time goes by, seen from the
 * first wave of a grid, whose blocks begin together. */
#ifndef CALIB_COURSE_H
#define CALIB_COURSE_H

#include "calib/steady.h"
#include "sampler/sampler.h"

#include <stdbool.h>
#include <stddef.h>

struct course {
    bool known;
    double issued[COURSE_PARTS + 1]; /* as sampler_underway.course */
};

/* By the marks of a run from the grid's beginning, of waves of so many warp
 * instructions: the last whole wave's course; not known of too few marks. */
void course_of(struct course *out, const struct mark *mark, size_t count,
               double wave);

#endif
