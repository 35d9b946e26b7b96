/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the phase-aware scheduling paper ("paws"). What it
 * prints of a figure beyond its picture stands in its text: there are no more
 * marks than these. */
#include "paper_repro/figure.h"
#include "paper_repro/metrics.h"

/* Types of Table II: GTO wins, RR wins. */
#define A_SINGLE                                                               \
    "bp-k1 bp-k2 bt-k1 bt-k2 kmeans lud srad dwt dxtc histogram "              \
    "montecarlo"
#define B_SINGLE "heartwall cfd fwt"
#define A_TWO    "bp-k2 bt-k1 bt-k2 srad dwt dxtc histogram montecarlo"
#define B_TWO    "bp-k1 heartwall kmeans lud cfd fwt"

/* Sec. V-B: gto 10 and paws 9 % over lrr; of type B lrr 9.2 and paws 8.9 % over
 * gto; Sec. V-D: cfd under paws 3 % slower. */
static const struct figure_mark fig9a_marks[] = {
    {0, "mean A", "gto", 1.10},      {0, "mean A", "paws", 1.09},
    {0, "mean B", "gto", 1 / 1.092}, {0, "mean B", "paws", 1.089 / 1.092},
    {0, "cfd", "paws", 0.97},        {0, NULL, NULL, 0},
};
/* Likewise 4 and 3 %; 7 and 4 % over tlgto. */
static const struct figure_mark fig9b_marks[] = {
    {0, "mean A", "tlgto", 1.04},
    {0, "mean A", "tlpaws", 1.03},
    {0, "mean B", "tlgto", 1 / 1.07},
    {0, "mean B", "tlpaws", 1.04 / 1.07},
    {0, NULL, NULL, 0},
};

const struct figure paws_figures[] = {
    {.id = "fig9a",
     .title = "Fig. 9a: single-level schedulers",
     .what = "Speed of the greedy and the phase-aware scheduler over round "
             "robin, single level, by kernel; type A gains by GTO in the "
             "paper, type B loses.",
     .claims = "paws-07 paws-08 paws-11 paws-12 paws-15 paws-16 paws-18 "
               "paws-19 paws-36",
     .panel = {{NULL, CHART_BARS, "speed over lrr", NULL, 1}},
     .mark = fig9a_marks,
     .group = {{A_SINGLE, "mean A"}, {B_SINGLE, "mean B"}},
     .series = "gto paws",
     .baseline = "lrr",
     .metric = speed},
    {.id = "fig9b",
     .title = "Fig. 9b: two-level schedulers",
     .what = "Speed of the greedy and the phase-aware scheduler over round "
             "robin, two levels, by kernel.",
     .claims = "paws-09 paws-10 paws-13 paws-14 paws-17 paws-20 paws-39 "
               "paws-41 paws-49 paws-50",
     .panel = {{NULL, CHART_BARS, "speed over tlrr", NULL, 1}},
     .mark = fig9b_marks,
     .group = {{A_TWO, "mean A"}, {B_TWO, "mean B"}},
     .series = "tlgto tlpaws",
     .baseline = "tlrr",
     .metric = speed},
    {.id = NULL},
};
