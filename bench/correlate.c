/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our cycles of a reference simulator's points, in full detail:
 *
 *     correlate [--work FOLDER] [--out PREFIX] [--only WORDS] [-j N] REFERENCE
 *
 * prints the comparison; with --out also to PREFIX.txt, with PREFIX.csv and
 * PREFIX.svg beside it. --only: correlate_points.h. */
#include "bench/correlate_report.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *reference, *work, *out, *only;
};

static bool parse_arguments(struct arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-') {
            a->reference = argv[i];
            continue;
        }
        if (value == NULL)
            return false;
        if (strcmp(argv[i], "--work") == 0)
            a->work = value;
        else if (strcmp(argv[i], "--out") == 0)
            a->out = value;
        else if (strcmp(argv[i], "--only") == 0)
            a->only = value;
        else if (strcmp(argv[i], "-j") == 0 && atoi(value) > 0)
            omp_set_num_threads(atoi(value));
        else
            return false;
        i++;
    }
    return a->reference != NULL && a->work != NULL;
}

static bool print_report(FILE *out, const struct table *t)
{
    report_points(out, t);
    bool ok = report_agreement(out, t);
    report_series(out, t);
    return ok && report_rates(out, t);
}

typedef bool write_report(FILE *out, const struct table *t);

static bool write_csv(FILE *out, const struct table *t)
{
    report_csv(out, t);
    return true;
}

static bool write_file(const struct arguments *a, const char *ending,
                       write_report *write, const struct table *t,
                       struct error *e)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s.%s", a->out, ending);
    FILE *file = fopen(path, "w");
    bool ok = file != NULL && write(file, t);
    ok = (file == NULL || fclose(file) == 0) && ok;
    return ok || error_set(e, STATUS_FAILED, "%s: not written", path);
}

static bool correlate(const struct arguments *a, const struct reference *r,
                      struct error *e)
{
    struct table t;
    if (r->count == 0)
        return error_set(e, STATUS_USAGE, "no point is '%s'", a->only);
    if (!table_run(&t, r, a->reference, a->work, e))
        return false;
    bool ok = print_report(stdout, &t) ||
              error_set(e, STATUS_FAILED, "out of memory");
    if (ok && a->out != NULL)
        ok = write_file(a, "txt", print_report, &t, e) &&
             write_file(a, "csv", write_csv, &t, e) &&
             write_file(a, "svg", report_plot, &t, e);
    table_free(&t);
    return ok;
}

int main(int argc, char **argv)
{
    struct arguments a = {.work = "build/reference"};
    struct reference r;
    struct error e;
    if (!parse_arguments(&a, argc, argv)) {
        fprintf(stderr,
                "correlate: found no REFERENCE, expected a folder with "
                "accelsim.csv, configs/ and make_traces.py (make correlate "
                "REF=FOLDER)\n");
        return STATUS_USAGE;
    }
    bool ok = reference_load(&r, a.reference, a.only, &e);
    if (ok) {
        ok = correlate(&a, &r, &e);
        reference_free(&r);
    }
    if (!ok)
        fprintf(stderr, "correlate: %s\n", e.text);
    return ok ? EXIT_SUCCESS : (int)e.status;
}
