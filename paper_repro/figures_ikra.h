/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the figures and tables of "ikra" get their values. */
#ifndef PAPER_REPRO_FIGURES_IKRA_H
#define PAPER_REPRO_FIGURES_IKRA_H

#include "paper_repro/figure.h"

/* Table 1, 2, 3. */
figure_filler fill_ikra_dependences, fill_ikra_machine, fill_ikra_applications;
/* Of the figure's groups: time over rr's, and by parts energy and traffic over
 * rr's and accesses by who served them (Fig. 4, 5, 6). */
figure_filler fill_ikra_bars;
/* Time over L1 sizes (Fig. 7); over rr's with gpu coherence (Fig. 8). */
figure_filler fill_ikra_sizes, fill_ikra_gpu_coherence;

#endif
