/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of "paws" that are no bars of one metric by kernel. */
#ifndef PAPER_REPRO_FIGURES_PAWS_H
#define PAPER_REPRO_FIGURES_PAWS_H

#include "paper_repro/figure.h"

/* figures_paws_code.c: of the kernels' code. ---- */
figure_filler fill_table2;     /* Table II: a column for each of its own */
figure_filler fill_vector_add; /* Fig. 4: phases of the vector add */

/* figures_paws_load.c: sums over a run. ---- */
/* Fig. 10: percent of the cores' cycles with both, ALU or memory instructions
 * in flight, or neither; Fig. 11: how many on average. A panel for each kernel,
 * a bar for each scheduler. */
figure_filler fill_breakdown, fill_loads;
/* Fig. 12: issue slots without an instruction, mean over the kernels of a type,
 * over round robin's. */
figure_filler fill_idle;

/* figures_paws_time.c: over time, of core 0 from the launch on. ---- */
/* Fig. 6, 7: warps in each phase above, instructions in flight below, tlrr on
 * the left and tlgto on the right. */
figure_filler fill_bt_k2, fill_cfd;
/* Fig. 13: active warps of lud under tlgto and tlrr. */
figure_filler fill_tail;

#endif
