/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate calibrate: samples and fits now; with --against, cycles from
 * elsewhere beside ours, and keys fitted to them. */
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/key_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORST 3 /* points named */

static double error_pct(const struct against *a, size_t i, const double *cycles)
{
    return 100 * (cycles[i] / a->row[i].cycles - 1);
}

static double mean_error(const struct against *a, const double *cycles)
{
    double sum = 0;
    for (size_t i = 0; i < a->rows; i++)
        sum += fabs(error_pct(a, i, cycles)) / (double)a->rows;
    return sum;
}

/* Of the logs; NAN below three points. */
static double correlation(const struct against *a, const double *cycles)
{
    double n = (double)a->rows, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < a->rows; i++) {
        double u = log(a->row[i].cycles), v = log(cycles[i]);
        x += u / n;
        y += v / n;
        xx += u * u / n;
        yy += v * v / n;
        xy += u * v / n;
    }
    double spread = (xx - x * x) * (yy - y * y);
    return n < 3 || spread <= 0 ? NAN : (xy - x * y) / sqrt(spread);
}

static void put_row(const struct against *a, size_t i, const struct key_fit *f)
{
    const struct against_row *r = &a->row[i];
    printf("%-14s %-8s %9s %3d %-8s %12.0f %12.0f %+7.1f %%", r->kernel, r->gpu,
           r->grid[0] != '\0' ? r->grid : "-", r->tb, r->sched, r->cycles,
           f->first[i], error_pct(a, i, f->first));
    if (f->keys > 0)
        printf(" %+7.1f %%", error_pct(a, i, f->last));
    if (f->keys > 0 && !isnan(f->left_out[i]))
        printf(" %+7.1f %%", error_pct(a, i, f->left_out));
    printf("\n");
}

static void put_rows(const struct against *a, const struct key_fit *f)
{
    printf("%-14s %-8s %9s %3s %-8s %12s %12s %9s%s\n", "kernel", "gpu", "grid",
           "tb", "sched", "given", "estimated", "error",
           f->keys > 0 ? "    fitted  left out" : "");
    for (size_t i = 0; i < a->rows; i++)
        put_row(a, i, f);
}

static void put_worst(const struct against *a, const double *cycles)
{
    double limit = INFINITY;
    for (int n = 0; n < WORST && (size_t)n < a->rows; n++) {
        size_t worst = a->rows;
        for (size_t i = 0; i < a->rows; i++) {
            double off = fabs(error_pct(a, i, cycles));
            if (off < limit &&
                (worst == a->rows || off > fabs(error_pct(a, worst, cycles))))
                worst = i;
        }
        if (worst == a->rows)
            break;
        limit = fabs(error_pct(a, worst, cycles));
        printf("%s%s %+.1f %%", n == 0 ? "worst: " : ", ", a->row[worst].kernel,
               error_pct(a, worst, cycles));
    }
    printf("\n");
}

static void put_sum(const struct against *a, const double *cycles)
{
    printf("\n%zu points, mean error %.1f %%", a->rows, mean_error(a, cycles));
    double r = correlation(a, cycles);
    if (!isnan(r))
        printf(", correlation of logs %.3f", r);
    printf("\n");
    put_worst(a, cycles);
}

static void put_fit(const struct against *a, const struct key_fit *f)
{
    printf("\n%-24s %12s %12s\n", "key", "before", "fitted");
    for (int k = 0; k < f->keys; k++) {
        const char *unit = estimate_key_unit(f->key[k]);
        printf("%-24s %12.6g %12.6g %s", estimate_key_name(f->key[k]),
               f->before[k], f->value[k], unit);
        if (f->identified[k])
            printf(" +-%.0f %%\n", 164 * f->sd[k]);
        else
            printf(" not identified: these cycles do not tell it\n");
    }
    printf("mean error %.1f %% before, %.1f %% fitted", mean_error(a, f->first),
           mean_error(a, f->last));
    if (!isnan(f->left_out[0]))
        printf(", %.1f %% of kernels left out (leave one kernel out)",
               mean_error(a, f->left_out));
    else
        printf("; one kernel alone cannot be left out");
    printf("\n");
}

/* ---- the fitted configuration ----------------------------------------------
 */

/* Bytes of a key's group with the dot behind it; 0: it is of none. */
static size_t group_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot != NULL ? (size_t)(dot - key) + 1 : 0;
}

static void put_key(FILE *f, const struct key_fit *fit, int k)
{
    const char *key = estimate_key_name(fit->key[k]);
    bool real = estimate_key_type(fit->key[k]) == ESTIMATE_KEY_REAL;
    fprintf(f, real ? "%s = %.6f;" : "%s = %.0f;", key + group_length(key),
            fit->value[k]);
    fprintf(f, " # fitted, %.6g before%s\n", fit->before[k],
            fit->identified[k] ? "" : "; not identified");
}

/* A file names a group once. */
static void put_keys(FILE *f, const struct key_fit *fit)
{
    bool done[FIT_KEYS_MAX] = {false};
    for (int k = 0; k < fit->keys; k++) {
        const char *key = estimate_key_name(fit->key[k]);
        size_t group = group_length(key);
        if (group > 0 && !done[k])
            fprintf(f, "%.*s: {\n", (int)group - 1, key);
        for (int j = k; j < fit->keys && !done[k]; j++) {
            const char *other = estimate_key_name(fit->key[j]);
            bool member = group_length(other) == group &&
                          strncmp(key, other, group) == 0 && group > 0;
            if (done[j] || (j > k && !member))
                continue;
            put_key(f, fit, j);
            done[j] = j > k;
        }
        if (group > 0 && !done[k])
            fprintf(f, "};\n");
    }
}

static bool write_config(const char *path, const struct against *a,
                         const struct key_fit *fit, struct estimate_error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
    fprintf(f,
            "# %s with keys fitted to the cycles of %s (%zu points):\n"
            "# mean error %.1f %% before, %.1f %% fitted",
            a->gpu_name[0], a->file.path, a->rows, mean_error(a, fit->first),
            mean_error(a, fit->last));
    if (!isnan(fit->left_out[0]))
        fprintf(f, ", %.1f %% of kernels left out",
                mean_error(a, fit->left_out));
    fprintf(f, "; by estimate %s.\nbase = \"%s\";\n", estimate_version(),
            a->gpu_name[0]);
    put_keys(f, fit);
    bool ok = fflush(f) == 0 && !ferror(f);
    return (fclose(f) == 0 && ok) ||
           fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
}

/* ---- the command ------------------------------------------------------------
 */

static bool check(const struct against *a, const struct key_fit *f,
                  struct estimate_error *e)
{
    if (f->keys > 0 && a->gpus > 1)
        return fail(e, ESTIMATE_USAGE, "--fit: %s is of %zu GPUs, expected one",
                    a->file.path, a->gpus);
    if (f->keys == 0 && a->options->outputs > 0)
        return fail(e, ESTIMATE_USAGE, "--output: there is no --fit");
    return true;
}

static bool without_fit(struct against *a, struct key_fit *f,
                        struct estimate_error *e)
{
    f->first = calloc(a->rows, sizeof(double));
    return f->first == NULL
               ? fail_no_memory(e)
               : against_estimate(f->first, a, a->options->run.mode, e);
}

static bool report(struct against *a, const struct key_fit *f,
                   struct estimate_error *e)
{
    put_rows(a, f);
    put_sum(a, f->first);
    if (f->keys > 0)
        put_fit(a, f);
    for (size_t i = 0; i < a->options->outputs; i++)
        if (!write_config(a->options->output[i].path, a, f, e))
            return false;
    return true;
}

static int run_against(const struct options *o, struct estimate_error *e)
{
    struct against a = {0};
    struct key_fit f = {.keys = 0};
    interrupt_catch();
    bool ok = (o->fit == NULL || key_fit_parse(&f, o->fit, e)) &&
              against_load(&a, o, e) && check(&a, &f, e) &&
              (f.keys > 0 ? key_fit_run(&f, &a, e) : without_fit(&a, &f, e)) &&
              report(&a, &f, e);
    key_fit_free(&f);
    against_free(&a);
    return ok ? ESTIMATE_OK : (int)e->status;
}

int run_calibrate(const struct options *o, struct estimate_error *e)
{
    if (o->against != NULL)
        return run_against(o, e);
    if (o->fit != NULL || o->outputs > 0 || options_given(o, "mode")) {
        fail(e, ESTIMATE_USAGE,
             "calibrate: --mode, --fit and --output need --against");
        return ESTIMATE_USAGE;
    }
    return run_points(o, e);
}
