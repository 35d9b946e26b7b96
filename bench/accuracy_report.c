/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_report.h"

#include "bench/accuracy_figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 32, HALVES = 2 };

/* What is found of some cases; half 0 is that of development. */
struct tally {
    struct figures half[HALVES];
    char gpu_name[MOST_GPUS][ACCURACY_NAME];
    struct figures gpu[MOST_GPUS][HALVES];
    int gpus;
};

struct accuracy_report {
    const struct report_options *options;
    FILE *csv;
    const struct accuracy_points *points; /* of the table that is open ... */
    struct tally table;                   /* ... and what is found of it */
    struct tally all;
};

/* ---- a case ------------------------------------------------------------- */

static void print_case_head(void)
{
    printf("%-28s %-9s %-12s %3s %6s | %6s %6s %5s %5s | %6s %6s\n", "kernel",
           "gpu", "grid", "tb", "points", "hybrid", "worst", "held", "full",
           "model", "worst");
}

static void print_case(const struct compared *k, const struct accuracy_point *p)
{
    struct figures f = {0};
    const struct study *s = &k->c->study;
    figures_add(&f, k);
    printf("%-28s %-9s %-12s %3d %6zu | %6.1f %6.1f %5.0f %5.0f | %6.1f "
           "%6.1f\n",
           p->kernel, p->gpu, p->grid, s->tb[s->tb_count - 1],
           f.of[FIGURE_HYBRID].count, figure_mean(&f, FIGURE_HYBRID),
           figure_quantile(&f, FIGURE_HYBRID, 1),
           100 * figure_mean(&f, FIGURE_HOLDS),
           100 * figure_mean(&f, FIGURE_FULL), figure_mean(&f, FIGURE_MODEL),
           figure_quantile(&f, FIGURE_MODEL, 1));
    fflush(stdout);
    figures_free(&f);
}

static void write_rows(FILE *csv, const struct compared *k,
                       const struct accuracy_point *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = case_index(k->c, &p[i]);
        const struct result *h = &k->hybrid->result[at];
        const struct paired_delta *d = &k->hybrid->delta[at];
        if (!isnan(p[i].cycles))
            fprintf(csv,
                    "%s,%s,%s,%d,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%d,"
                    "%.2f,%.2f,%.2f\n",
                    p[i].kernel, p[i].gpu, p[i].grid, p[i].tb, p[i].sched,
                    p[i].cycles, k->model->result[at].cycles, h->cycles,
                    h->cycles_lo, h->cycles_hi, h->sampled, d->pct, d->lo,
                    d->hi);
    }
    fflush(csv);
}

static int gpu_row(struct tally *t, const char *name)
{
    int g = 0;
    while (g < t->gpus && strcmp(t->gpu_name[g], name) != 0)
        g++;
    if (g == t->gpus && g < MOST_GPUS)
        snprintf(t->gpu_name[t->gpus++], ACCURACY_NAME, "%s", name);
    return g;
}

static void tally_add(struct tally *t, const struct compared *k,
                      const char *gpu, int half)
{
    int g = gpu_row(t, gpu);
    figures_add(&t->half[half], k);
    if (g < MOST_GPUS)
        figures_add(&t->gpu[g][half], k);
}

static void tally_free(struct tally *t)
{
    for (int h = 0; h < HALVES; h++) {
        figures_free(&t->half[h]);
        for (int g = 0; g < t->gpus; g++)
            figures_free(&t->gpu[g][h]);
    }
    *t = (struct tally){0};
}

static void take_case(struct accuracy_report *r, const struct compared *k,
                      const struct accuracy_point *p, size_t count)
{
    int half = point_is_development(r->points, p) ? 0 : 1;
    tally_add(&r->table, k, p->gpu, half);
    tally_add(&r->all, k, p->gpu, half);
    print_case(k, p);
    if (r->csv != NULL)
        write_rows(r->csv, k, p, count);
}

/* Warp instructions of the points in full detail over those that are expected
 * of the samples, on the kernel's own grid; a trace's is that of the point. */
static bool own_speedup(double *out, const struct accuracy_report *r,
                        const struct accuracy_point *p, size_t count,
                        struct error *e)
{
    const struct calib_options whole = {.mode = MODE_DETAILED},
                               sampled = {.mode = MODE_HYBRID};
    const char *grid = strncmp(p->kernel, "trace:", 6) == 0 ? p->grid : NULL;
    struct accuracy_case c;
    struct study_cost full, part;
    bool ok = case_load(&c, p, grid, r->options->traces, e) &&
              case_study(&c, p, count, e) &&
              calib_expect(&full, &c.study, &whole, e) &&
              calib_expect(&part, &c.study, &sampled, e);
    if (ok)
        *out = full.insts / part.insts;
    case_free(&c);
    return ok;
}

/* The points' cycles by the index of the study; the caller frees it. */
static double *known_truth(const struct accuracy_case *c,
                           const struct accuracy_point *p, size_t count)
{
    size_t n = (size_t)(c->study.tb_count * c->study.policy_count);
    double *truth = malloc(n * sizeof(*truth));
    for (size_t i = 0; truth != NULL && i < n; i++)
        truth[i] = NAN;
    for (size_t i = 0; truth != NULL && i < count; i++)
        truth[case_index(c, &p[i])] = p[i].cycles;
    return truth;
}

static bool estimate(struct accuracy_report *r, const struct accuracy_case *c,
                     const struct accuracy_point *p, size_t count,
                     double speedup, struct error *e)
{
    struct calib_options o = {.mode = MODE_MODEL,
                              .seed = r->options->seed,
                              .threads = r->options->threads,
                              .use_cache = r->options->store != NULL,
                              .store = r->options->store};
    struct study_result model = {0}, hybrid = {0};
    double *truth = known_truth(c, p, count);
    bool ok = truth != NULL || error_set(e, STATUS_FAILED, "out of memory");
    ok = ok && calib_study(&model, &c->study, &o, e);
    o.mode = MODE_HYBRID;
    ok = ok && calib_study(&hybrid, &c->study, &o, e);
    const struct compared k = {.c = c,
                               .truth = truth,
                               .hybrid = &hybrid,
                               .model = &model,
                               .speedup = speedup};
    if (ok)
        take_case(r, &k, p, count);
    study_result_free(&model);
    study_result_free(&hybrid);
    free(truth);
    return ok;
}

static bool run_case(struct accuracy_report *r, const struct accuracy_point *p,
                     size_t count, struct error *e)
{
    struct accuracy_case c;
    double speedup;
    if (!own_speedup(&speedup, r, p, count, e))
        return false;
    bool ok = case_load(&c, p, p->grid, r->options->traces, e) &&
              case_study(&c, p, count, e) &&
              estimate(r, &c, p, count, speedup, e);
    case_free(&c);
    return ok;
}

static bool run_cases(struct accuracy_report *r, struct error *e)
{
    const struct accuracy_points *p = r->points;
    size_t next;
    bool ok = true;
    for (size_t first = 0; ok && first < p->count; first = next) {
        bool known = false;
        for (next = first; next < p->count &&
                           points_same_case(&p->point[first], &p->point[next]);
             next++)
            known = known || !isnan(p->point[next].cycles);
        ok = !known || run_case(r, &p->point[first], next - first, e);
    }
    return ok;
}

/* ---- tables ------------------------------------------------------------- */

static void print_row(const char *what, double development, double judging,
                      const char *unit, const char *goal)
{
    printf("%-38s %8.2f %-2s %8.2f %-2s  %s\n", what, development, unit,
           judging, unit, goal);
}

static void print_holds(const struct tally *t)
{
    double lo[HALVES], hi[HALVES];
    for (int h = 0; h < HALVES; h++)
        figure_holds_interval(&t->half[h], &lo[h], &hi[h]);
    printf("%-38s %5.0f-%-5.0f %5.0f-%-5.0f  -\n",
           "  95 % interval, kernels drawn anew", 100 * lo[0], 100 * hi[0],
           100 * lo[1], 100 * hi[1]);
}

static void print_means(struct tally *t, enum figure of, double scale,
                        const char *what, const char *goal)
{
    print_row(what, scale * figure_mean(&t->half[0], of),
              scale * figure_mean(&t->half[1], of), "%", goal);
}

static void print_quantiles(struct tally *t, enum figure of, double quantile,
                            const char *what, const char *unit,
                            const char *goal)
{
    print_row(what, figure_quantile(&t->half[0], of, quantile),
              figure_quantile(&t->half[1], of, quantile), unit, goal);
}

static void print_errors(struct tally *t)
{
    print_means(t, FIGURE_HYBRID, 1, "hybrid: mean error", "3 %");
    print_quantiles(t, FIGURE_HYBRID, 0.95, "  95th percentile", "%", "9 %");
    print_quantiles(t, FIGURE_HYBRID, 1, "  worst", "%", "15 %");
    print_means(t, FIGURE_HYBRID_SHORT, 1, "  mean, points not run in full",
                "-");
    print_means(t, FIGURE_FULL, 100, "points that hybrid runs in full", "-");
    print_means(t, FIGURE_MODEL, 1, "model alone: mean error", "10 %");
    print_quantiles(t, FIGURE_MODEL, 1, "  worst", "%", "40 %");
    print_means(t, FIGURE_HOLDS, 100, "90 % intervals that hold", "85-95 %");
    print_holds(t);
}

static void print_decisions(struct tally *t)
{
    print_means(t, FIGURE_ORDERED, 100, "pairs > 2 % apart: ordered right",
                "95 %");
    print_means(t, FIGURE_SAID, 100, "  to gto: said so", "80 %");
    print_means(t, FIGURE_TIE, 100, "pairs within 1 % to gto: said tie",
                "95 %");
    print_means(t, FIGURE_REGRET, 1, "regret: mean", "-");
    print_row("  at most 1 %: share of cases",
              100 * figure_share(&t->half[0], FIGURE_REGRET, 1),
              100 * figure_share(&t->half[1], FIGURE_REGRET, 1), "%", "95 %");
    print_quantiles(t, FIGURE_REGRET, 1, "  worst", "%", "3 %");
    print_quantiles(t, FIGURE_SPEEDUP, 0.5, "speed-up, own grids, instructions",
                    "x", "100 x");
}

static void print_gpu(struct tally *t, int g, int half)
{
    struct figures *f = &t->gpu[g][half];
    if (f->of[FIGURE_HYBRID].count == 0)
        return;
    printf("%-10s %-11s %6zu | %6.1f %6.1f %6.1f | %6.1f %6.1f | %5.0f %8.0f\n",
           t->gpu_name[g], half == 0 ? "development" : "judging",
           f->of[FIGURE_HYBRID].count, figure_mean(f, FIGURE_HYBRID),
           figure_quantile(f, FIGURE_HYBRID, 0.95),
           figure_quantile(f, FIGURE_HYBRID, 1), figure_mean(f, FIGURE_MODEL),
           figure_quantile(f, FIGURE_MODEL, 1),
           100 * figure_mean(f, FIGURE_HOLDS),
           100 * figure_mean(f, FIGURE_ORDERED));
}

static void print_tables(struct tally *t)
{
    size_t points[HALVES];
    for (int h = 0; h < HALVES; h++)
        points[h] = t->half[h].of[FIGURE_HYBRID].count;
    printf("\n%-38s %11s %11s  goal\n%-38s %11zu %11zu\n", "figure",
           "development", "judging", "points", points[0], points[1]);
    print_errors(t);
    print_decisions(t);
    printf("\n%-10s %-11s %6s | %6s %6s %6s | %6s %6s | %5s %8s\n", "gpu",
           "half", "points", "hybrid", "95 %", "worst", "model", "worst",
           "held", "ordered");
    for (int h = 0; h < HALVES; h++)
        for (int g = 0; g < t->gpus; g++)
            print_gpu(t, g, h);
}

/* ---- the report --------------------------------------------------------- */

static bool open_csv(struct accuracy_report *r, struct error *e)
{
    const char *path = r->options->csv;
    if (path == NULL)
        return true;
    r->csv = fopen(path, "w");
    if (r->csv == NULL)
        return error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    fputs("kernel,gpu,grid,tb,sched,detailed,model,hybrid,lo,hi,sampled,"
          "to_gto,to_gto_lo,to_gto_hi\n",
          r->csv);
    return true;
}

struct accuracy_report *accuracy_report_create(const struct report_options *o,
                                               struct error *e)
{
    struct accuracy_report *r = calloc(1, sizeof(*r));
    if (r == NULL) {
        error_set(e, STATUS_FAILED, "out of memory");
        return NULL;
    }
    r->options = o;
    if (open_csv(r, e))
        return r;
    free(r);
    return NULL;
}

void accuracy_report_free(struct accuracy_report *r)
{
    if (r == NULL)
        return;
    tally_free(&r->table);
    tally_free(&r->all);
    if (r->csv != NULL)
        fclose(r->csv);
    free(r);
}

bool accuracy_report_table(struct accuracy_report *r, const char *title,
                           const struct accuracy_points *p, struct error *e)
{
    tally_free(&r->table);
    r->points = p;
    printf("%s\n", title);
    print_case_head();
    if (!run_cases(r, e))
        return false;
    print_tables(&r->table);
    return true;
}

void accuracy_report_all(struct accuracy_report *r)
{
    printf("\nall of these tables\n");
    print_tables(&r->all);
}
