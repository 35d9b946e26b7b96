/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate calibrate: samples and fits now; with --against, cycles from
 * elsewhere beside ours, and keys fitted to them. */
#include "cli/agreement.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/key_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORST 3 /* points named */

/* How estimates agree with the cycles that were given: before a fit, fitted,
 * and of kernels left out. */
struct outcome {
    struct agreement first, last, left_out;
};

static bool agree(struct agreement *out, const struct against *a,
                  const double *cycles, struct estimate_error *e)
{
    double *given = calloc(a->rows, sizeof(*given));
    for (size_t i = 0; given != NULL && i < a->rows; i++)
        given[i] = a->row[i].cycles;
    bool ok = given != NULL && agreement_of(out, cycles, given, a->rows);
    free(given);
    return ok || fail_no_memory(e);
}

static bool is_left_out(const struct key_fit *f)
{
    return f->keys > 0 && !isnan(f->left_out[0]);
}

static bool outcome_of(struct outcome *out, const struct against *a,
                       const struct key_fit *f, struct estimate_error *e)
{
    return agree(&out->first, a, f->first, e) &&
           (f->keys == 0 || agree(&out->last, a, f->last, e)) &&
           (!is_left_out(f) || agree(&out->left_out, a, f->left_out, e));
}

/* ---- points ---------------------------------------------------------------
 */

static double row_error(const struct against *a, size_t i, const double *cycles)
{
    return error_pct(cycles[i], a->row[i].cycles);
}

/* Of the longest name, `least` at least. */
static int name_width(const struct against *a, bool gpu, size_t least)
{
    for (size_t i = 0; i < a->rows; i++) {
        size_t n = strlen(gpu ? a->row[i].gpu : a->row[i].kernel);
        least = n > least ? n : least;
    }
    return (int)least;
}

static void put_row(const struct against *a, size_t i, const struct key_fit *f,
                    int kernel, int gpu)
{
    const struct against_row *r = &a->row[i];
    printf("%-*s %-*s %9s %3d %-8s %12.0f %12.0f %+7.1f %%", kernel, r->kernel,
           gpu, r->gpu, r->grid[0] != '\0' ? r->grid : "-", r->tb, r->sched,
           r->cycles, f->first[i], row_error(a, i, f->first));
    if (f->keys > 0)
        printf(" %+7.1f %%", row_error(a, i, f->last));
    if (is_left_out(f))
        printf(" %+7.1f %%", row_error(a, i, f->left_out));
    printf("\n");
}

static void put_rows(const struct against *a, const struct key_fit *f)
{
    int kernel = name_width(a, false, 14), gpu = name_width(a, true, 8);
    printf("%-*s %-*s %9s %3s %-8s %12s %12s %9s%s\n", kernel, "kernel", gpu,
           "gpu", "grid", "tb", "sched", "given", "estimated", "error",
           f->keys > 0 ? "    fitted  left out" : "");
    for (size_t i = 0; i < a->rows; i++)
        put_row(a, i, f, kernel, gpu);
}

static void put_worst(const struct against *a, const double *cycles)
{
    double limit = INFINITY;
    for (int n = 0; n < WORST && (size_t)n < a->rows; n++) {
        size_t worst = a->rows;
        for (size_t i = 0; i < a->rows; i++) {
            double off = fabs(row_error(a, i, cycles));
            if (off < limit &&
                (worst == a->rows || off > fabs(row_error(a, worst, cycles))))
                worst = i;
        }
        if (worst == a->rows)
            break;
        limit = fabs(row_error(a, worst, cycles));
        printf("%s%s %+.1f %%", n == 0 ? "worst: " : ", ", a->row[worst].kernel,
               row_error(a, worst, cycles));
    }
    printf("\n");
}

static void put_sum(const struct against *a, const double *cycles,
                    const struct agreement *g)
{
    printf("\n%zu points, mean error %.1f %%, median %.1f %%, bias %+.1f %%",
           g->count, g->mean_abs_pct, g->median_abs_pct, g->bias_pct);
    if (!isnan(g->pearson))
        printf("; correlation %.4f, of ranks %.4f", g->pearson, g->spearman);
    printf("\n");
    put_worst(a, cycles);
}

/* ---- the fit --------------------------------------------------------------
 */

static void put_errors(FILE *f, const struct outcome *o, bool left_out)
{
    fprintf(f, "mean error %.1f %% before, %.1f %% fitted",
            o->first.mean_abs_pct, o->last.mean_abs_pct);
    if (left_out)
        fprintf(f, ", %.1f %% of kernels left out", o->left_out.mean_abs_pct);
}

static void put_fit(const struct key_fit *f, const struct outcome *o)
{
    printf("\n%-24s %12s %12s\n", "key", "before", "fitted");
    for (int k = 0; k < f->keys; k++) {
        const char *unit = estimate_key_unit(f->key[k]);
        printf("%-24s %12.6g %12.6g %s", estimate_key_name(f->key[k]),
               f->before[k], f->value[k], unit);
        if (f->identified[k])
            printf(" +-%.1f %%\n", 100 * expm1(f->margin[k]));
        else
            printf(" not identified: %.3g to %.3g\n",
                   f->value[k] * exp(-f->margin[k]),
                   f->value[k] * exp(f->margin[k]));
    }
    put_errors(stdout, o, is_left_out(f));
    printf("%s\n", is_left_out(f) ? " (leave one kernel out)"
                                  : "; one kernel alone cannot be left out");
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
                         const struct key_fit *fit, const struct outcome *o,
                         struct estimate_error *e)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
    fprintf(f, "# %s with keys fitted to the cycles of %s (%zu points):\n# ",
            a->gpu_name[0], a->file.path, a->rows);
    put_errors(f, o, is_left_out(fit));
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
    struct outcome of;
    if (!outcome_of(&of, a, f, e))
        return false;
    put_rows(a, f);
    put_sum(a, f->first, &of.first);
    if (f->keys > 0)
        put_fit(f, &of);
    for (size_t i = 0; i < a->options->outputs; i++)
        if (!write_config(a->options->output[i].path, a, f, &of, e))
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
