/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of "ikra". */
#include "paper_repro/figure.h"

const struct figure ikra_figures[] = {
    {.id = NULL},
};
