/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For people: a small table a kernel and GPU, then a line each that says which
 * point to use. Sweeps of one point each make one table of all. */
#include "cli/columns.h"
#include "cli/formats.h"
#include "cli/gain.h"
#include "cli/out_account.h"

#include <math.h>
#include <string.h>

#define CELL_MAX 192 /* three labels of policies */
#define CASE_MAX 512 /* of "lud on m2090 l1.size_kb=16" */

/* One case's table: text of a cell, and the columns' widths. */
struct grid {
    const struct report *report;
    const struct report_case *at;
    struct point best;
    bool has_best;
};

static void cycles_cell(char out[CELL_MAX], const struct grid *g,
                        struct point p)
{
    const struct estimate_point *r = report_point(g->report, g->at, p);
    bool best = g->has_best && g->best.tb == p.tb && g->best.policy == p.policy;
    if (r == NULL || isnan(r->cycles))
        snprintf(out, CELL_MAX, "-%s", r == NULL ? " " : "?");
    else
        snprintf(out, CELL_MAX, "%.0f%s", r->cycles,
                 best         ? "*"
                 : r->partial ? "?"
                              : " ");
}

/* The difference to the first policy: "tie", or percent and half-width. The
 * interval may be lopsided: its longer side is shown. */
static void delta_cell(char out[CELL_MAX], const struct grid *g, struct point p)
{
    const struct estimate_point *point = report_point(g->report, g->at, p);
    if (p.policy == 0 || point == NULL || isnan(point->delta.pct)) {
        snprintf(out, CELL_MAX, "- ");
        return;
    }
    const struct estimate_delta *d = &point->delta;
    double below = d->pct - d->lo, above = d->hi - d->pct;
    if (is_tie(d->lo, d->hi))
        snprintf(out, CELL_MAX, "tie ");
    else
        snprintf(out, CELL_MAX, "%+.1f+-%.1f ", d->pct,
                 below > above ? below : above);
}

typedef void cell_writer(char out[CELL_MAX], const struct grid *g,
                         struct point p);

static int longer(int width, const char *text)
{
    int n = (int)strlen(text);
    return n > width ? n : width;
}

static int column_width(const struct grid *g, int policy)
{
    char text[CELL_MAX];
    report_policy_label(text, sizeof(text), g->report, policy);
    int width = (int)strlen(text) + 1; /* cells end in a mark or a blank */
    for (int tb = 0; tb < g->at->at->shown_tbs; tb++) {
        cycles_cell(text, g, (struct point){tb, policy});
        width = longer(width, text);
        delta_cell(text, g, (struct point){tb, policy});
        width = longer(width, text);
    }
    return width + 1;
}

static void put_cells(FILE *f, const struct grid *g, int tb, cell_writer *cell)
{
    fprintf(f, "%5d", g->at->at->tb[tb]);
    for (int p = 0; p < g->report->plan->shown_policies; p++) {
        char text[CELL_MAX];
        cell(text, g, (struct point){tb, p});
        fprintf(f, "%*s", column_width(g, p), text);
    }
    fputc('\n', f);
}

static void put_heading(FILE *f, const struct grid *g)
{
    char label[CASE_MAX];
    report_case_label(label, sizeof(label), g->report, g->at->which);
    fprintf(f, "%s: cycles (* best)\n%5s", label, "tb");
    for (int p = 0; p < g->report->plan->shown_policies; p++) {
        char text[CELL_MAX];
        report_policy_label(text, sizeof(text), g->report, p);
        fprintf(f, "%*s ", column_width(g, p) - 1, text);
    }
    fputc('\n', f);
}

/* Differences are shown at the best tb, when verbose at every one. */
static void put_deltas(FILE *f, const struct grid *g)
{
    bool all = g->report->options->verbose;
    char first[CELL_MAX];
    if (g->report->plan->shown_policies < 2 || !g->has_best)
        return;
    report_policy_label(first, sizeof(first), g->report, 0);
    fprintf(f, "difference to %s, %%:\n", first);
    for (int tb = 0; tb < g->at->at->shown_tbs; tb++)
        if (all || tb == g->best.tb)
            put_cells(f, g, tb, delta_cell);
}

static void put_spent(FILE *f, const struct grid *g)
{
    const struct estimate_fit *r =
        estimate_result_fit(g->report->results, g->at->which);
    double insts = (double)r->sample_insts;
    fprintf(f, "%d samples, %.0f warp instructions", r->samples, insts);
    if (insts > 0)
        fprintf(f, " (full detail takes %.3g times as many)",
                r->full_insts / insts);
    fprintf(f, ", rank %d, %.1f s%s%s\n", r->rank, r->seconds,
            r->note[0] != '\0' ? "; " : "", r->note);
}

static void put_case(FILE *f, const struct report *r, size_t i)
{
    struct grid g = {.report = r, .at = &r->at[i]};
    g.has_best = best_point(&g.best, r, g.at);
    put_heading(f, &g);
    for (int tb = 0; tb < g.at->at->shown_tbs; tb++)
        put_cells(f, &g, tb, cycles_cell);
    put_deltas(f, &g);
    put_accounts(f, r, i);
    if (r->options->verbose)
        put_spent(f, &g);
    fputc('\n', f);
}

/* ---- which point to use -------------------------------------------------- */

static void point_name(char out[CELL_MAX], const struct report *r,
                       const struct report_case *c, struct point p)
{
    char policy[CELL_MAX - 16];
    report_policy_label(policy, sizeof(policy), r, p.policy);
    snprintf(out, CELL_MAX, "tb=%d %s", c->at->tb[p.tb], policy);
}

/* What the best point gains, or that it is no better than the default. */
static void put_gain(FILE *f, const char *best_name, const char *base_name,
                     struct gain g)
{
    if (is_tie(g.lo, g.hi))
        fprintf(f,
                "keep the default %s, a tie with %s (%.1f to %.1f %% fewer "
                "cycles)\n",
                base_name, best_name, g.lo, g.hi);
    else if (g.pct > 0)
        fprintf(f,
                "use %s, %.1f %% fewer cycles than the default %s (%.1f to "
                "%.1f)\n",
                best_name, g.pct, base_name, g.lo, g.hi);
    else
        fprintf(f,
                "use %s, %.1f %% more cycles than the default %s (%.1f to "
                "%.1f)\n",
                best_name, -g.pct, base_name, -g.hi, -g.lo);
}

static void put_recommendation(FILE *f, const struct report *r, size_t i)
{
    const struct report_case *c = &r->at[i];
    struct point best, base;
    char label[CASE_MAX], best_name[CELL_MAX], base_name[CELL_MAX];
    report_case_label(label, sizeof(label), r, i);
    fprintf(f, "%s: ", label);
    if (!best_point(&best, r, c)) {
        fprintf(f, "no point was finished\n");
        return;
    }
    point_name(best_name, r, c, best);
    if (!default_point(&base, r, c)) {
        fprintf(f, "use %s (the default point is not in this sweep)\n",
                best_name);
        return;
    }
    point_name(base_name, r, c, base);
    if (base.tb == best.tb && base.policy == best.policy)
        fprintf(f, "use %s, the default\n", best_name);
    else
        put_gain(f, best_name, base_name,
                 gain_over_default(report_point(r, c, best),
                                   report_point(r, c, base)));
}

/* ---- one point each ------------------------------------------------------ */

static const char *const overview[] = {
    "tb",        "sched", "cycles",  "cycles_lo",
    "cycles_hi", "ipc",   "time_us", "limiter",
};
#define OVERVIEW (sizeof(overview) / sizeof(overview[0]))

/* Widths of the cases' labels and of the overview's columns. */
static int overview_widths(int width[OVERVIEW], const struct report *r)
{
    char label[CASE_MAX], buffer[COLUMN_VALUE_MAX];
    int label_width = 0;
    for (size_t i = 0; i < r->cases; i++) {
        report_case_label(label, sizeof(label), r, i);
        label_width = longer(label_width, label);
    }
    for (size_t i = 0; i < OVERVIEW; i++) {
        const struct estimate_column *c = estimate_column_find(overview[i]);
        width[i] = (int)strlen(overview[i]);
        for (size_t n = 0; n < r->rows; n++)
            width[i] =
                longer(width[i], column_value(buffer, c, r->row[n].point));
    }
    return label_width;
}

static void put_overview(FILE *f, const struct report *r)
{
    int width[OVERVIEW];
    char label[CASE_MAX], buffer[COLUMN_VALUE_MAX];
    int label_width = overview_widths(width, r);
    fprintf(f, "%*s", label_width, "");
    for (size_t i = 0; i < OVERVIEW; i++)
        fprintf(f, "  %*s", width[i], overview[i]);
    for (size_t n = 0; n < r->cases; n++) {
        report_case_label(label, sizeof(label), r, n);
        fprintf(f, "\n%-*s", label_width, label);
        for (size_t i = 0; i < OVERVIEW && r->at[n].rows > 0; i++)
            fprintf(f, "  %*s", width[i],
                    column_value(buffer, estimate_column_find(overview[i]),
                                 r->row[r->at[n].first_row].point));
    }
    fputc('\n', f);
    for (size_t i = 0; i < r->cases; i++)
        put_accounts(f, r, i);
}

void write_table(FILE *f, const struct report *r)
{
    if (r->plan->shown_points == r->cases) {
        put_overview(f, r);
        return;
    }
    for (size_t i = 0; i < r->cases; i++)
        put_case(f, r, i);
    for (size_t i = 0; i < r->cases; i++)
        put_recommendation(f, r, i);
}
