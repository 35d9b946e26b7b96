/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of "cawa" that are of single blocks, warps and instructions of
 * bfs (figures_cawa_bfs.c). */
#ifndef PAPER_REPRO_FIGURES_CAWA_H
#define PAPER_REPRO_FIGURES_CAWA_H

#include "paper_repro/figure.h"

/* Fig. 2: of the block with the most disparity its warps by growing time: time
 * and instructions, also on the balanced tree; and waits for memory. */
figure_filler fill_disparity;
/* Fig. 8: who uses the lines again that critical warps brought, a bar for each
 * instruction and a panel for each size of the L1. */
figure_filler fill_reuse;
/* Fig. 12: the place of a block's slowest warp among its warps, by criticality,
 * under lrr above and gcaws below. */
figure_filler fill_rank;

#endif
