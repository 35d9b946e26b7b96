/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the inter-kernel reuse paper ("ikra"). Marks are what
 * its text prints of them. */
#include "paper_repro/figures_ikra.h"
#include "paper_repro/ikra.h"

#include <stddef.h>

/* Sec. 6.1. */
static const struct figure_mark fig4_marks[] = {
    {0, "gpu-small", "reset", 0.32},
    {0, "work-stealing", "steal", 0.74},
    {0, NULL, NULL, 0},
};
/* Sec. 6.2. */
static const struct figure_mark fig5_marks[] = {
    {0, "mean", "steal", 0.81},
    {0, "srad-v2", "steal", 0.57},
    {0, NULL, NULL, 0},
};
/* Sec. 6.3. */
static const struct figure_mark fig6_marks[] = {
    {0, "mean", "steal", 0.90},
    {0, "mean", "flip", 0.99},
    {0, NULL, NULL, 0},
};
/* Sec. 7.2. */
static const struct figure_mark fig8_marks[] = {
    {0, "mean regular", "steal", 0.87},
    {0, "mean irregular", "steal", 1},
    {0, NULL, NULL, 0},
};

#define BARS_PANEL(heading, of_kind)                                           \
    {                                                                          \
        .title = heading, .kind = of_kind, .y = "of rr's"                      \
    }
#define PARTS_OF_BARS                                                          \
    {                                                                          \
        BARS_PANEL("(a) execution time", CHART_BARS),                          \
            BARS_PANEL("(b) energy", CHART_STACK),                             \
            BARS_PANEL("(c) network traffic", CHART_STACK),                    \
            BARS_PANEL("(d) accesses, by who served them", CHART_STACK),       \
    }
#define SIZES_PANEL(heading)                                                   \
    {                                                                          \
        .title = heading, .kind = CHART_BARS, .y = "of rr's at 128 KB"         \
    }
#define LETTERS                                                                \
    " G, C, R, F and S are rr, chunk, reset, flip and steal. Energy is that "  \
    "of core, L1, scratchpad, L2 and network."

const struct figure ikra_figures[] = {
    {.id = "table1",
     .title = "Table 1: dependences between launches",
     .what = "Who wrote what a launch reads: the same block in the launch "
             "before, its neighbour, or others. The paper counts what threads "
             "read through the scratchpad, too; here loads from global memory "
             "count.",
     .claims = "ikra-01",
     .fill = fill_ikra_dependences},
    {.id = "table2",
     .title = "Table 2: the machines",
     .what = "The keys of both machines, beside the configuration that the "
             "paper prints.",
     .fill = fill_ikra_machine},
    {.id = "table3",
     .title = "Table 3: the applications",
     .what = "Blocks, grids and data of the kernel files beside the paper's.",
     .fill = fill_ikra_applications},
    {.id = "fig4",
     .title = "Fig. 4: microbenchmarks on three compute units",
     .what = "Time, energy, traffic and where accesses were served under every "
             "thread-block scheduler." LETTERS,
     .claims = "ikra-02 ikra-03 ikra-04 ikra-05 ikra-06 ikra-07 ikra-08 "
               "ikra-09 ikra-10 ikra-11 ikra-12 ikra-13 ikra-39 ikra-40 "
               "ikra-41",
     .panel = PARTS_OF_BARS,
     .mark = fig4_marks,
     .gpu = "ikra-micro",
     .group = {{IKRA_MICRO, NULL}},
     .fill = fill_ikra_bars},
    {.id = "fig5",
     .title = "Fig. 5: regular applications",
     .what = "Time, energy, traffic and where accesses were served under every "
             "thread-block scheduler." LETTERS,
     .claims = "ikra-14 ikra-15 ikra-16 ikra-17 ikra-18 ikra-19 ikra-20 "
               "ikra-21 ikra-22 ikra-23 ikra-24 ikra-38 ikra-42",
     .panel = PARTS_OF_BARS,
     .mark = fig5_marks,
     .group = {{IKRA_REGULAR, "mean"}},
     .fill = fill_ikra_bars},
    {.id = "fig6",
     .title = "Fig. 6: irregular applications on two graphs",
     .what = "Time, energy, traffic and where accesses were served under every "
             "thread-block scheduler; -1 is cond_mat, -2 olesnik0." LETTERS,
     .claims = "ikra-25 ikra-26 ikra-27 ikra-28 ikra-29 ikra-30 ikra-43 "
               "ikra-44 ikra-45",
     .panel = PARTS_OF_BARS,
     .mark = fig6_marks,
     .group = {{IKRA_IRREGULAR, "mean"}},
     .fill = fill_ikra_bars},
    {.id = "fig7",
     .title = "Fig. 7: sizes of the L1",
     .what = "Time under every thread-block scheduler over that of round robin "
             "with 128 KB; the L2 is 32 times the L1.",
     .claims = "ikra-33 ikra-34 ikra-47",
     .panel = {SIZES_PANEL("LUD"), SIZES_PANEL("SRAD v1"),
               SIZES_PANEL("SRAD v2"), SIZES_PANEL("DJ2")},
     .columns = 2,
     .group = {{IKRA_SIZED, NULL}},
     .fill = fill_ikra_sizes},
    {.id = "fig8",
     .title = "Fig. 8: gpu coherence",
     .what = "Time under every thread-block scheduler over round robin's where "
             "L1s are emptied between launches.",
     .claims = "ikra-35 ikra-36 ikra-37 ikra-48",
     .panel = {{.kind = CHART_BARS, .y = "of rr's"}},
     .mark = fig8_marks,
     .group = {{IKRA_REGULAR, "mean regular"},
               {IKRA_IRREGULAR, "mean irregular"}},
     .fill = fill_ikra_gpu_coherence},
    {.id = NULL},
};
