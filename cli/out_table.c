/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For people, as plain text and as Markdown: a small table a kernel and GPU,
 * then a paragraph each that says which point to use. Sweeps of one point each
 * make one table of all. */
#include "cli/figures.h"
#include "cli/formats.h"
#include "cli/gain.h"
#include "cli/grid.h"
#include "cli/hardware.h"
#include "cli/header.h"
#include "cli/names.h"
#include "cli/out_account.h"
#include "cli/out_designs.h"
#include "cli/out_overview.h"
#include "cli/verdict.h"

#include <math.h>
#include <string.h>

#define LABEL       (NAME_BYTES + 256)
#define POLICY_ROWS 5 /* more schedulers are rows, fewer are columns */
#define FACTS_MAX   512
#define HEADING_MAX (LABEL + FACTS_MAX + 128)

/* One case's table: its policies along one axis, best first; along the other
 * its block counts, the width of intervals, and the difference to the first
 * policy. */
struct case_table {
    const struct report *report;
    const struct report_case *at;
    struct point best;
    bool has_best;
    bool policy_rows; /* policies are the rows */
    struct unit unit;
    bool intervals; /* some point has one */
    int blocks;     /* entries of the other axis that are block counts */
    int entries;    /* of the other axis */
};

static const struct estimate_point *point_at(const struct case_table *t,
                                             int group, int tb)
{
    int policy = t->at->ranking.first[group];
    return shown_point(t->report, t->at, (struct point){tb, policy});
}

/* Narrowest first: what all cells of the table are like. */
static void look_at_points(struct case_table *t)
{
    struct figures seen = {0};
    for (int g = 0; g < t->at->ranking.groups; g++)
        for (int tb = 0; tb < t->blocks; tb++) {
            const struct estimate_point *p = point_at(t, g, tb);
            if (p == NULL || isnan(p->cycles))
                continue;
            figures_see(&seen, p);
            t->intervals |= half_width_pct(p) > 0;
        }
    t->unit = figures_unit(&seen, t->report->options->exact);
}

static struct case_table table_of(const struct report *r, size_t i)
{
    const struct report_case *c = &r->at[i];
    struct point base;
    struct case_table t = {.report = r, .at = c, .blocks = c->at->shown_tbs};
    t.has_best = best_point(&t.best, r, c);
    if (default_point(&base, r, c) && base.tb >= t.blocks)
        t.blocks = base.tb + 1;
    look_at_points(&t);
    t.entries = t.blocks + 1 + (r->plan->shown_policies > 1);
    return t;
}

static bool is_best(const struct case_table *t, int group, int tb)
{
    if (!t->has_best || t->best.tb != tb)
        return false;
    for (int p = t->at->ranking.first[group]; p >= 0;
         p = t->at->ranking.next[p])
        if (p == t->best.policy)
            return true;
    return false;
}

static void cycles_cell(struct cell *out, const struct case_table *t, int group,
                        int tb)
{
    const struct estimate_point *p = point_at(t, group, tb);
    char number[FIGURE_MAX], interval[FIGURE_MAX] = "";
    if (p == NULL)
        return;
    if (isnan(p->cycles)) {
        snprintf(out->text, CELL_MAX, "-");
        return;
    }
    bool best = is_best(t, group, tb);
    out->style = best ? STYLE_BEST : p->partial ? STYLE_PARTIAL : STYLE_PLAIN;
    figure_text(number, &t->unit, p->cycles);
    if (!t->policy_rows)
        half_width_text(interval, half_width_pct(p));
    snprintf(out->text, CELL_MAX, "%s%s%s%s",
             best         ? "*"
             : p->partial ? "?"
                          : "",
             number, interval[0] != '\0' ? " " : "", interval);
}

/* The widest interval of a policy. */
static void interval_cell(struct cell *out, const struct case_table *t,
                          int group)
{
    double widest = 0;
    for (int tb = 0; tb < t->blocks; tb++) {
        const struct estimate_point *p = point_at(t, group, tb);
        if (p != NULL && !isnan(p->cycles))
            widest = fmax(widest, half_width_pct(p));
    }
    half_width_text(out->text, widest);
}

/* The difference to the first policy at the best block count: "tie", or percent
 * and half-width. The interval may be lopsided: its longer side is shown. */
static void delta_cell(struct cell *out, const struct case_table *t, int group,
                       int tb)
{
    int policy = t->at->ranking.first[group];
    const struct estimate_point *p =
        report_point(t->report, t->at, (struct point){tb, policy});
    if (policy == 0 || p == NULL || isnan(p->delta.pct)) {
        snprintf(out->text, CELL_MAX, "-");
        return;
    }
    const struct estimate_delta *d = &p->delta;
    double side = fmax(d->pct - d->lo, d->hi - d->pct);
    if (is_tie(d->lo, d->hi)) {
        out->style = STYLE_TIE;
        snprintf(out->text, CELL_MAX, "tie");
    } else if (side > 0)
        snprintf(out->text, CELL_MAX, "%+.1f+-%.1f", d->pct, side);
    else
        snprintf(out->text, CELL_MAX, "%+.1f", d->pct);
}

/* "gto = old = gty". */
static void group_label(char *out, size_t size, const struct case_table *t,
                        int group)
{
    size_t used = 0;
    for (int p = t->at->ranking.first[group]; p >= 0 && used < size;
         p = t->at->ranking.next[p]) {
        char label[CELL_MAX];
        report_policy_label(label, sizeof(label), t->report, p);
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 used > 0 ? " = " : "", label);
    }
}

/* The default's is told, with its scheduler where that was not asked for. */
static void block_label(char out[CELL_MAX], const struct case_table *t, int tb)
{
    const struct plan *p = t->report->plan;
    char policy[CELL_MAX - 32] = "";
    if (tb < t->at->at->shown_tbs) {
        snprintf(out, CELL_MAX, "%d", t->at->at->tb[tb]);
        return;
    }
    if (p->default_policy >= p->shown_policies)
        report_policy_label(policy, sizeof(policy), t->report,
                            p->default_policy);
    snprintf(out, CELL_MAX, "%d (default%s%s)", t->at->at->tb[tb],
             policy[0] != '\0' ? " " : "", policy);
}

static void entry_label(struct cell *out, const struct case_table *t, int entry)
{
    if (entry < t->blocks)
        block_label(out->text, t, entry);
    else
        snprintf(out->text, CELL_MAX, entry == t->blocks ? "+-" : "diff");
}

static void entry_cell(struct cell *out, const struct case_table *t, int group,
                       int entry)
{
    if (entry < t->blocks)
        cycles_cell(out, t, group, entry);
    else if (entry == t->blocks)
        interval_cell(out, t, group);
    else
        delta_cell(out, t, group, t->best.tb);
}

/* Entry `i` of the axis that is printed: intervals stand in the cells where
 * block counts are the rows, and nowhere where there are none. */
static int shown_entry(const struct case_table *t, size_t i)
{
    bool skipped = !t->policy_rows || !t->intervals;
    return (int)i + (skipped && (int)i >= t->blocks);
}

static size_t shown_entries(const struct case_table *t)
{
    bool skipped = !t->policy_rows || !t->intervals;
    return (size_t)(t->entries - skipped -
                    (!t->has_best && t->entries > t->blocks + 1));
}

static void table_cell(struct cell *out, const void *of, size_t row,
                       size_t column)
{
    const struct case_table *t = of;
    size_t group = t->policy_rows ? row : column;
    size_t entry = t->policy_rows ? column : row;
    if (group == 0 && entry == 0)
        snprintf(out->text, CELL_MAX, "tb");
    else if (group == 0)
        entry_label(out, t, shown_entry(t, entry - 1));
    else if (entry == 0)
        group_label(out->text, CELL_MAX, t, (int)group - 1);
    else
        entry_cell(out, t, (int)group - 1, shown_entry(t, entry - 1));
}

static struct grid grid_of(const struct case_table *t)
{
    size_t groups = (size_t)t->at->ranking.groups + 1;
    size_t entries = shown_entries(t) + 1;
    return (struct grid){.of = t,
                         .rows = t->policy_rows ? groups : entries,
                         .columns = t->policy_rows ? entries : groups,
                         .cell = table_cell,
                         .left = 1};
}

/* The differences at every block count. */
static void deltas_cell(struct cell *out, const void *of, size_t row,
                        size_t column)
{
    const struct case_table *t = of;
    if (row == 0 && column == 0)
        snprintf(out->text, CELL_MAX, "tb");
    else if (row == 0)
        entry_label(out, t, (int)column - 1);
    else if (column == 0)
        group_label(out->text, CELL_MAX, t, (int)row - 1);
    else if (point_at(t, (int)row - 1, (int)column - 1) != NULL)
        delta_cell(out, t, (int)row - 1, (int)column - 1);
}

static void put_deltas(const struct page *page, const struct case_table *t)
{
    char first[CELL_MAX];
    if (t->report->plan->shown_policies < 2 || !t->report->options->verbose)
        return;
    const struct grid g = {.of = t,
                           .rows = (size_t)t->at->ranking.groups + 1,
                           .columns = (size_t)t->blocks + 1,
                           .cell = deltas_cell,
                           .left = 1};
    report_policy_label(first, sizeof(first), t->report, 0);
    fprintf(page->f, "difference to %s, %%:%s\n", first,
            page->markdown ? "\n" : "");
    grid_put(&g, page);
}

static void put_spent(const struct page *page, const struct report *r,
                      size_t which, bool named)
{
    char label[LABEL] = "", times[80] = "";
    const struct estimate_fit *s = estimate_result_fit(r->results, which);
    double insts = (double)s->sample_insts;
    if (named)
        report_case_label(label, sizeof(label), r, which);
    if (insts > 0 && insts < s->full_insts)
        snprintf(times, sizeof(times),
                 " (full detail takes %.3g times as many)",
                 s->full_insts / insts);
    page_put(page, 2, "%s%s%d sample%s, %.0f warp instructions%s, %.1f s",
             label, named ? ": " : "", s->samples, s->samples == 1 ? "" : "s",
             insts, times, s->seconds);
}

static void put_case_heading(const struct page *page,
                             const struct case_table *t)
{
    char label[LABEL], facts[FACTS_MAX], text[HEADING_MAX];
    report_case_label(label, sizeof(label), t->report, t->at->which);
    case_facts(facts, sizeof(facts), t->at->at);
    snprintf(text, sizeof(text), "%s: %s", label, facts);
    page_heading(page, text);
    fprintf(page->f, "cycles%s%s", t->unit.name[0] != '\0' ? " in " : "",
            t->unit.name);
    if (t->has_best)
        fputs(", * best", page->f);
    if (t->has_best && t->report->plan->shown_policies > 1) {
        report_policy_label(label, sizeof(label), t->report, 0);
        fprintf(page->f, ", diff to %s in %%", label);
    }
    fputs(page->markdown ? "\n\n" : "\n", page->f);
}

/* The model knows less of schedulers than they are. */
static void put_shared_note(const struct page *page, const struct case_table *t)
{
    if (t->report->options->run.mode == ESTIMATE_MODEL &&
        ranking_shares(&t->at->ranking))
        page_put(page, 0,
                 "Schedulers in one row are the same to the model; samples "
                 "(--mode hybrid) may tell them apart.");
}

static void put_case(const struct page *page, const struct report *r, size_t i)
{
    struct case_table t = table_of(r, i);
    put_case_heading(page, &t);
    struct grid g = grid_of(&t);
    t.policy_rows =
        r->plan->shown_policies > POLICY_ROWS || !grid_fits(&g, page);
    g = grid_of(&t);
    grid_put(&g, page);
    put_shared_note(page, &t);
    put_deltas(page, &t);
    put_accounts(page->f, r, i);
    if (r->options->verbose)
        put_spent(page, r, i, false);
    fputc('\n', page->f);
}

static void put_report(const struct page *page, const struct report *r)
{
    if (r->plan->shown_points == r->cases) {
        put_overview(page, r);
        for (size_t i = 0; r->options->verbose && i < r->cases; i++)
            put_spent(page, r, i, r->cases > 1);
        if (r->rows < r->cases)
            page_put(page, 2, "incomplete: %zu of %zu points", r->rows,
                     r->cases);
    } else {
        for (size_t i = 0; i < r->cases; i++)
            put_case(page, r, i);
        put_hardware(page, r);
        for (size_t i = 0; i < r->cases; i++)
            put_verdict(page, r, i);
    }
    put_totals(page, r);
    put_launch_verdicts(page, r);
}

void write_table(FILE *f, const struct report *r)
{
    if (r->designs != NULL) {
        write_designs(f, r);
        return;
    }
    const struct page page = page_open(f, r->options->color, false);
    put_report(&page, r);
}

void write_markdown(FILE *f, const struct report *r)
{
    const struct page page = page_open(f, COLOR_NEVER, true);
    put_report(&page, r);
}
