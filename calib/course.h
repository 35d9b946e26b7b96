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

/* By the marks of a run from the grid's beginning, of waves of so many warp
 * instructions: the last whole wave's course, as sampler_underway.course. False
 * when it has too few marks for one. */
bool course_of(double out[COURSE_PARTS + 1], const struct mark *mark,
               size_t count, double wave);

/* The cycle in which a run that begins in cycle 0 has issued so many warp
 * instructions, by its marks; that of the last one for more. */
double course_cycle(const struct mark *mark, size_t count, double insts);

#endif
