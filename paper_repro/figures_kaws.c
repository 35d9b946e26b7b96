/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the kernel-aware warp scheduling paper ("kaws"). Means
 * are arithmetic, as kaws.c says why. */
#include "paper_repro/figures_machines.h"
#include "paper_repro/lives.h"
#include "paper_repro/metrics.h"
#include "paper_repro/tables.h"

#include <math.h>

/* Table 2: SC, PF, BT, HS, MRI, QRG, 3DCV, 3MM, RN. */
#define NINE                                                                   \
    "streamcluster pathfinder-100k b+tree hotspot-512 mri-q "                  \
    "quasirandom 3dconvolution 3mm resnet"

/* ---- Fig. 6 ------------------------------------------------------------- */

#define BENCHMARKS 9
#define SCHEDULERS 3
#define STALLS_ALL 4 /* three kinds and their sum */

static const char *const schedulers[SCHEDULERS] = {"lrr", "gto", "kaws"};
static const char *const cause_names[STALLS_ALL] = {"idle", "scoreboard",
                                                    "pipeline", "all"};

static double idle_stalls(const struct sampler_run *r)
{
    return (double)r->counts.stalls[STALL_IDLE];
}

/* Issue slots of each kind, [scheduler][kind][benchmark]. */
typedef double stall_table[SCHEDULERS][STALLS_ALL][BENCHMARKS];

static bool count_stalls(stall_table out, const struct view *v, struct error *e)
{
    static double (*const metric[STALLS_ALL])(const struct sampler_run *) = {
        idle_stalls, scoreboard_stalls, pipeline_stalls, all_stalls};
    for (int b = 0; b < BENCHMARKS; b++)
        for (int s = 0; s < SCHEDULERS; s++) {
            const struct point p = {.kernel = kaws_table2[b].kernel,
                                    .policies = schedulers[s]};
            const struct sampler_run *r = view_run(v, &p, e);
            if (r == NULL)
                return false;
            for (int k = 0; k < STALLS_ALL; k++)
                out[s][k][b] = metric[k](r);
        }
    return true;
}

/* A panel for each scheduler: kinds on top of each other, of all stalls under
 * lrr. */
static bool add_stacks(struct figure_data *d, stall_table stalls,
                       struct error *e)
{
    for (int s = 0; s < SCHEDULERS; s++)
        for (int k = 0; k + 1 < STALLS_ALL; k++)
            for (int b = 0; b < BENCHMARKS; b++) {
                struct figure_value row = figure_value(
                    s, kaws_table2[b].kernel, cause_names[k],
                    stalls[s][k][b] / stalls[0][STALLS_ALL - 1][b]);
                if (!figure_add(d, &row, e))
                    return false;
            }
    return true;
}

/* Of each kind what the stacks' mean is over that under lrr: some benchmarks
 * have next to none of a kind, so that their own ratios say nothing. */
static bool add_stall_means(struct figure_data *d, stall_table stalls,
                            struct error *e)
{
    for (int s = 1; s < SCHEDULERS; s++)
        for (int k = 0; k < STALLS_ALL; k++) {
            double part[BENCHMARKS], base[BENCHMARKS];
            for (int b = 0; b < BENCHMARKS; b++) {
                double all = stalls[0][STALLS_ALL - 1][b];
                part[b] = stalls[s][k][b] / all;
                base[b] = stalls[0][k][b] / all;
            }
            struct figure_value row =
                figure_value(SCHEDULERS, cause_names[k], schedulers[s], NAN);
            figure_mean(&row, part, base, BENCHMARKS, RATIO_OF_MEANS);
            if (!figure_add(d, &row, e))
                return false;
        }
    return true;
}

static bool fill_stalls(struct figure_data *d, const struct figure *f,
                        const struct view *v, struct error *e)
{
    stall_table stalls;
    (void)f;
    return count_stalls(stalls, v, e) && add_stacks(d, stalls, e) &&
           add_stall_means(d, stalls, e);
}

/* ---- Table 2 ------------------------------------------------------------ */

static bool last_block(double *out, const struct view *v, const char *kernel,
                       const char *policies, struct error *e)
{
    const struct point p = {
        .kernel = kernel, .policies = policies, .warps = true};
    const struct lab_record *r = view_record(v, &p, e);
    if (r != NULL)
        *out = lives_last_block(r);
    return r != NULL;
}

static bool add_cell(struct figure_data *d, const char *kernel,
                     const char *column, double ours, double paper,
                     struct error *e)
{
    struct figure_value v = figure_value(0, kernel, column, ours);
    v.paper = paper;
    return figure_add(d, &v, e);
}

static bool fill_last(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    double sum = 0, papers = 0;
    (void)f;
    for (size_t i = 0; i < kaws_table2_rows; i++) {
        const struct kaws_row *row = &kaws_table2[i];
        double gto, kaws;
        if (!last_block(&gto, v, row->kernel, "gto", e) ||
            !last_block(&kaws, v, row->kernel, "kaws", e) ||
            !add_cell(d, row->kernel, "gto (cycles)", gto, row->gto, e) ||
            !add_cell(d, row->kernel, "kaws (cycles)", kaws, row->kaws, e) ||
            !add_cell(d, row->kernel, "kaws over gto (%)", 100 * kaws / gto,
                      row->percent, e))
            return false;
        sum += 100 * kaws / gto / (double)kaws_table2_rows;
        papers += row->percent / (double)kaws_table2_rows;
    }
    return add_cell(d, "mean", "kaws over gto (%)", sum, papers, e);
}

/* ---- rows --------------------------------------------------------------- */

/* Sec. 4.1. mri-q under gto: kaws is 4.74 % below lrr and 7.5 % above gto. */
static const struct figure_mark fig5_marks[] = {
    {0, "mean", "gto", 1.047},
    {0, "mean", "kaws", 1.0797},
    {0, "resnet", "kaws", 1.1991},
    {0, "hotspot-512", "kaws", 1.1964},
    {0, "3dconvolution", "kaws", 1.1388},
    {0, "mri-q", "kaws", 0.9526},
    {0, "mri-q", "gto", 0.9526 / 1.075},
    {0, NULL, NULL, 0},
};

/* Sec. 4.2. */
static const struct figure_mark fig6_marks[] = {
    {SCHEDULERS, "pipeline", "kaws", 1 - 0.1735},
    {SCHEDULERS, "all", "kaws", 1 - 0.0182},
    {0, NULL, NULL, 0},
};

const struct figure kaws_figures[] = {
    {.id = "table1",
     .title = "Table 1: the machine",
     .what = "The keys of our machines beside the configuration that the paper "
             "prints. A first-level instruction cache of that size and lines "
             "of 128 bytes cannot have the ways that the paper prints.",
     .fill = fill_kaws_machine},
    {.id = "fig5",
     .title = "Fig. 5: speed over round robin",
     .what = "Speed of the greedy and the kernel-aware scheduler over lrr: "
             "instructions a cycle, of the same instructions.",
     .claims = "kaws-01 kaws-02 kaws-03 kaws-04 kaws-05 kaws-06 kaws-07 "
               "kaws-08 kaws-09 kaws-10 kaws-11 kaws-18 kaws-21",
     .panel = {{.kind = CHART_BARS, .y = "speed over lrr", .origin = 1}},
     .mark = fig5_marks,
     .group = {{NINE, "mean"}},
     .series = "gto kaws",
     .baseline = "lrr",
     .metric = speed,
     .mean = RATIOS_ARITHMETIC},
    {.id = "table2",
     .title = "Table 2: cycles of the last block of a launch",
     .what = "How long the block takes that a launch issued last, on average "
             "over the launches.",
     .claims = "kaws-12 kaws-13",
     .fill = fill_last},
    {.id = "fig6",
     .title = "Fig. 6: issue slots without an instruction",
     .what = "Empty issue slots by their cause, over all empty slots under "
             "lrr; below, the mean over the benchmarks of each of these, over "
             "lrr's.",
     .claims = "kaws-14 kaws-15 kaws-16 kaws-19 kaws-20",
     .panel =
         {{"lrr", CHART_STACK, "stalls over lrr's", NULL, 0, NULL, false, 130},
          {"gto", CHART_STACK, "stalls over lrr's", NULL, 0, NULL, false, 130},
          {"kaws", CHART_STACK, "stalls over lrr's", NULL, 0, NULL, false, 130},
          {"mean", CHART_BARS, "of a cause over lrr's", NULL, 1, NULL, false,
           150}},
     .columns = 2,
     .mark = fig6_marks,
     .fill = fill_stalls},
    {.id = NULL},
};
