/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far hybrid and the model alone are from full detail, over fixed random
 * draws of design points (bench/accuracy_draw.c) whose truth is kept.
 *
 *     accuracy [--points FILE] [--truth FILE] [--sources HASH] [--vouch N]
 *              [--traces FOLDER] [--csv FILE] [--threads N] [--cases all]
 *              [--store FILE]
 *     accuracy ... --run 1    first run the points whose truth is not known
 *     accuracy ... --draw N   print the table of points of draw 1 or 2 */
#include "bench/accuracy_draw.h"
#include "bench/accuracy_report.h"
#include "bench/accuracy_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *points;
    struct truth truth;
    struct report_options report;
    int vouch;
    int draw; /* 0: none */
    bool run;
};

static bool set_argument(struct arguments *a, const char *name,
                         const char *value)
{
    if (strcmp(name, "--points") == 0)
        a->points = value;
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
    else if (strcmp(name, "--cases") == 0)
        a->report.show_all = strcmp(value, "all") == 0;
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

static bool load_points(const struct arguments *a, struct accuracy_points *p,
                        struct error *e)
{
    return points_load(p, a->points, e) && truth_load(p, a->truth.path, e) &&
           (a->truth.sources == NULL || truth_check(&a->truth, p, a->vouch, e));
}

int main(int argc, char **argv)
{
    struct arguments a = {.points = "bench/accuracy_points.csv",
                          .truth = {.path = "bench/accuracy_truth.csv",
                                    .traces = "build/accuracy"},
                          .report = {.traces = "build/accuracy"},
                          .vouch = 12};
    struct accuracy_points p = {0};
    struct error e;
    if (!parse_arguments(&a, argc, argv)) {
        fprintf(stderr,
                "usage: accuracy [--points FILE] [--truth FILE] "
                "[--sources HASH] [--vouch N] [--traces FOLDER] [--csv FILE] "
                "[--threads N] [--cases all] "
                "[--store FILE] [--run 1] [--draw N]\n");
        return STATUS_USAGE;
    }
    a.report.title = a.points;
    bool ok = a.draw > 0 ? draw_points(stdout, a.draw - 1, a.truth.traces, &e)
                         : load_points(&a, &p, &e) &&
                               (!a.run || truth_run(&a.truth, &p, &e)) &&
                               report_points(&p, &a.report, &e);
    if (!ok)
        fprintf(stderr, "accuracy: %s\n", e.text);
    points_free(&p);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
