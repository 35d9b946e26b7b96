/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our cycles of a reference simulator's points, in full detail:
 *
 *     correlate [--work FOLDER] [--out PREFIX] [--only WORDS] [--no-hardware]
 *               [-j N] REFERENCE
 *
 * prints the comparison, and that with measured hardware where REFERENCE has
 * it (minutes more); with --out also to PREFIX.txt and PREFIX_hardware.txt,
 * with PREFIX.csv, PREFIX.svg and PREFIX_hardware.csv beside them. --only:
 * correlate_points.h. */
#include "bench/correlate_hardware.h"
#include "bench/correlate_report.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *reference, *work, *out, *only;
    bool no_hardware;
};

static bool parse_arguments(struct arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-') {
            a->reference = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--no-hardware") == 0) {
            a->no_hardware = true;
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

static bool print_table(FILE *out, const struct table *t, struct error *e)
{
    report_points(out, t);
    bool ok = report_agreement(out, t);
    report_series(out, t);
    ok = ok && report_rates(out, t);
    return ok || error_no_memory(e);
}

/* PREFIX.ending, or NULL without --out; *ok is false when it cannot be written.
 */
static FILE *open_output(const struct arguments *a, const char *ending,
                         bool *ok, struct error *e)
{
    char path[RUN_PATH];
    if (a->out == NULL)
        return NULL;
    snprintf(path, sizeof(path), "%s%s", a->out, ending);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        *ok = error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    return file;
}

static bool close_output(FILE *file, struct error *e)
{
    return file == NULL || fclose(file) == 0 ||
           error_set(e, STATUS_FAILED, "output could not be written");
}

static bool write_table(const struct arguments *a, const struct table *t,
                        struct error *e)
{
    bool ok = true;
    FILE *csv = open_output(a, ".csv", &ok, e);
    if (csv != NULL)
        report_csv(csv, t);
    ok = close_output(csv, e) && ok;
    FILE *svg = ok ? open_output(a, ".svg", &ok, e) : NULL;
    if (svg != NULL && !report_plot(svg, t))
        ok = error_no_memory(e);
    return close_output(svg, e) && ok;
}

/* Prints text, and writes it to PREFIX.ending. */
static bool show(const struct arguments *a, const char *ending,
                 const char *text, struct error *e)
{
    bool ok = true;
    fputs(text, stdout);
    fflush(stdout);
    FILE *copy = open_output(a, ending, &ok, e);
    if (copy != NULL)
        fputs(text, copy);
    return close_output(copy, e) && ok;
}

static bool compare_table(FILE *out, const struct arguments *a,
                          const struct reference *r, struct error *e)
{
    struct table t;
    if (r->count == 0)
        return error_set(e, STATUS_USAGE, "no point is '%s'", a->only);
    if (!table_run(&t, r, a->reference, a->work, e))
        return false;
    bool ok = print_table(out, &t, e) && write_table(a, &t, e);
    table_free(&t);
    return ok;
}

static bool compare_hardware(FILE *out, const struct arguments *a,
                             const struct reference *r, struct error *e)
{
    bool ok = true;
    FILE *csv = open_output(a, "_hardware.csv", &ok, e);
    (void)r;
    ok = ok && hardware_report(out, csv, a->reference, a->work, e);
    return close_output(csv, e) && ok;
}

typedef bool compare(FILE *out, const struct arguments *a,
                     const struct reference *r, struct error *e);

static bool compare_and_show(compare *what, const char *ending,
                             const struct arguments *a,
                             const struct reference *r, struct error *e)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return error_no_memory(e);
    bool ok = what(out, a, r, e);
    fclose(out);
    ok = ok && show(a, ending, text, e);
    free(text);
    return ok;
}

/* A selection of points is of the table alone. */
static bool correlate(const struct arguments *a, const struct reference *r,
                      struct error *e)
{
    bool hardware =
        a->only == NULL && !a->no_hardware && hardware_present(a->reference);
    return compare_and_show(compare_table, ".txt", a, r, e) &&
           (!hardware ||
            compare_and_show(compare_hardware, "_hardware.txt", a, r, e));
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
