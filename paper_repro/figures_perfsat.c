/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of "perfsat". */
#include "paper_repro/figure.h"

const struct figure perfsat_figures[] = {
    {.id = NULL},
};
