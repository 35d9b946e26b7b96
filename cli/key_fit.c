/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/key_fit.h"

#include "cli/values.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Deviation of log cycles that estimates are off for reasons of their own (of
 * which the points say more), and of the log of a key before anything is known.
 * Chosen. */
#define CYCLES_SD 0.1
#define KEY_SD    1.0
/* Huber's: residuals of more deviations count less (Huber, Robust Statistics,
 * 1981). */
#define HUBER 1.345
/* Times that outliers are weighed anew, that calibrated estimates are made, and
 * the change of a log at which there are enough of them. Chosen. */
#define WEIGHINGS 4
#define ROUNDS    5
#define SETTLED   0.01
/* A key is identified when it lies within so much of the fitted value, as a
 * log, with a probability of 90 %: a tenth. Chosen. */
#define IDENTIFIED 0.0953
#define NORMAL_90  1.645
#define TAIL_90    0.95 /* Student's t below its 90 % margin */
/* Share of a key's value over which a slope is taken. Chosen. */
#define SLOPE_STEP 0.02
/* Points that are looked at before a fit, and how far about, in deviations of a
 * key. Chosen. */
#define LOOKS       48
#define LOOK_SPREAD 1.5
/* Of a key's range, how far a fit may leave the value it began with, as a
 * factor. Chosen. */
#define FARTHEST 16.0

/* Of a size, the part that is tried first as its granule. Chosen. */
#define FINEST 256.0

/* One fit. */
struct problem {
    struct against *against;
    const struct key_fit *fit;
    const double *offset; /* [rows] log of calibrated over modelled cycles */
    const double *weight; /* [rows] 0 leaves a row out */
    double *cycles;       /* [rows] scratch */
    struct estimate_error *error;
    bool failed;
};

bool key_fit_parse(struct key_fit *f, const char *list,
                   struct estimate_error *e)
{
    char name[VALUE_MAX];
    struct estimate_error why;
    *f = (struct key_fit){.keys = 0};
    for (const char *p = list; list_next(&p, name);) {
        const struct estimate_key *key = estimate_key_find(name, &why);
        if (key == NULL)
            return fail(e, ESTIMATE_USAGE, "--fit: %s", why.text);
        if (estimate_key_type(key) != ESTIMATE_KEY_REAL &&
            estimate_key_type(key) != ESTIMATE_KEY_WHOLE)
            return fail(e, ESTIMATE_USAGE, "--fit %s: it has no number", name);
        for (int k = 0; k < f->keys; k++)
            if (f->key[k] == key)
                return fail(e, ESTIMATE_USAGE, "--fit: %s is there twice",
                            name);
        if (f->keys == FIT_KEYS_MAX)
            return fail(e, ESTIMATE_USAGE, "--fit: at most %d keys",
                        FIT_KEYS_MAX);
        f->key[f->keys++] = key;
    }
    return true;
}

/* The value of a key whose log is x deviations from where it began, within the
 * key's range. */
static double value_at(const struct key_fit *f, int k, double x)
{
    double value = f->before[k] * exp(x * KEY_SD);
    value = fmin(value, f->before[k] * FARTHEST);
    value = fmax(value, f->before[k] / FARTHEST);
    value = fmin(fmax(value, estimate_key_min(f->key[k])),
                 estimate_key_max(f->key[k]));
    return estimate_key_type(f->key[k]) == ESTIMATE_KEY_WHOLE ? round(value)
                                                              : value;
}

/* A size is a multiple of something: then the nearest multiple of a part of
 * what it was. */
static bool set_key(const struct key_fit *f, int k, struct estimate_gpu *gpu,
                    double value, struct estimate_error *e)
{
    struct estimate_error why;
    if (!estimate_gpu_set(gpu, f->key[k], value, e))
        return false;
    for (double part = f->before[k] / FINEST;
         !estimate_gpu_check(gpu, &why) && part <= f->before[k]; part *= 2)
        if (!estimate_gpu_set(gpu, f->key[k],
                              part * fmax(1, round(value / part)), e))
            return false;
    return true;
}

static bool set_keys(const struct key_fit *f, struct against *a,
                     const double *x, struct estimate_error *e)
{
    for (int k = 0; k < f->keys; k++)
        if (!set_key(f, k, a->gpu[0], value_at(f, k, x[k]), e))
            return false;
    return true;
}

/* Log of estimated over given cycles, in deviations, then each key's. */
static int residuals_at(struct problem *p, const double *at, gsl_vector *out)
{
    struct against *a = p->against;
    int keys = p->fit->keys;
    if (p->failed || !set_keys(p->fit, a, at, p->error) ||
        !against_estimate(p->cycles, a, ESTIMATE_MODEL, p->error)) {
        p->failed = true;
        return GSL_EFAILED;
    }
    for (size_t i = 0; i < a->rows; i++)
        gsl_vector_set(
            out, i,
            sqrt(p->weight[i]) *
                (log(p->cycles[i] / a->row[i].cycles) + p->offset[i]) /
                CYCLES_SD);
    for (int k = 0; k < keys; k++)
        gsl_vector_set(out, a->rows + (size_t)k, at[k]);
    return GSL_SUCCESS;
}

static void read_point(double *out, const gsl_vector *x)
{
    for (size_t k = 0; k < x->size; k++)
        out[k] = gsl_vector_get(x, k);
}

static int residuals(const gsl_vector *x, void *user, gsl_vector *out)
{
    double at[FIT_KEYS_MAX];
    read_point(at, x);
    return residuals_at(user, at, out);
}

/* How far a slope looks: whole keys change by one at least. */
static double step_of(const struct key_fit *f, int k, double x)
{
    double value = value_at(f, k, x);
    double more = SLOPE_STEP * value;
    if (estimate_key_type(f->key[k]) == ESTIMATE_KEY_WHOLE)
        more = fmax(1, round(more));
    return log((value + more) / value) / KEY_SD;
}

static int slopes(const gsl_vector *x, void *user, gsl_matrix *out)
{
    struct problem *p = user;
    double at[FIT_KEYS_MAX];
    read_point(at, x);
    gsl_vector *here = gsl_vector_alloc(out->size1);
    gsl_vector *there = gsl_vector_alloc(out->size1);
    int status =
        here == NULL || there == NULL ? GSL_ENOMEM : residuals_at(p, at, here);
    for (int k = 0; status == GSL_SUCCESS && k < p->fit->keys; k++) {
        double was = at[k], step = step_of(p->fit, k, was);
        at[k] += step;
        status = residuals_at(p, at, there);
        at[k] = was;
        for (size_t i = 0; i < out->size1; i++)
            gsl_matrix_set(
                out, i, (size_t)k,
                (gsl_vector_get(there, i) - gsl_vector_get(here, i)) / step);
    }
    gsl_vector_free(here);
    gsl_vector_free(there);
    return status;
}

/* Variance of the points about the fit, in CYCLES_SD; what is thought of it
 * beforehand counts as one point. */
static double variance_of(const struct problem *p, const gsl_vector *residual)
{
    double sum = 1, count = 1 - p->fit->keys;
    for (size_t i = 0; i < p->against->rows; i++) {
        sum += gsl_vector_get(residual, i) * gsl_vector_get(residual, i);
        count += p->weight[i];
    }
    return sum / fmax(1, count);
}

/* Deviations of the keys, by the slopes at the fit and how far the points
 * scatter about it. */
static bool deviations(double *sd, const struct problem *p,
                       const gsl_matrix *slope, const gsl_vector *residual)
{
    size_t keys = slope->size2;
    double noise = variance_of(p, residual);
    gsl_matrix *known = gsl_matrix_alloc(keys, keys);
    if (known == NULL)
        return false;
    gsl_matrix_set_identity(known);
    for (size_t i = 0; i < p->against->rows; i++) {
        gsl_vector_const_view row = gsl_matrix_const_row(slope, i);
        gsl_blas_dsyr(CblasLower, 1 / noise, &row.vector, known);
    }
    bool ok = gsl_linalg_cholesky_decomp1(known) == GSL_SUCCESS &&
              gsl_linalg_cholesky_invert(known) == GSL_SUCCESS;
    for (size_t k = 0; ok && k < keys; k++)
        sd[k] = KEY_SD * sqrt(gsl_matrix_get(known, k, k));
    gsl_matrix_free(known);
    return ok;
}

/* Least squares with the weights as they are, from *x on. sd: NULL or of the
 * keys. */
static bool solve(struct problem *p, double *x, double *sd)
{
    size_t keys = (size_t)p->fit->keys, rows = p->against->rows + keys;
    const gsl_multifit_nlinear_parameters how =
        gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf f = {
        .f = residuals, .df = slopes, .n = rows, .p = keys, .params = p};
    gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
        gsl_multifit_nlinear_trust, &how, rows, keys);
    gsl_vector_view start = gsl_vector_view_array(x, keys);
    int info;
    bool ok = w != NULL &&
              gsl_multifit_nlinear_init(&start.vector, &f, w) == GSL_SUCCESS;
    if (ok)
        gsl_multifit_nlinear_driver(30, 1e-4, 1e-4, 0, NULL, NULL, &info, w);
    ok = ok && !p->failed;
    for (size_t k = 0; ok && k < keys; k++)
        x[k] = gsl_vector_get(gsl_multifit_nlinear_position(w), k);
    if (ok && sd != NULL)
        ok = deviations(sd, p, gsl_multifit_nlinear_jac(w),
                        gsl_multifit_nlinear_residual(w));
    gsl_multifit_nlinear_free(w);
    return ok || p->failed || fail(p->error, ESTIMATE_FAILED, "--fit failed");
}

static void weigh(const struct problem *p, double *weight, const bool *used)
{
    const struct against *a = p->against;
    for (size_t i = 0; i < a->rows; i++) {
        double off = fabs(log(p->cycles[i] / a->row[i].cycles) + p->offset[i]) /
                     CYCLES_SD;
        weight[i] = !used[i] ? 0 : off > HUBER ? HUBER / off : 1;
    }
}

/* A robust fit to the rows that are used. p->cycles: the model's there. */
static bool fit_robust(struct problem *p, const bool *used, double *weight,
                       double *x, double *sd)
{
    p->weight = weight;
    for (size_t i = 0; i < p->against->rows; i++)
        weight[i] = used[i] ? 1 : 0;
    for (int i = 0; i < WEIGHINGS; i++) {
        if (!solve(p, x, sd) || p->failed ||
            !set_keys(p->fit, p->against, x, p->error) ||
            !against_estimate(p->cycles, p->against, ESTIMATE_MODEL, p->error))
            return false;
        weigh(p, weight, used);
    }
    return true;
}

/* ---- where to begin --------------------------------------------------------
 */

/* Half the sum of squares at x. */
static bool cost_at(struct problem *p, const double *x, gsl_vector *scratch,
                    double *out)
{
    if (residuals_at(p, x, scratch) != GSL_SUCCESS)
        return false;
    double sum = 0;
    for (size_t i = 0; i < scratch->size; i++)
        sum += gsl_vector_get(scratch, i) * gsl_vector_get(scratch, i);
    *out = sum / 2;
    return true;
}

/* Move x to the best of the points of a Sobol sequence about it, if one is
 * better: waves make valleys that a descent does not leave. */
static bool look_around(struct problem *p, double *x, gsl_qrng *points,
                        gsl_vector *scratch)
{
    double best, cost, unit[FIT_KEYS_MAX], at[FIT_KEYS_MAX];
    double centre[FIT_KEYS_MAX];
    memcpy(centre, x, sizeof(centre));
    if (!cost_at(p, x, scratch, &best))
        return false;
    for (int i = 0; i < LOOKS; i++) {
        gsl_qrng_get(points, unit);
        for (int k = 0; k < p->fit->keys; k++)
            at[k] = centre[k] + LOOK_SPREAD * (2 * unit[k] - 1);
        if (!cost_at(p, at, scratch, &cost))
            return false;
        if (cost < best) {
            best = cost;
            memcpy(x, at, sizeof(at));
        }
    }
    return true;
}

static bool begin(struct problem *p, double *x, double *weight)
{
    unsigned keys = (unsigned)p->fit->keys;
    gsl_qrng *points = gsl_qrng_alloc(gsl_qrng_sobol, keys);
    gsl_vector *scratch = gsl_vector_alloc(p->against->rows + keys);
    bool room = points != NULL && scratch != NULL;
    for (size_t i = 0; i < p->against->rows; i++)
        weight[i] = 1;
    p->weight = weight;
    bool ok =
        room ? look_around(p, x, points, scratch) : fail_no_memory(p->error);
    gsl_qrng_free(points);
    gsl_vector_free(scratch);
    return ok;
}

/* ---- the whole fit ---------------------------------------------------------
 */

/* The keys as fits without one kernel each find them. */
struct jackknife {
    double sum[FIT_KEYS_MAX], squares[FIT_KEYS_MAX];
    int fits;
};

struct scratch {
    double *offset, *weight, *cycles;
    bool *used;
};

static double change(const struct key_fit *f, const double *x, const double *y)
{
    double most = 0;
    for (int k = 0; k < f->keys; k++)
        most = fmax(most, KEY_SD * fabs(x[k] - y[k]));
    return most;
}

/* Calibrated estimates where x is; how far the model is off them. */
static bool calibrate(const struct key_fit *f, struct against *a,
                      const double *x, double *fine, struct scratch *s,
                      struct estimate_error *e)
{
    if (!set_keys(f, a, x, e) ||
        !against_estimate(fine, a, a->options->run.mode, e) ||
        !against_estimate(s->cycles, a, ESTIMATE_MODEL, e))
        return false;
    for (size_t i = 0; i < a->rows; i++)
        s->offset[i] = log(fine[i] / s->cycles[i]);
    return true;
}

static bool fit_all(struct key_fit *f, struct against *a, double *x,
                    struct scratch *s, struct estimate_error *e)
{
    double sd[FIT_KEYS_MAX];
    struct problem p = {.against = a,
                        .fit = f,
                        .offset = s->offset,
                        .cycles = s->cycles,
                        .error = e};
    for (size_t i = 0; i < a->rows; i++)
        s->used[i] = true;
    if (!calibrate(f, a, x, f->first, s, e) || !begin(&p, x, s->weight))
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        double before[FIT_KEYS_MAX];
        memcpy(before, x, sizeof(before));
        if (!fit_robust(&p, s->used, s->weight, x, sd) ||
            !calibrate(f, a, x, f->last, s, e))
            return false;
        if (change(f, x, before) < SETTLED)
            break;
    }
    for (int k = 0; k < f->keys; k++)
        f->margin[k] = NORMAL_90 * sd[k];
    return true;
}

static void add_fit(struct jackknife *j, const double *x, int keys)
{
    for (int k = 0; k < keys; k++) {
        j->sum[k] += x[k];
        j->squares[k] += x[k] * x[k];
    }
    j->fits++;
}

/* Points of a kernel are off alike, so that as many kernels as there are, not
 * points, say how sure a key is: the delete-one jackknife (Efron and Stein, The
 * jackknife estimate of variance, Annals of Statistics 9(3), 1981). */
static void widen_margins(struct key_fit *f, const struct jackknife *j)
{
    if (j->fits < 2)
        return;
    double t = gsl_cdf_tdist_Pinv(TAIL_90, j->fits - 1);
    for (int k = 0; k < f->keys; k++) {
        double mean = j->sum[k] / j->fits;
        double apart = fmax(0, j->squares[k] / j->fits - mean * mean);
        f->margin[k] =
            fmax(f->margin[k], t * KEY_SD * sqrt((j->fits - 1) * apart));
    }
}

/* Each kernel by a fit to the others. */
static bool leave_out(struct key_fit *f, struct against *a, const double *x,
                      struct scratch *s, struct estimate_error *e)
{
    struct problem p = {.against = a,
                        .fit = f,
                        .offset = s->offset,
                        .cycles = s->cycles,
                        .error = e};
    struct jackknife fits = {.fits = 0};
    for (size_t i = 0; i < a->rows; i++)
        f->left_out[i] = NAN;
    for (size_t i = 0; i < a->rows; i++) {
        size_t others = 0;
        double at[FIT_KEYS_MAX];
        if (!isnan(f->left_out[i]))
            continue;
        memcpy(at, x, sizeof(at));
        for (size_t j = 0; j < a->rows; j++) {
            s->used[j] = strcmp(a->row[j].kernel, a->row[i].kernel) != 0;
            others += s->used[j];
        }
        if (others == 0)
            return true;
        if (!fit_robust(&p, s->used, s->weight, at, NULL))
            return false;
        add_fit(&fits, at, f->keys);
        for (size_t j = 0; j < a->rows; j++)
            if (!s->used[j])
                f->left_out[j] = s->cycles[j] * exp(s->offset[j]);
    }
    widen_margins(f, &fits);
    return true;
}

static bool conclude(struct key_fit *f, struct against *a, const double *x,
                     struct estimate_error *e)
{
    if (!set_keys(f, a, x, e))
        return false;
    for (int k = 0; k < f->keys; k++) {
        f->value[k] = estimate_gpu_get(a->gpu[0], f->key[k]);
        f->identified[k] = f->margin[k] < IDENTIFIED;
    }
    return true;
}

bool key_fit_run(struct key_fit *f, struct against *a, struct estimate_error *e)
{
    double x[FIT_KEYS_MAX] = {0};
    struct scratch s = {.offset = calloc(a->rows, sizeof(double)),
                        .weight = calloc(a->rows, sizeof(double)),
                        .cycles = calloc(a->rows, sizeof(double)),
                        .used = calloc(a->rows, sizeof(bool))};
    f->first = calloc(a->rows, sizeof(double));
    f->last = calloc(a->rows, sizeof(double));
    f->left_out = calloc(a->rows, sizeof(double));
    bool ok = (s.offset != NULL && s.weight != NULL && s.cycles != NULL &&
               s.used != NULL && f->first != NULL && f->last != NULL &&
               f->left_out != NULL) ||
              fail_no_memory(e);
    gsl_error_handler_t *old = gsl_set_error_handler_off();
    for (int k = 0; ok && k < f->keys; k++)
        f->before[k] = estimate_gpu_get(a->gpu[0], f->key[k]);
    ok = ok && fit_all(f, a, x, &s, e) && leave_out(f, a, x, &s, e) &&
         conclude(f, a, x, e);
    gsl_set_error_handler(old);
    free(s.offset);
    free(s.weight);
    free(s.cycles);
    free(s.used);
    return ok;
}

void key_fit_free(struct key_fit *f)
{
    free(f->first);
    free(f->last);
    free(f->left_out);
}
