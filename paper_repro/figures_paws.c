/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the phase-aware scheduling paper ("paws"). What it
 * prints of a figure beyond its picture stands in its text: there are no more
 * marks than these. */
#include "paper_repro/figures_paws.h"
#include "paper_repro/figures_machines.h"
#include "paper_repro/metrics.h"
#include "paper_repro/paws.h"

#include <stddef.h>

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

/* Sec. V-C, of round robin's. Type A at two levels is "comparable", without a
 * number. */
static const struct figure_mark fig12_marks[] = {
    {0, "A, single level", "gto", 1 - 0.2156},
    {0, "A, single level", "paws", 1 - 0.2103},
    {0, "B, single level", "gto", 1.1366},
    {0, "B, single level", "paws", 1.068},
    {0, "B, two levels", "gto", 1.0873},
    {0, "B, two levels", "paws", 1.039},
    {0, NULL, NULL, 0},
};

/* Fig. 6 and 7. */
#define OVER_TIME                                                              \
    {                                                                          \
        {"(a) two-level round robin",                                          \
         CHART_AREAS,                                                          \
         "warps",                                                              \
         NULL,                                                                 \
         0,                                                                    \
         "cycle",                                                              \
         true,                                                                 \
         150},                                                                 \
            {"(b) two-level GTO",                                              \
             CHART_AREAS,                                                      \
             "warps",                                                          \
             NULL,                                                             \
             0,                                                                \
             "cycle",                                                          \
             true,                                                             \
             150},                                                             \
            {NULL, CHART_STEPS, "in flight", NULL, 0, "cycle", false, 110},    \
            {NULL, CHART_STEPS, "in flight", NULL, 0, "cycle", false, 110},    \
    }

const struct figure paws_figures[] = {
    {.id = "table1",
     .title = "Table I: the machine",
     .what = "The keys of our machines beside the configuration that the paper "
             "prints. A cycle of m2090-gsim is two of the shader clock, as in "
             "the simulator's own files; units are counted by the shader "
             "clock.",
     .fill = fill_paws_machine},
    {.id = "table2",
     .title = "Table II: the kernels",
     .what = "Grid, block, blocks a core and phases of the kernels. Grids and "
             "blocks are the paper's; phases follow from the code by the "
             "paper's rule and GPGPU-Sim's latencies.",
     .claims = "paws-03 paws-04 paws-05 paws-06 paws-40 paws-45 paws-46 "
               "paws-47 paws-48",
     .fill = fill_table2},
    {.id = "fig4",
     .title = "Fig. 4: phases of the vector addition",
     .what = "The example that defines what a phase and its length are.",
     .claims = "paws-01 paws-02",
     .fill = fill_vector_add},
    {.id = "fig6",
     .title = "Fig. 6: B+Tree (bt-k2), phases over time on a core",
     .what = "Warps in each phase, and instructions in flight, under both "
             "two-level schedulers from the launch on. In the paper warps pile "
             "up at the start of a phase under round robin and spread over "
             "phases under GTO.",
     .claims = "paws-29",
     .panel = OVER_TIME,
     .columns = 2,
     .fill = fill_bt_k2},
    {.id = "fig7",
     .title = "Fig. 7: CFD, phases over time on a core",
     .what = "Warps in each phase, and instructions in flight, under both "
             "two-level schedulers from the launch on. In the paper the memory "
             "load falls to nothing under GTO while warps compute in long "
             "phases.",
     .claims = "paws-28 paws-30",
     .panel = OVER_TIME,
     .columns = 2,
     .fill = fill_cfd},
    {.id = "fig9a",
     .title = "Fig. 9a: single-level schedulers",
     .what = "Speed of the greedy and the phase-aware scheduler over round "
             "robin, single level, by kernel; type A gains by GTO in the "
             "paper, type B loses.",
     .claims = "paws-07 paws-08 paws-11 paws-12 paws-15 paws-16 paws-18 "
               "paws-19 paws-36",
     .panel = {{.kind = CHART_BARS, .y = "speed over lrr", .origin = 1}},
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
     .panel = {{.kind = CHART_BARS, .y = "speed over tlrr", .origin = 1}},
     .mark = fig9b_marks,
     .group = {{A_TWO, "mean A"}, {B_TWO, "mean B"}},
     .series = "tlgto tlpaws",
     .baseline = "tlrr",
     .metric = speed},
    {.id = "fig10",
     .title = "Fig. 10: what is in flight, by time",
     .what = "Share of the cores' cycles in which ALU instructions, memory "
             "instructions, both or neither are in flight, by scheduler.",
     .claims = "paws-52",
     .panel = {{"(a) BP-K1", CHART_STACK, "cycles", "%", 0, NULL, false, 150},
               {"(b) BT-K2", CHART_STACK, "cycles", "%", 0, NULL, false, 150},
               {"(c) Heart Wall", CHART_STACK, "cycles", "%", 0, NULL, false,
                150},
               {"(d) CFD", CHART_STACK, "cycles", "%", 0, NULL, false, 150}},
     .columns = 2,
     .fill = fill_breakdown},
    {.id = "fig11",
     .title = "Fig. 11: average loads",
     .what = "ALU and memory instructions in flight on a core, mean over time "
             "and cores, by scheduler.",
     .claims = "paws-31 paws-32 paws-33 paws-34 paws-35 paws-51",
     .panel = {{"(a) BP-K1", CHART_BARS, "in flight", NULL, 0, NULL, false,
                150},
               {"(b) BT-K2", CHART_BARS, "in flight", NULL, 0, NULL, false,
                150},
               {"(c) Heart Wall", CHART_BARS, "in flight", NULL, 0, NULL, false,
                150},
               {"(d) CFD", CHART_BARS, "in flight", NULL, 0, NULL, false, 150}},
     .columns = 2,
     .fill = fill_loads},
    {.id = "fig12",
     .title = "Fig. 12: idle time of the schedulers",
     .what = "Issue slots that stay empty, mean over the kernels of a type, "
             "over those of round robin at the same level.",
     .claims = "paws-21 paws-22 paws-23 paws-24 paws-25 paws-26 paws-27",
     .panel = {{.kind = CHART_BARS,
                .y = "idle time over round robin's",
                .origin = 1}},
     .mark = fig12_marks,
     .fill = fill_idle},
    {.id = "fig13",
     .title = "Fig. 13: active warps of LUD on a core",
     .what = "Warps on a core from the launch on, under both two-level "
             "schedulers: a tail is where fewer warps are active than fit, "
             "since some of a block have ended and the others have not.",
     .claims = "paws-37 paws-38",
     .panel = {{"(a) two-level GTO", CHART_STEPS, "active warps", NULL, 0,
                "cycle", false, 150},
               {"(b) two-level round robin", CHART_STEPS, "active warps", NULL,
                0, "cycle", false, 150}},
     .columns = 2,
     .fill = fill_tail},
    {.id = NULL},
};
