/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machines' tables: keys of our files beside what the papers print. */
#ifndef PAPER_REPRO_FIGURES_MACHINES_H
#define PAPER_REPRO_FIGURES_MACHINES_H

#include "paper_repro/figure.h"

/* paws Table I; kaws Table 1: a column for either machine of the paper. */
figure_filler fill_paws_machine, fill_kaws_machine;

#endif
