/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/residual.h"

#include "base/gsl.h"
#include "calib/constants.h"
#include "calib/throughput.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

/* Prior of the shape. */
static const double shape_median[SHAPE_PARAMS] = {
    [SHAPE_COMMON] = COMMON_MEDIAN,
    [SHAPE_OWN] = OWN_MEDIAN,
    [SHAPE_LENGTH] = LENGTH_MEDIAN};
static const double shape_log_sd[SHAPE_PARAMS] = {
    [SHAPE_COMMON] = COMMON_LOG_SD,
    [SHAPE_OWN] = OWN_LOG_SD,
    [SHAPE_LENGTH] = LENGTH_LOG_SD};

struct residual {
    size_t count;
    struct residual_point *point;
    struct residual_shape shape;
    double blocks_per_sm;
    gsl_matrix *sampled; /* sample_covariance() of the points */
    gsl_matrix *chol;    /* of the points' covariance; NULL without points */
    gsl_vector *weight;  /* covariance^-1 * values */
    gsl_vector *scratch;
};

/* Squared-exponential kernel: exp(-d^2/2), d in units of length (Rasmussen and
 * Williams, Eq. 4.9). */
static double rbf(double x, double y, double length)
{
    double d = (x - y) / length;
    return exp(-d * d / 2);
}

static double roughness(const struct residual *r, double log_tb)
{
    double waves = fmax(r->blocks_per_sm / exp(log_tb), 1);
    return ROUGHNESS + WAVE_ROUGHNESS / waves;
}

/* Covariance of the true residuals at two points. */
static double covariance(const struct residual *r, double x, int p, double y,
                         int q)
{
    const struct residual_shape *s = &r->shape;
    double rho = rbf(x, y, s->value[SHAPE_LENGTH]);
    double common = s->value[SHAPE_COMMON] * s->value[SHAPE_COMMON];
    double own = s->value[SHAPE_OWN] * s->value[SHAPE_OWN];
    double v = OFFSET_SD * OFFSET_SD + common * rho;
    if (p != q)
        return v;
    v += own * (OWN_CONSTANT + (1 - OWN_CONSTANT) * rho);
    double rough = roughness(r, x);
    return x == y ? v + rough * rough : v;
}

/* What two samples' biases and errors add to it. */
static double sample_covariance(const struct residual_point *a,
                                const struct residual_point *b)
{
    double rho = rbf(a->log_tb, b->log_tb, BIAS_LENGTH);
    double v = a->bias_common * b->bias_common * rho;
    if (a->policy == b->policy)
        v += a->bias_own * b->bias_own * rho;
    if (a->log_tb != b->log_tb)
        return v;
    if (a->policy == b->policy)
        return v + a->se * b->se;
    if (a->throughput != NULL && b->throughput != NULL)
        v += a->se * b->se *
             throughput_correlation(a->throughput, b->throughput);
    return v;
}

/* Condition on the points under r->shape. */
static void condition(struct residual *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *a = &r->point[i];
        for (size_t j = 0; j <= i; j++) {
            const struct residual_point *b = &r->point[j];
            double v =
                covariance(r, a->log_tb, a->policy, b->log_tb, b->policy) +
                gsl_matrix_get(r->sampled, i, j);
            gsl_matrix_set(r->chol, i, j, i == j ? v + JITTER : v);
        }
        gsl_vector_set(r->scratch, i, a->value);
    }
    gsl_linalg_cholesky_decomp1(r->chol);
    gsl_linalg_cholesky_solve(r->chol, r->scratch, r->weight);
}

/* Minus the log posterior of a log shape (Rasmussen and Williams, Eq. 2.30). */
static double negative_log_posterior(const gsl_vector *log_shape, void *data)
{
    struct residual *r = data;
    double cost = 0;
    for (size_t i = 0; i < SHAPE_PARAMS; i++) {
        double v = gsl_vector_get(log_shape, i);
        double z = (v - log(shape_median[i])) / shape_log_sd[i];
        r->shape.value[i] = exp(v);
        cost += z * z / 2;
    }
    condition(r);
    double fit;
    gsl_blas_ddot(r->scratch, r->weight, &fit);
    cost += fit / 2;
    for (size_t i = 0; i < r->count; i++)
        cost += log(gsl_matrix_get(r->chol, i, i));
    return cost;
}

static bool choose_shape(struct residual *r)
{
    gsl_multimin_function f = {
        .f = negative_log_posterior, .n = SHAPE_PARAMS, .params = r};
    gsl_multimin_fminimizer *m = gsl_multimin_fminimizer_alloc(
        gsl_multimin_fminimizer_nmsimplex2, SHAPE_PARAMS);
    gsl_vector *x = gsl_vector_alloc(SHAPE_PARAMS);
    gsl_vector *step = gsl_vector_alloc(SHAPE_PARAMS);
    bool ok = m != NULL && x != NULL && step != NULL;
    for (size_t i = 0; ok && i < SHAPE_PARAMS; i++) {
        gsl_vector_set(step, i, SHAPE_FIRST_STEP);
        gsl_vector_set(x, i, log(shape_median[i]));
    }
    if (ok)
        gsl_multimin_fminimizer_set(m, &f, x, step);
    for (int i = 0; ok && i < SHAPE_STEPS; i++)
        if (gsl_multimin_fminimizer_iterate(m) != GSL_SUCCESS ||
            gsl_multimin_fminimizer_size(m) < SHAPE_TOLERANCE)
            break;
    for (size_t i = 0; ok && i < SHAPE_PARAMS; i++)
        r->shape.value[i] = exp(gsl_vector_get(m->x, i));
    gsl_multimin_fminimizer_free(m);
    gsl_vector_free(x);
    gsl_vector_free(step);
    return ok;
}

static bool residual_alloc(struct residual *r, size_t count)
{
    r->point = malloc(count * sizeof(*r->point));
    r->chol = gsl_matrix_alloc(count, count);
    r->sampled = gsl_matrix_alloc(count, count);
    r->weight = gsl_vector_alloc(count);
    r->scratch = gsl_vector_alloc(count);
    return r->point && r->chol && r->sampled && r->weight && r->scratch;
}

/* Set the points and choose the shape, if it is not given. */
static bool residual_observe(struct residual *r,
                             const struct residual_point *points,
                             const struct residual_shape *shape)
{
    for (size_t i = 0; i < r->count; i++) {
        r->point[i] = points[i];
        for (size_t j = 0; j <= i; j++)
            gsl_matrix_set(r->sampled, i, j,
                           sample_covariance(&points[i], &points[j]));
    }
    if (shape != NULL)
        r->shape = *shape;
    else if (!choose_shape(r))
        return false;
    condition(r);
    return true;
}

struct residual *residual_create(const struct residual_point *points,
                                 size_t count, double blocks_per_sm,
                                 const struct residual_shape *shape)
{
    struct residual *r = calloc(1, sizeof(*r));
    gsl_return_errors();
    if (r == NULL)
        return NULL;
    for (size_t i = 0; i < SHAPE_PARAMS; i++)
        r->shape.value[i] = shape_median[i];
    r->count = count;
    r->blocks_per_sm = blocks_per_sm;
    if (count == 0)
        return r;
    if (residual_alloc(r, count) && residual_observe(r, points, shape))
        return r;
    residual_free(r);
    return NULL;
}

void residual_free(struct residual *r)
{
    if (r == NULL)
        return;
    gsl_matrix_free(r->chol);
    gsl_matrix_free(r->sampled);
    gsl_vector_free(r->weight);
    gsl_vector_free(r->scratch);
    free(r->point);
    free(r);
}

const struct residual_shape *residual_shape_of(const struct residual *r)
{
    return &r->shape;
}

/* Condition a quantity of prior variance `prior` whose covariance with each
 * point is in r->scratch. */
static struct residual_value posterior(const struct residual *r, double prior)
{
    struct residual_value out;
    gsl_blas_ddot(r->scratch, r->weight, &out.mean);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, r->chol, r->scratch);
    double known;
    gsl_blas_ddot(r->scratch, r->scratch, &known);
    out.variance = fmax(prior - known, 0);
    return out;
}

struct residual_value residual_predict(const struct residual *r, double log_tb,
                                       int policy,
                                       const struct residual_point *like)
{
    struct residual_point at = {0};
    double prior = covariance(r, log_tb, policy, log_tb, policy);
    if (like != NULL) {
        at = *like;
        prior += sample_covariance(&at, &at);
    }
    if (r->count == 0)
        return (struct residual_value){0, prior};
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *p = &r->point[i];
        double v = covariance(r, log_tb, policy, p->log_tb, p->policy);
        if (like != NULL)
            v += sample_covariance(&at, p);
        gsl_vector_set(r->scratch, i, v);
    }
    return posterior(r, prior);
}

struct residual_value residual_difference(const struct residual *r,
                                          double log_tb, int a, int b)
{
    double prior = 2 * (covariance(r, log_tb, a, log_tb, a) -
                        covariance(r, log_tb, a, log_tb, b));
    if (r->count == 0)
        return (struct residual_value){0, prior};
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *p = &r->point[i];
        double to_a = covariance(r, log_tb, a, p->log_tb, p->policy);
        double to_b = covariance(r, log_tb, b, p->log_tb, p->policy);
        gsl_vector_set(r->scratch, i, to_a - to_b);
    }
    return posterior(r, prior);
}
