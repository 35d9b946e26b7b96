/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of "cawa". */
#include "paper_repro/figure.h"

const struct figure cawa_figures[] = {
    {.id = NULL},
};
