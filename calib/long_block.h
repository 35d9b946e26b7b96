/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that is so much longer than the others that the grid ends when it
 * does: the last to add up, or one that has what is left. No part of a grid
 * shows it, so it is run by itself. */
#ifndef CALIB_LONG_BLOCK_H
#define CALIB_LONG_BLOCK_H

#include "calib/sample.h"

/* Have a window that is no whole grid run the grid's longest block as well,
 * where it has LONG_BLOCK times the length of the waves, and no more than
 * most_insts warp instructions. */
void long_block_plan(struct window *w, const struct window_grid *grid,
                     struct long_block longest, double most_insts);

/* Run it on an SM of its own, which sets long_cycles. False as sample_run. */
bool long_block_run(struct sample *sample, const struct sample_request *request,
                    struct error *e);

/* Cycles of a grid that takes so many without it: it runs beside the others
 * until they have ended, and then as it does alone. */
double long_block_end(const struct window_grid *grid, const struct sample *s,
                      double cycles);

/* Cycles of that which it may take more or less: as many as what it does beside
 * the others takes. Chosen. */
double long_block_unsure(const struct window_grid *grid, const struct sample *s,
                         double cycles);

#endif
