/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_report.h"

#include "chart/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups of rows ----------------------------------------------------- */

/* What rows are grouped by. */
struct grouping {
    const char *name;
    const char *(*key)(const struct compared *row);
};

static const char *config_of(const struct compared *row)
{
    return row->theirs.config;
}

static const char *trace_of(const struct compared *row)
{
    return row->theirs.trace;
}

static const struct grouping by_config = {"configuration", config_of},
                             by_trace = {"trace", trace_of};

struct group {
    const struct grouping *by;
    const char *key;
};

static bool in_group(const struct compared *row, const void *what)
{
    const struct group *g = what;
    return g->by == NULL || strcmp(g->by->key(row), g->key) == 0;
}

/* The row is the first of its group. */
static bool opens_group(const struct table *t, size_t i,
                        const struct grouping *by)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(by->key(&t->row[i]), by->key(&t->row[j])) == 0)
            return false;
    return true;
}

/* Call `print` for all rows together, then for each group. */
typedef bool print_group(FILE *out, const struct table *t,
                         const struct group *g);

static bool each_group(FILE *out, const struct table *t, print_group *print)
{
    static const struct grouping *const by[] = {&by_config, &by_trace};
    bool ok = print(out, t, &(struct group){NULL, "all"});
    for (size_t b = 0; ok && b < 2; b++)
        for (size_t i = 0; ok && i < t->count; i++)
            if (opens_group(t, i, by[b]))
                ok = print(out, t,
                           &(struct group){by[b], by[b]->key(&t->row[i])});
    return ok;
}

/* ---- points ------------------------------------------------------------- */

/* Two shares of 1 in percent, '-' for what is not known. */
static void print_shares(FILE *out, double ours, double theirs)
{
    const double value[] = {ours, theirs};
    fputs(" |", out);
    for (int i = 0; i < 2; i++)
        if (isnan(value[i]))
            fprintf(out, " %5s", "-");
        else
            fprintf(out, " %5.1f", 100 * value[i]);
}

static void print_point(FILE *out, const struct compared *row)
{
    const struct reference_point *p = &row->theirs;
    fprintf(out, "%-14s %-16s %-22s %4d %3d %3d | %8.0f %8.0f %+6.1f", p->trace,
            p->config, p->scheduler, p->grid, p->cta_limit, reference_blocks(p),
            row->ours.cycles, p->cycles,
            error_pct(row->ours.cycles, p->cycles));
    print_shares(out, row->ours.l1_miss, p->l1_miss);
    print_shares(out, row->ours.l2_miss, p->l2_miss);
    print_shares(out, row->ours.dram_util, p->dram_util);
    if (row->ours.blocks != reference_blocks(p))
        fprintf(out, "  only %d blocks fit", row->ours.blocks);
    if (p->warp_insts > 0 && row->ours.warp_insts != p->warp_insts)
        fprintf(out, "  %.0f warp instructions, theirs %.0f",
                row->ours.warp_insts, p->warp_insts);
    fputc('\n', out);
}

void report_points(FILE *out, const struct table *t)
{
    fprintf(out,
            "%-14s %-16s %-22s %4s %3s %3s | %8s %8s %6s | %11s | %11s | "
            "%11s\n",
            "trace", "configuration", "scheduler", "grid", "lim", "tb", "ours",
            "theirs", "error", "L1 miss", "L2 miss", "DRAM use");
    for (size_t i = 0; i < t->count; i++)
        print_point(out, &t->row[i]);
}

/* ---- agreement ---------------------------------------------------------- */

static bool print_agreement(FILE *out, const struct table *t,
                            const struct group *g)
{
    struct agreement a;
    if (!table_agreement(&a, t, in_group, g))
        return false;
    fprintf(out, "%-18s %4zu %7.2f %7.2f %+7.2f %+8.1f", g->key, a.count,
            a.mean_abs_pct, a.median_abs_pct, a.bias_pct, a.worst_pct);
    if (isnan(a.pearson))
        fprintf(out, " %9s %9s\n", "-", "-");
    else
        fprintf(out, " %9.4f %9.4f\n", a.pearson, a.spearman);
    return true;
}

bool report_agreement(FILE *out, const struct table *t)
{
    fprintf(out, "\ncycles, errors in %%\n%-18s %4s %7s %7s %7s %8s %9s %9s\n",
            "", "n", "mean", "median", "bias", "worst", "Pearson", "Spearman");
    return each_group(out, t, print_agreement);
}

/* ---- series ------------------------------------------------------------- */

static void print_differences(FILE *out, const struct differences *d)
{
    if (d->count == 0) {
        fprintf(out, " | %4s %6s %7s %12s", "-", "-", "-", "-");
        return;
    }
    fprintf(out, " | %4zu %6.2f %+7.1f %4zu of %4zu", d->count,
            differences_mean_error(d), d->worst_error, d->right, d->apart);
}

static bool print_series_group(FILE *out, const struct table *t,
                               const struct group *g)
{
    struct differences s = table_differences(t, SERIES_SCHEDULERS, in_group, g);
    struct differences b = table_differences(t, SERIES_BLOCKS, in_group, g);
    if (s.count + b.count == 0)
        return true;
    fprintf(out, "%-18s", g->key);
    print_differences(out, &s);
    print_differences(out, &b);
    fputc('\n', out);
    return true;
}

/* One line for the series that row `first` opens, if it does. */
static void print_series(FILE *out, const struct table *t, size_t first,
                         enum series kind)
{
    const struct reference_point *f = &t->row[first].theirs;
    bool opened = false;
    for (size_t i = 0; i < t->count; i++) {
        const struct compared *row = &t->row[i];
        if (i == first || table_first(t, i, kind) != first)
            continue;
        if (!opened && kind == SERIES_SCHEDULERS)
            fprintf(out, "%s %s g%d to %s:", f->trace, f->config, f->grid,
                    f->scheduler);
        else if (!opened)
            fprintf(out, "%s %s g%d %s to tb=%d:", f->trace, f->config, f->grid,
                    f->scheduler, reference_blocks(f));
        opened = true;
        if (kind == SERIES_SCHEDULERS)
            fprintf(out, "  %.*s", (int)strcspn(row->theirs.scheduler, ":"),
                    row->theirs.scheduler);
        else
            fprintf(out, "  %d", reference_blocks(&row->theirs));
        fprintf(out, " %+.1f/%+.1f",
                error_pct(row->ours.cycles, t->row[first].ours.cycles),
                error_pct(row->theirs.cycles, f->cycles));
    }
    if (opened)
        fputc('\n', out);
}

void report_series(FILE *out, const struct table *t)
{
    fprintf(out, "\ndifferences to the first of a series, %%: ours/theirs\n");
    for (size_t i = 0; i < t->count; i++)
        print_series(out, t, i, SERIES_SCHEDULERS);
    for (size_t i = 0; i < t->count; i++)
        print_series(out, t, i, SERIES_BLOCKS);
    fprintf(out,
            "\nerrors of these differences, percentage points; signs right "
            "where theirs are over %g %%\n%-18s | %-31s | %s\n%-18s"
            " | %4s %6s %7s %12s | %4s %6s %7s %12s\n",
            APART_PCT, "", "schedulers", "resident blocks", "", "n", "mean",
            "worst", "signs right", "n", "mean", "worst", "signs right");
    each_group(out, t, print_series_group);
}

/* ---- rates -------------------------------------------------------------- */

static bool print_rates(FILE *out, const struct table *t, const struct group *g)
{
    double *ours = malloc(3 * t->count * sizeof(*ours));
    double *theirs = ours + t->count, *ratio = theirs + t->count;
    size_t n = 0;
    if (ours == NULL)
        return false;
    for (size_t i = 0; i < t->count; i++) {
        const struct compared *row = &t->row[i];
        if (!in_group(row, g) || !(row->theirs.warp_insts_per_s > 0))
            continue;
        ours[n] = row->ours.warp_insts / row->ours.cpu_s;
        theirs[n] = row->theirs.warp_insts_per_s;
        ratio[n] = ours[n] / theirs[n];
        n++;
    }
    if (n > 0) {
        struct spread o = spread_of(ours, n), r = spread_of(ratio, n);
        fprintf(out, "%-18s %8.0f %8.0f %8.0f | %8.0f | %6.0f %6.0f %6.0f\n",
                g->key, o.median / 1e3, o.min / 1e3, o.max / 1e3,
                spread_of(theirs, n).median / 1e3, r.median, r.min, r.max);
    }
    free(ours);
    return true;
}

bool report_rates(FILE *out, const struct table *t)
{
    fprintf(out,
            "\nthousand warp instructions a second of one core's CPU time, "
            "reading the trace included");
    run_print_load(out);
    fprintf(out,
            "\n%-18s %26s | %8s | %20s\n%-18s %8s "
            "%8s %8s | %8s | %6s %6s %6s\n",
            "", "ours", "theirs", "ratio", "", "median", "min", "max", "median",
            "median", "min", "max");
    return each_group(out, t, print_rates);
}

/* ---- files -------------------------------------------------------------- */

static void write_share(FILE *out, double v)
{
    fputc(',', out);
    if (!isnan(v))
        fprintf(out, "%.4f", v);
}

void report_csv(FILE *out, const struct table *t)
{
    fputs("trace,config,scheduler,grid,cta_limit,tb,cycles,cycles_reference,"
          "error_pct,l1_miss,l1_miss_reference,l2_miss,l2_miss_reference,"
          "dram_util,dram_util_reference\n",
          out);
    for (size_t i = 0; i < t->count; i++) {
        const struct reference_point *p = &t->row[i].theirs;
        const struct run_outcome *o = &t->row[i].ours;
        fprintf(out, "%s,%s,%s,%d,%d,%d,%.0f,%.0f,%.3f", p->trace, p->config,
                p->scheduler, p->grid, p->cta_limit, reference_blocks(p),
                o->cycles, p->cycles, error_pct(o->cycles, p->cycles));
        write_share(out, o->l1_miss);
        write_share(out, p->l1_miss);
        write_share(out, o->l2_miss);
        write_share(out, p->l2_miss);
        write_share(out, o->dram_util);
        write_share(out, p->dram_util);
        fputc('\n', out);
    }
}

/* The index of row i's configuration among names; a new one is added. */
static size_t config_index(const char **name, size_t *names,
                           const struct compared *row)
{
    size_t g = 0;
    while (g < *names && strcmp(name[g], row->theirs.config) != 0)
        g++;
    if (g == *names)
        name[(*names)++] = row->theirs.config;
    return g;
}

static void draw_plot(FILE *out, const struct chart_value *value, size_t values,
                      const char *const *group, size_t groups)
{
    static const double ratio[] = {1, 0.75, 1.25};
    struct chart_panel panel = {
        .kind = CHART_SCATTER,
        .x = {"cycles of the reference simulator", NULL, .log = true},
        .y = {"our cycles", NULL, .log = true},
        .series = group,
        .serieses = groups,
        .value = value,
        .values = values,
        .height = 500,
        .empty = "no points",
        .ratio = ratio,
        .ratios = 3,
        .ratio_name = "\302\26125 %"};
    struct chart c = {
        .title = "Cycles of the reference points",
        .description = "Our cycles over those of the reference simulator, a "
                       "dot for each point, a colour for each configuration.",
        .panel = &panel,
        .panels = 1};
    chart_write(out, &c);
}

bool report_plot(FILE *out, const struct table *t)
{
    struct chart_value *value = malloc(t->count * sizeof(*value));
    const char **name = malloc(t->count * sizeof(*name));
    size_t names = 0;
    bool ok = value != NULL && name != NULL;
    for (size_t i = 0; ok && i < t->count; i++)
        value[i] = chart_point(config_index(name, &names, &t->row[i]),
                               t->row[i].theirs.cycles, t->row[i].ours.cycles);
    if (ok)
        draw_plot(out, value, t->count, name, names);
    free(value);
    free(name);
    return ok;
}
