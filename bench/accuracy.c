/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far hybrid and the model alone are from full detail, over fixed random
 * draws of design points (bench/accuracy_draw.c) whose truth is kept.
 *
 *     accuracy [--points FILE]... [--truth FILE] [--sources HASH] [--vouch N]
 *              [--traces FOLDER] [--csv FILE] [--threads N] [--store FILE]
 *              [--seed N]
 *     accuracy ... --run 1    first run the points whose truth is not known
 *     accuracy ... --draw N   print the table of points of draw 1 to 4
 *
 * Several tables of points are also judged together. */
#include "bench/accuracy_draw.h"
#include "bench/accuracy_report.h"
#include "bench/accuracy_truth.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TABLES = 8 };

struct arguments {
    const char *points[MOST_TABLES];
    int tables;
    struct truth truth;
    struct report_options report;
    int vouch;
    int draw; /* 0: none */
    bool run;
};

static bool set_argument(struct arguments *a, const char *name,
                         const char *value)
{
    if (strcmp(name, "--points") == 0 && a->tables < MOST_TABLES)
        a->points[a->tables++] = value;
    else if (strcmp(name, "--truth") == 0)
        a->truth.path = value;
    else if (strcmp(name, "--sources") == 0)
        a->truth.sources = value;
    else if (strcmp(name, "--traces") == 0)
        a->truth.traces = a->report.traces = value;
    else if (strcmp(name, "--csv") == 0)
        a->report.csv = value;
    else if (strcmp(name, "--store") == 0)
        a->report.store = value;
    else if (strcmp(name, "--vouch") == 0)
        a->vouch = atoi(value);
    else if (strcmp(name, "--threads") == 0)
        a->report.threads = atoi(value);
    else if (strcmp(name, "--seed") == 0)
        a->report.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--run") == 0)
        a->run = atoi(value) != 0;
    else if (strcmp(name, "--draw") == 0)
        a->draw = atoi(value);
    else
        return false;
    return a->draw >= 0 && a->draw <= DRAWS;
}

static bool parse_arguments(struct arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !set_argument(a, argv[i], argv[i + 1]))
            return false;
    return true;
}

static bool load_points(const struct arguments *a, const char *path,
                        struct accuracy_points *p, struct error *e)
{
    return points_load(p, path, e) && truth_load(p, a->truth.path, e) &&
           (a->truth.sources == NULL || truth_check(&a->truth, p, a->vouch, e));
}

static bool judge_table(const struct arguments *a, const char *path,
                        struct accuracy_report *r, struct error *e)
{
    struct accuracy_points p = {0};
    int threads =
        a->report.threads > 0 ? a->report.threads : omp_get_max_threads();
    bool ok = load_points(a, path, &p, e) &&
              (!a->run || truth_run(&a->truth, &p, threads, e)) &&
              accuracy_report_table(r, path, &p, e);
    points_free(&p);
    return ok;
}

static bool judge(const struct arguments *a, struct error *e)
{
    struct accuracy_report *r = accuracy_report_create(&a->report, e);
    bool ok = r != NULL;
    for (int i = 0; ok && i < a->tables; i++) {
        if (i > 0)
            printf("\n");
        ok = judge_table(a, a->points[i], r, e);
    }
    if (ok && a->tables > 1)
        accuracy_report_all(r);
    accuracy_report_free(r);
    return ok;
}

int main(int argc, char **argv)
{
    struct arguments a = {.truth = {.path = "bench/accuracy_truth.csv",
                                    .traces = "build/accuracy"},
                          .report = {.traces = "build/accuracy"},
                          .vouch = 12};
    struct error e;
    if (!parse_arguments(&a, argc, argv)) {
        fprintf(
            stderr,
            "usage: accuracy [--points FILE]... [--truth FILE] "
            "[--sources HASH] [--vouch N] [--traces FOLDER] [--csv FILE] "
            "[--threads N] [--store FILE] [--seed N] [--run 1] [--draw N]\n");
        return STATUS_USAGE;
    }
    if (a.tables == 0)
        a.points[a.tables++] = "bench/accuracy_points.csv";
    bool ok = a.draw > 0 ? draw_points(stdout, a.draw - 1, a.truth.traces, &e)
                         : judge(&a, &e);
    if (!ok)
        fprintf(stderr, "accuracy: %s\n", e.text);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
