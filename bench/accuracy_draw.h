/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The random draw of design points: every kernel of a list on one of eight
 * GPUs, up to three block counts (the largest always among them) times five
 * schedulers (gto always among them). */
#ifndef BENCH_ACCURACY_DRAW_H
#define BENCH_ACCURACY_DRAW_H

#include "base/error.h"
#include "kernels/form/kernel.h"

#include <stdio.h>

/* Grids that take more warp instructions than that are cut. */
#define DRAW_MOST_INSTS 5e6

/* Kernel i of the list; NULL behind the last. */
const char *draw_kernel(size_t i);

/* A grid with its longest sides shrunk first, to about `blocks`. */
struct dim3 draw_scaled_grid(struct dim3 g, double blocks);

/* Write the table of points to out; traces lie in the folder `traces`. */
bool draw_points(FILE *out, const char *traces, struct error *e);

#endif
