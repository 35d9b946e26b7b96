/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper figures: measures and writes the papers' figures to FOLDER/figures and
 * FOLDER/README.md, a page of them all with what FOLDER/claims.csv says of the
 * claims about each. Their names are PAPER_ID, as in "paws_fig9a". */
#ifndef PAPER_REPRO_DRAW_H
#define PAPER_REPRO_DRAW_H

#include "paper_repro/figure.h"

struct figures {
    const char *paper;
    const struct figure *figure; /* ends with a NULL id */
};
/* In the papers' order; ends with a NULL paper. */
extern const struct figures all_figures[];

#endif
