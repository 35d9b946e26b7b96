/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of "kaws". */
#include "paper_repro/figure.h"

const struct figure kaws_figures[] = {
    {.id = NULL},
};
