/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and tables of the thread-block saturation paper ("perfsat"). Of most
 * of its bars the paper prints no number: marks are those of its tables. */
#include "configs/gpu.h"
#include "paper_repro/claim.h"
#include "paper_repro/figure.h"
#include "paper_repro/saturation.h"

#include <math.h>
#include <stdio.h>

static const char *const board_names[PERFSAT_BOARDS] = {"Tesla M2090",
                                                        "Tesla K20X"};

static bool add(struct figure_data *d, const struct view *v,
                enum perfsat_board board, struct figure_value value,
                struct error *e)
{
    value.gpu = saturation_gpu(v, board);
    return figure_add(d, &value, e);
}

/* ---- Table I ------------------------------------------------------------ */

static double flops(const struct gpu *g, int units, int interval)
{
    return 2e-3 * 32 * units / interval * g->sms * g->clock.core_mhz;
}

static bool add_row(struct figure_data *d, const struct view *v,
                    enum perfsat_board board, const char *what, double ours,
                    double paper, struct error *e)
{
    struct figure_value value = figure_value(0, what, board_names[board], ours);
    value.paper = paper;
    return add(d, v, board, value, e);
}

static bool fill_table1(struct figure_data *d, const struct figure *f,
                        const struct view *v, struct error *e)
{
    (void)f;
    static const double paper[][PERFSAT_BOARDS] = {
        {128, 256},   {1536, 2048}, {8, 16},      {32, 192}, {16, 64},
        {1330, 3935}, {665, 1311},  {1850, 2600}, {177, 250}};
    for (int b = 0; b < PERFSAT_BOARDS; b++) {
        struct gpu g;
        enum perfsat_board board = (enum perfsat_board)b;
        if (!gpu_load(&g, saturation_gpu(v, board), NULL, 0, e))
            return false;
        /* Double precision without units of its own is on the SFU's. */
        int dp = g.unit.dp > 0 ? g.unit.dp : g.unit.sfu;
        const struct {
            const char *what;
            double ours;
        } row[] = {
            {"registers of an SM (KiB)", g.sm.registers / 256.0},
            {"threads of an SM", g.sm.max_threads},
            {"blocks of an SM", g.sm.max_blocks},
            {"SP units of an SM", 32.0 * g.unit.sp / g.interval.sp},
            {"DP units of an SM", 32.0 * dp / g.interval.dp},
            {"SP peak (GFLOP/s)", flops(&g, g.unit.sp, g.interval.sp)},
            {"DP peak (GFLOP/s)", flops(&g, dp, g.interval.dp)},
            {"DRAM clock (MHz)", 2 * g.clock.dram_mhz},
            {"DRAM (GB/s)", g.dram.gbps},
        };
        for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
            if (!add_row(d, v, board, row[i].what, row[i].ours, paper[i][b], e))
                return false;
    }
    return true;
}

/* ---- Table II and Fig. 7 ------------------------------------------------ */

static bool add_count(struct figure_data *d, const struct view *v,
                      enum perfsat_board board, int panel, const char *kernel,
                      const char *series, double ours, double paper,
                      struct error *e)
{
    struct figure_value value = figure_value(panel, kernel, series, ours);
    value.paper = paper;
    return add(d, v, board, value, e);
}

static bool add_table2(struct figure_data *d, const struct view *v,
                       enum perfsat_board board, const struct perfsat_row *row,
                       struct error *e)
{
    struct saturation s;
    char most[48], best[48], class[48];
    const char *name = board_names[board];
    if (!saturation_sweep(&s, v, saturation_gpu(v, board), row->kernel, e))
        return false;
    snprintf(most, sizeof(most), "%s: most", name);
    snprintf(best, sizeof(best), "%s: best", name);
    snprintf(class, sizeof(class), "%s: class", name);
    return add_count(d, v, board, 0, row->kernel, most, s.max,
                     row->on[board].max, e) &&
           add_count(d, v, board, 0, row->kernel, best, s.best,
                     row->on[board].best, e) &&
           add_count(d, v, board, 0, row->kernel, class, s.class,
                     row->on[board].class, e);
}

static bool fill_table2(struct figure_data *d, const struct figure *f,
                        const struct view *v, struct error *e)
{
    (void)f;
    for (int b = 0; b < PERFSAT_BOARDS; b++)
        for (size_t i = 0; i < perfsat_table2_rows; i++)
            if (!add_table2(d, v, (enum perfsat_board)b, &perfsat_table2[i], e))
                return false;
    return true;
}

static bool add_fig7(struct figure_data *d, const struct view *v,
                     enum perfsat_board board, const struct perfsat_row *row,
                     struct error *e)
{
    struct saturation s;
    struct saturation_search found;
    const char *gpu = saturation_gpu(v, board), *kernel = row->kernel;
    return saturation_sweep(&s, v, gpu, kernel, e) &&
           saturation_search(&found, v, gpu, kernel, e) &&
           add_count(d, v, board, (int)board, kernel, "baseline", s.max,
                     row->on[board].max, e) &&
           add_count(d, v, board, (int)board, kernel, "optimal", s.best,
                     row->on[board].best, e) &&
           add_count(d, v, board, (int)board, kernel, "perfsat", found.blocks,
                     NAN, e);
}

/* Of the grid as a whole at the best count: of the sweep's window where that
 * is shorter. */
static bool add_fig8(struct figure_data *d, const struct view *v,
                     enum perfsat_board board, const struct perfsat_row *row,
                     struct error *e)
{
    struct saturation s;
    struct saturation_search found;
    const char *gpu = saturation_gpu(v, board), *kernel = row->kernel;
    return saturation_sweep(&s, v, gpu, kernel, e) &&
           saturation_search(&found, v, gpu, kernel, e) &&
           add_count(d, v, board, (int)board, kernel, "optimal",
                     saturation_speedup(&s, s.best, s.max), NAN, e) &&
           add_count(d, v, board, (int)board, kernel, "perfsat", found.speedup,
                     NAN, e);
}

static double percent(double part, double whole)
{
    return 100 * part / whole;
}

static bool add_fig9(struct figure_data *d, const struct view *v,
                     enum perfsat_board board, const struct perfsat_row *row,
                     struct error *e)
{
    struct gpu g;
    struct saturation_search found;
    const char *gpu = saturation_gpu(v, board), *kernel = row->kernel;
    if (!gpu_load(&g, gpu, NULL, 0, e) ||
        !saturation_search(&found, v, gpu, kernel, e))
        return false;
    double registers = percent(row->register_bytes, 4.0 * g.sm.registers);
    double threads = percent(row->threads, g.sm.max_threads);
    int panel = (int)board;
    return add_count(d, v, board, panel, kernel, "registers, baseline",
                     found.max * registers, NAN, e) &&
           add_count(d, v, board, panel, kernel, "registers, perfsat",
                     found.blocks * registers, NAN, e) &&
           add_count(d, v, board, panel, kernel, "threads, baseline",
                     found.max * threads, NAN, e) &&
           add_count(d, v, board, panel, kernel, "threads, perfsat",
                     found.blocks * threads, NAN, e);
}

static bool
each_row(struct figure_data *d, const struct view *v, struct error *e,
         bool (*add_one)(struct figure_data *d, const struct view *v,
                         enum perfsat_board board,
                         const struct perfsat_row *row, struct error *e))
{
    for (int b = 0; b < PERFSAT_BOARDS; b++)
        for (size_t i = 0; i < perfsat_table2_rows; i++)
            if (!add_one(d, v, (enum perfsat_board)b, &perfsat_table2[i], e))
                return false;
    return true;
}

static bool fill_fig7(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    return each_row(d, v, e, add_fig7);
}

static bool fill_fig8(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    return each_row(d, v, e, add_fig8);
}

static bool fill_fig9(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    return each_row(d, v, e, add_fig9);
}

/* ---- Fig. 1 and 5 ------------------------------------------------------- */

static bool add_speedups(struct figure_data *d, const struct view *v,
                         enum perfsat_board board, const char *kernel,
                         struct error *e)
{
    struct saturation s;
    if (!saturation_sweep(&s, v, saturation_gpu(v, board), kernel, e))
        return false;
    for (int n = 1; n <= s.max; n++) {
        struct figure_value value =
            figure_value((int)board, "", kernel, saturation_speedup(&s, n, 1));
        value.tb = n;
        if (!add(d, v, board, value, e))
            return false;
    }
    return true;
}

static bool fill_fig1(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    for (int b = 0; b < PERFSAT_BOARDS; b++) {
        const char *list = "srad-6 bt-k1 srad-5 bp-k2 cfd gaussian";
        char kernel[32];
        while (next_word(kernel, sizeof(kernel), &list))
            if (!add_speedups(d, v, (enum perfsat_board)b, kernel, e))
                return false;
    }
    return true;
}

/* Shares of the issue slots with n blocks, in percent of the cycles with one
 * block, so that a lower bar is a shorter run. */
static bool add_stalls(struct figure_data *d, const struct view *v,
                       enum perfsat_board board, int panel,
                       const struct saturation *s, int n, struct error *e)
{
    const double *stall = s->run[n]->result.stall;
    const struct {
        const char *name;
        double share;
    } part[] = {{"active", stall[STALL_ISSUED]},
                {"scoreboard", saturation_scoreboard(s, n)},
                {"pipeline", saturation_pipeline(s, n)},
                {"idle", stall[STALL_IDLE]}};
    double time = 100 / saturation_speedup(s, n, 1);
    char blocks[16];
    snprintf(blocks, sizeof(blocks), "%d", n);
    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        struct figure_value value =
            figure_value(panel, blocks, part[i].name, time * part[i].share);
        value.tb = n;
        if (!add(d, v, board, value, e))
            return false;
    }
    return true;
}

static bool fill_fig5(struct figure_data *d, const struct figure *f,
                      const struct view *v, struct error *e)
{
    (void)f;
    static const char *const kernel[] = {"bt-k1", "srad-5", "lud"};
    for (int b = 0; b < PERFSAT_BOARDS; b++)
        for (int k = 0; k < 3; k++) {
            enum perfsat_board board = (enum perfsat_board)b;
            struct saturation s;
            if (!saturation_sweep(&s, v, saturation_gpu(v, board), kernel[k],
                                  e))
                return false;
            for (int n = 1; n <= s.max; n++)
                if (!add_stalls(d, v, board, 3 * b + k, &s, n, e))
                    return false;
        }
    return true;
}

/* ---- figures ------------------------------------------------------------ */

#define BOARDS(KIND, Y, UNIT, ORIGIN)                                          \
    {                                                                          \
        {.title = "Tesla M2090",                                               \
         .kind = (KIND),                                                       \
         .y = (Y),                                                             \
         .unit = (UNIT),                                                       \
         .origin = (ORIGIN)},                                                  \
        {                                                                      \
            .title = "Tesla K20X", .kind = (KIND), .y = (Y), .unit = (UNIT),   \
            .origin = (ORIGIN)                                                 \
        }                                                                      \
    }
#define BY_BLOCKS(TITLE, KIND, Y, UNIT)                                        \
    {                                                                          \
        .title = (TITLE), .kind = (KIND), .y = (Y), .unit = (UNIT),            \
        .x = "blocks of an SM"                                                 \
    }
#define STALLS_OF(TITLE)                                                       \
    BY_BLOCKS(TITLE, CHART_STACK, "time with one block", "%")

const struct figure perfsat_figures[] = {
    {.id = "table1",
     .title = "Table I: the GPUs",
     .what = "What the paper prints of its two configurations, and ours.",
     .claims = "perfsat-01 perfsat-02",
     .fill = fill_table1},
    {.id = "table2",
     .title = "Table II: the kernels (class 0: C-strong, 1: C-weak, 2: MEM)",
     .what = "The most blocks that an SM holds, the count after which one more "
             "gains less than 2 %, and the class.",
     .claims = "perfsat-01 perfsat-02 perfsat-03 perfsat-04 perfsat-05",
     .fill = fill_table2},
    {.id = "fig1",
     .title = "Fig. 1: speed by resident blocks",
     .what = "Speed over one block an SM of six kernels: two scale, two "
             "saturate and two fall on the M2090 in the paper. B+Tree is its "
             "first kernel, findK.",
     .claims = "perfsat-22",
     .panel = {BY_BLOCKS("Tesla M2090", CHART_LINES, "speed over one block",
                         NULL),
               BY_BLOCKS("Tesla K20X", CHART_LINES, "speed over one block",
                         NULL)},
     .columns = 2,
     .fill = fill_fig1},
    {.id = "fig5",
     .title = "Fig. 5: issue slots by resident blocks",
     .what = "What becomes of the issue slots, for an application of each "
             "type: C-strong, which the paper does not name (B+Tree here), "
             "SRAD and LUD.",
     .claims = "perfsat-19 perfsat-20 perfsat-21",
     .panel = {STALLS_OF("M2090: B+Tree"), STALLS_OF("M2090: SRAD-5"),
               STALLS_OF("M2090: LUD"), STALLS_OF("K20X: B+Tree"),
               STALLS_OF("K20X: SRAD-5"), STALLS_OF("K20X: LUD")},
     .columns = 3,
     .fill = fill_fig5},
    {.id = "fig7",
     .title = "Fig. 7: blocks that perfsat finds",
     .what = "Blocks of an SM: as many as fit, the best count by exhaustive "
             "search, and what perfsat finds, mean over the SMs.",
     .claims = "perfsat-03 perfsat-04 perfsat-06 perfsat-07",
     .panel = BOARDS(CHART_BARS, "blocks of an SM", NULL, 0),
     .fill = fill_fig7},
    {.id = "fig8",
     .title = "Fig. 8: performance of perfsat",
     .what = "Speed with the best count and under perfsat, over as many blocks "
             "as fit.",
     .claims = "perfsat-08 perfsat-09 perfsat-10",
     .panel = BOARDS(CHART_BARS, "speed over baseline", NULL, 1),
     .fill = fill_fig8},
    {.id = "fig9",
     .title = "Fig. 9: resources in use",
     .what = "Registers and thread slots of an SM that its blocks take.",
     .claims = "perfsat-11 perfsat-12 perfsat-13 perfsat-14 perfsat-15 "
               "perfsat-16 perfsat-17 perfsat-18",
     .panel = BOARDS(CHART_BARS, "in use", "%", 0),
     .fill = fill_fig9},
    {.id = NULL},
};
