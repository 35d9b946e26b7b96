/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The random draws of design points: every kernel of a list on one or two GPUs,
 * up to three block counts (the largest always among them) times some
 * schedulers (gto always among them). The second is of other GPUs than the
 * first, the third and the fourth of all of them and of larger grids. */
#ifndef BENCH_ACCURACY_DRAW_H
#define BENCH_ACCURACY_DRAW_H

#include "base/error.h"
#include "kernels/form/kernel.h"

#include <stdio.h>

enum { DRAWS = 4 };

/* Kernel i of the list; NULL behind the last. */
const char *draw_kernel(size_t i);

/* A grid with its longest sides shrunk first, to about `blocks`. */
struct dim3 draw_scaled_grid(struct dim3 g, double blocks);

/* Write the table of points of a draw, from 0, to out; traces lie in the folder
 * `traces`. */
bool draw_points(FILE *out, int draw, const char *traces, struct error *e);

#endif
