/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the warp criticality paper ("cawa"). */
#include "paper_repro/figures_cawa.h"
#include "configs/gpu.h"
#include "paper_repro/claim.h"
#include "paper_repro/lives.h"
#include "paper_repro/metrics.h"

#include <math.h>
#include <stdio.h>

#define SENS                                                                   \
    "bfs b+tree heartwall kmeans-rows needle srad-v1 streamcluster-small"
#define NON_SENS                                                               \
    "backprop-64k particlefilter pathfinder-100k streamcluster-mid tpacf"
#define ALL SENS " " NON_SENS

/* ---- Table 1 ------------------------------------------------------------ */

static double sets(double kb, int banks, int ways, int line)
{
    return kb * 1024 / banks / ways / line;
}

static bool fill_table1(struct figure_data *d, const struct figure *f,
                        const struct view *v, struct error *e)
{
    (void)f;
    struct gpu g;
    if (!gpu_load(&g, v->gpu, NULL, 0, e))
        return false;
    const struct {
        const char *what;
        double ours, paper;
    } row[] = {
        {"SMs", g.sms, 15},
        {"warps of an SM", g.sm.max_warps, 48},
        {"blocks of an SM", g.sm.max_blocks, 8},
        {"schedulers of an SM", g.sm.schedulers, 2},
        {"registers of an SM", g.sm.registers, 32768},
        {"shared memory (KiB)", g.sm.shared_bytes / 1024.0, 48},
        {"L1 (KiB)", g.l1.size_kb, 16},
        {"L1: sets", sets(g.l1.size_kb, 1, g.l1.ways, g.l1.line_bytes), 8},
        {"L1: ways", g.l1.ways, 16},
        {"instruction cache (KiB)", g.icache.size_kb, 2},
        {"instruction cache: ways", g.icache.ways, 4},
        {"L2 (KiB)", g.l2.size_kb, 768},
        {"L2: banks", g.l2.banks, 6},
        {"L2: sets", sets(g.l2.size_kb, g.l2.banks, g.l2.ways, g.l2.line_bytes),
         64},
        {"L2: ways", g.l2.ways, 16},
        {"L2: least latency (cycles)", g.l2.latency, 120},
        {"DRAM: least latency (cycles)", g.l2.latency + g.dram.latency, 220},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct figure_value value =
            figure_value(0, row[i].what, "GTX 480", row[i].ours);
        value.paper = row[i].paper;
        if (!figure_add(d, &value, e))
            return false;
    }
    return true;
}

/* ---- lives of warps ----------------------------------------------------- */

static bool look_at(struct lives *out, const struct view *v, const char *kernel,
                    struct error *e)
{
    const struct point p = {.kernel = kernel, .policies = "lrr", .warps = true};
    const struct lab_record *r = view_record(v, &p, e);
    return r != NULL && lives_look(out, r, e);
}

/* A bar for each kernel, and their mean; blocks of one warp have none. */
static bool fill_lives(struct figure_data *d, const struct view *v,
                       double (*figure)(const struct lives *l),
                       const char *series, struct error *e)
{
    const char *kernels = ALL;
    char kernel[32];
    double sum = 0;
    int count = 0;
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        struct lives l;
        if (!look_at(&l, v, kernel, e))
            return false;
        if (l.blocks == 0)
            continue;
        struct figure_value value = figure_value(0, kernel, series, figure(&l));
        sum += value.ours;
        count++;
        if (!figure_add(d, &value, e))
            return false;
    }
    struct figure_value mean = figure_value(0, "mean", series, sum / count);
    return figure_add(d, &mean, e);
}

/* Of the slowest warp's time: where a warp has nothing to do, what the others
 * take in terms of its time would hide all else. */
static double most_disparity(const struct lives *l)
{
    return 100 * l->most / (100 + l->most);
}

static double critical_wait(const struct lives *l)
{
    return l->critical_wait;
}

static bool fill_fig1(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    return fill_lives(d, v, most_disparity, "lrr", e);
}

static bool fill_fig4(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    return fill_lives(d, v, critical_wait, "lrr", e);
}

/* ---- the L1 ------------------------------------------------------------- */

static bool figure_of(double *out, const struct view *v, const char *kernel,
                      const char *policies, const char *keys,
                      double (*metric)(const struct sampler_run *r),
                      struct error *e)
{
    const struct point p = {.kernel = kernel,
                            .policies = policies,
                            .keys = keys,
                            .criticality = true};
    const struct sampler_run *r = view_run(v, &p, e);
    if (r != NULL)
        *out = metric(r);
    return r != NULL;
}

static bool fill_fig3(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    static const struct {
        const char *subject, *keys;
        double paper;
    } cache[] = {{"16 KB, 4 ways", "l1.ways=4", 60},
                 {"16 KB, 16 ways", "l1.ways=16", NAN},
                 {"256 KB, 16 ways", "l1.size_kb=256 l1.ways=16", NAN}};
    for (int i = 0; i < 3; i++) {
        double percent;
        if (!figure_of(&percent, v, "bfs", "lrr", cache[i].keys,
                       critical_evicted, e))
            return false;
        struct figure_value value =
            figure_value(0, cache[i].subject, "evicted before", percent);
        value.paper = cache[i].paper;
        if (!figure_add(d, &value, e))
            return false;
    }
    return true;
}

/* Of critical warps over that under lrr; where they never hit there is none. */
static bool fill_fig14(struct figure_data *d, const struct figure *f,
                       const struct view *v, struct error *e)
{
    (void)f;
    const char *kernels = ALL;
    char kernel[32];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        const char *list = "tlrr gto gcaws cawa";
        char policies[32];
        double base, hits;
        if (!figure_of(&base, v, kernel, "lrr", NULL, critical_hits, e))
            return false;
        while (next_word(policies, sizeof(policies), &list)) {
            if (!figure_of(&hits, v, kernel, policies, NULL, critical_hits, e))
                return false;
            const struct figure_value value =
                figure_value(0, kernel, policies, base > 0 ? hits / base : NAN);
            if (!figure_add(d, &value, e))
                return false;
        }
    }
    return true;
}

static bool fill_fig15(struct figure_data *d, const struct figure *f,
                       const struct view *v, struct error *e)
{
    (void)f;
    const char *kernels = ALL;
    char kernel[32];
    while (next_word(kernel, sizeof(kernel), &kernels)) {
        const char *list = "lrr cawa";
        char policies[32];
        while (next_word(policies, sizeof(policies), &list)) {
            double percent;
            if (!figure_of(&percent, v, kernel, policies, NULL, critical_unused,
                           e))
                return false;
            const struct figure_value value =
                figure_value(0, kernel, policies, percent);
            if (!figure_add(d, &value, e))
                return false;
        }
    }
    return true;
}

/* ---- figures ------------------------------------------------------------ */

static const struct figure_mark fig1_marks[] = {
    {0, "mean", "lrr", 45}, {0, "srad-v1", "lrr", 70}, {0, NULL, NULL, 0}};
static const struct figure_mark fig9_marks[] = {
    {0, "mean Sens", "tlrr", 0.98},
    {0, "mean Sens", "gto", 1.16},
    {0, "mean Sens", "cawa", 1.23},
    {0, "kmeans-rows", "cawa", 3.13},
    {0, NULL, NULL, 0},
};
static const struct figure_mark fig10_marks[] = {
    {0, "kmeans-rows", "cawa", 0.738}, {0, NULL, NULL, 0}};
static const struct figure_mark fig11_marks[] = {
    {0, "needle", "cawa", 100}, {0, "mean", "cawa", 73}, {0, NULL, NULL, 0}};
static const struct figure_mark fig14_marks[] = {
    {0, "kmeans-rows", "cawa", 7.22}, {0, NULL, NULL, 0}};

#define SPLIT                                                                  \
    {                                                                          \
        {SENS, "mean Sens"},                                                   \
        {                                                                      \
            NON_SENS, "mean Non-sens"                                          \
        }                                                                      \
    }

const struct figure cawa_figures[] = {
    {.id = "table1",
     .title = "Table 1: the GPU",
     .what = "What the paper prints of its configuration, and ours.",
     .claims = "",
     .fill = fill_table1},
    {.id = "fig1",
     .title = "Fig. 1: disparity of warps' times",
     .what = "How much longer the slowest warp of a block takes than the "
             "fastest, in percent of the slowest's time, in the block in which "
             "that is most; blocks of one warp have none. What the paper's "
             "percents are of it does not say; the claims take the fastest's "
             "time, as its text does at Fig. 2.",
     .claims = "cawa-20 cawa-21",
     .panel = {{.kind = CHART_BARS, .y = "of the slowest's time", .unit = "%"}},
     .mark = fig1_marks,
     .fill = fill_fig1},
    {.id = "fig2",
     .title = "Fig. 2: warps of a block",
     .what = "Time and instructions of the warps of one block of bfs, on a "
             "tree as it is and on a balanced one: of the block with the most "
             "disparity, its warps by growing time, in percent of the slowest "
             "warp's time and of the most instructions; and of the first of "
             "the two blocks, the share of a warp's time in which its next "
             "instruction waits for what memory is to bring.",
     .claims = "cawa-22 cawa-23 cawa-26",
     .panel = {{.title = "unbalanced tree",
                .kind = CHART_BARS,
                .y = "of the most",
                .unit = "%",
                .x = "warp"},
               {.title = "balanced tree",
                .kind = CHART_BARS,
                .y = "of the most",
                .unit = "%",
                .x = "warp"},
               {.title = "waits for memory",
                .kind = CHART_BARS,
                .y = "of its time",
                .unit = "%",
                .x = "warp"}},
     .fill = fill_disparity},
    {.id = "fig3",
     .title = "Fig. 3: lines evicted before critical warps use them again",
     .what = "Share of the lines of bfs that critical warps could use again, "
             "in L1s of three shapes; the paper has more than 60 % at 4 ways.",
     .claims = "cawa-24",
     .panel = {{.kind = CHART_BARS, .y = "evicted before", .unit = "%"}},
     .fill = fill_fig3},
    {.id = "fig4",
     .title = "Fig. 4: wait for the scheduler",
     .what = "Share of the time of a block's slowest warp in which it could "
             "have issued and did not, mean of the blocks; 52.4 % at most in "
             "the paper.",
     .claims = "cawa-25",
     .panel = {{.kind = CHART_BARS, .y = "wait", .unit = "%"}},
     .fill = fill_fig4},
    {.id = "fig8",
     .title = "Fig. 8: reuse by instruction",
     .what = "Of the lines of bfs that critical warps bring into the L1, by "
             "the load that brings them (its line in the kernel's file): those "
             "that a critical warp finds again before they are evicted or the "
             "launch ends, those that only others do, and those that nobody "
             "does. In the paper a large L1 has most of them used again, a "
             "small one does not, and its fifth load's are hardly ever.",
     .claims = "",
     .panel =
         {{.title = "256 KB", .kind = CHART_STACK, .y = "lines", .unit = "%"},
          {.title = "16 KB", .kind = CHART_STACK, .y = "lines", .unit = "%"}},
     .columns = 2,
     .fill = fill_reuse},
    {.id = "fig9",
     .title = "Fig. 9: performance of CAWA",
     .what = "Speed over round robin of the two-level scheduler, GTO and CAWA.",
     .claims = "cawa-01 cawa-02 cawa-03 cawa-04 cawa-05",
     .panel = {{.kind = CHART_BARS, .y = "speed over lrr", .origin = 1}},
     .mark = fig9_marks,
     .group = SPLIT,
     .series = "tlrr gto cawa",
     .baseline = "lrr",
     .metric = speed},
    {.id = "fig10",
     .title = "Fig. 10: misses of the L1",
     .what = "Misses per kilo-instruction over those under round robin.",
     .claims = "cawa-06 cawa-07 cawa-08 cawa-29",
     .panel = {{.kind = CHART_BARS, .y = "misses over lrr", .origin = 1}},
     .mark = fig10_marks,
     .group = SPLIT,
     .series = "tlrr gto cawa",
     .baseline = "lrr",
     .metric = l1_mpki},
    {.id = "fig11",
     .title = "Fig. 11: accuracy of the predictor",
     .what = "Share of the looks in which the warp that ends last counts as "
             "slow.",
     .claims = "cawa-09 cawa-10",
     .panel = {{.kind = CHART_BARS, .y = "accuracy", .unit = "%"}},
     .mark = fig11_marks,
     .group = {{ALL, "mean"}},
     .series = "cawa",
     .metric = critical_accuracy,
     .mean = RATIO_OF_MEANS},
    {.id = "fig12",
     .title = "Fig. 12: the critical warp's rank over time",
     .what = "Where the criticality predictor puts the warp of a block of bfs "
             "that is the slowest under round robin, among the block's 16 "
             "warps: 15 is the most critical one, and what has ended is the "
             "least. Of the block with the most instructions, from its launch "
             "on. In the paper the rank is higher under gCAWS.",
     .claims = "",
     .panel = {{.title = "lrr",
                .kind = CHART_STEPS,
                .y = "rank",
                .x = "cycles since the block's launch"},
               {.title = "gcaws",
                .kind = CHART_STEPS,
                .y = "rank",
                .x = "cycles since the block's launch"}},
     .fill = fill_rank},
    {.id = "fig13",
     .title = "Fig. 13: schedulers by criticality",
     .what = "Speed over round robin of the oracle, of its prediction, and of "
             "both parts of CAWA.",
     .claims = "cawa-11 cawa-12 cawa-13 cawa-14 cawa-15 cawa-27",
     .panel = {{.kind = CHART_BARS, .y = "speed over lrr", .origin = 1}},
     .group = {{SENS, "mean Sens"}},
     .series = "caws gcaws cawa",
     .baseline = "lrr",
     .metric = speed},
    {.id = "fig14",
     .title = "Fig. 14: hits of critical warps",
     .what = "Hit rate of critical warps in the L1 over that under round "
             "robin; none where they never hit.",
     .claims = "cawa-16 cawa-17",
     .panel = {{.kind = CHART_BARS, .y = "hit rate over lrr", .origin = 1}},
     .mark = fig14_marks,
     .fill = fill_fig14},
    {.id = "fig15",
     .title = "Fig. 15: critical lines without reuse",
     .what = "Lines that critical warps brought and nobody used again, of "
             "those evicted; 44.3 % on average under round robin in the paper.",
     .claims = "cawa-18",
     .panel = {{.kind = CHART_BARS, .y = "not used again", .unit = "%"}},
     .fill = fill_fig15},
    {.id = "fig16",
     .title = "Fig. 16: misses with CACP",
     .what = "Misses per kilo-instruction over round robin without it.",
     .claims = "cawa-29",
     .panel = {{.kind = CHART_BARS, .y = "misses over lrr", .origin = 1}},
     .group = SPLIT,
     .series = "lrr//cacp gto//cacp tlrr//cacp cawa",
     .baseline = "lrr",
     .metric = l1_mpki},
    {.id = "fig17",
     .title = "Fig. 17: performance with CACP",
     .what = "Speed over round robin without it.",
     .claims = "cawa-19 cawa-28",
     .panel = {{.kind = CHART_BARS, .y = "speed over lrr", .origin = 1}},
     .group = SPLIT,
     .series = "lrr//cacp gto//cacp tlrr//cacp cawa",
     .baseline = "lrr",
     .metric = speed},
    {.id = NULL},
};
