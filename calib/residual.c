/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/residual.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

/* Prior of the shape: medians and the deviations of their logs. Wide: a fifth
 * to five times the median lies within two deviations. */
static const double shape_median[SHAPE_PARAMS] = {0.05, 0.02, 1.0};
static const double shape_log_sd[SHAPE_PARAMS] = {0.8, 0.8, 0.5};

/* A factor common to all points that the model may be off by. */
#define OFFSET_SD 0.3
/* Neighbouring block counts differ by that much for no smooth reason (how many
 * waves a grid falls into, bank and set conflicts): a half percent. */
#define ROUGHNESS 0.005
/* Share of a policy's own part that is the same at every block count. */
#define OWN_CONSTANT 0.5

#define MAX_STEPS  80
#define FIRST_STEP 0.5 /* in log shape */
#define TOLERANCE  0.02

struct residual {
    size_t count;
    struct residual_point *point;
    struct residual_shape shape;
    gsl_matrix *chol;   /* of the points' covariance; NULL without points */
    gsl_vector *weight; /* covariance^-1 * values */
    gsl_vector *scratch;
};

static double covariance(const struct residual_shape *s, double x, int p,
                         double y, int q)
{
    double d = (x - y) / s->value[SHAPE_LENGTH];
    double rho = exp(-d * d / 2);
    double common = s->value[SHAPE_COMMON] * s->value[SHAPE_COMMON];
    double own = s->value[SHAPE_OWN] * s->value[SHAPE_OWN];
    double v = OFFSET_SD * OFFSET_SD + common * rho;
    if (p == q)
        v += own * (OWN_CONSTANT + (1 - OWN_CONSTANT) * rho);
    return v;
}

/* Condition on the points under r->shape. */
static void condition(struct residual *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *a = &r->point[i];
        for (size_t j = 0; j <= i; j++) {
            const struct residual_point *b = &r->point[j];
            double v = covariance(&r->shape, a->log_tb, a->policy, b->log_tb,
                                  b->policy);
            if (i == j)
                v += a->variance + ROUGHNESS * ROUGHNESS;
            gsl_matrix_set(r->chol, i, j, v);
        }
        gsl_vector_set(r->scratch, i, a->value);
    }
    gsl_linalg_cholesky_decomp1(r->chol);
    gsl_linalg_cholesky_solve(r->chol, r->scratch, r->weight);
}

/* Minus the log posterior of a log shape (Rasmussen and Williams, Eq. 2.30). */
static double surprise(const gsl_vector *log_shape, void *data)
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

static void choose_shape(struct residual *r)
{
    gsl_multimin_function f = {.f = surprise, .n = SHAPE_PARAMS, .params = r};
    gsl_multimin_fminimizer *m = gsl_multimin_fminimizer_alloc(
        gsl_multimin_fminimizer_nmsimplex2, SHAPE_PARAMS);
    gsl_vector *x = gsl_vector_alloc(SHAPE_PARAMS);
    gsl_vector *step = gsl_vector_alloc(SHAPE_PARAMS);
    gsl_vector_set_all(step, FIRST_STEP);
    for (size_t i = 0; i < SHAPE_PARAMS; i++)
        gsl_vector_set(x, i, log(shape_median[i]));
    gsl_multimin_fminimizer_set(m, &f, x, step);
    for (int i = 0; i < MAX_STEPS; i++)
        if (gsl_multimin_fminimizer_iterate(m) != GSL_SUCCESS ||
            gsl_multimin_fminimizer_size(m) < TOLERANCE)
            break;
    for (size_t i = 0; i < SHAPE_PARAMS; i++)
        r->shape.value[i] = exp(gsl_vector_get(m->x, i));
    gsl_multimin_fminimizer_free(m);
    gsl_vector_free(x);
    gsl_vector_free(step);
}

struct residual *residual_create(const struct residual_point *points,
                                 size_t count,
                                 const struct residual_shape *shape)
{
    struct residual *r = calloc(1, sizeof(*r));
    if (r == NULL)
        return NULL;
    for (size_t i = 0; i < SHAPE_PARAMS; i++)
        r->shape.value[i] = shape_median[i];
    r->count = count;
    if (count == 0)
        return r;
    r->point = malloc(count * sizeof(*points));
    r->chol = gsl_matrix_alloc(count, count);
    r->weight = gsl_vector_alloc(count);
    r->scratch = gsl_vector_alloc(count);
    if (!r->point || !r->chol || !r->weight || !r->scratch) {
        residual_free(r);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        r->point[i] = points[i];
    if (shape != NULL)
        r->shape = *shape;
    else
        choose_shape(r);
    condition(r);
    return r;
}

void residual_free(struct residual *r)
{
    if (r == NULL)
        return;
    gsl_matrix_free(r->chol);
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
static void posterior(const struct residual *r, double prior, double *mean,
                      double *variance)
{
    gsl_blas_ddot(r->scratch, r->weight, mean);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, r->chol, r->scratch);
    double known;
    gsl_blas_ddot(r->scratch, r->scratch, &known);
    *variance = fmax(prior - known, 0) + ROUGHNESS * ROUGHNESS;
}

void residual_predict(const struct residual *r, double log_tb, int policy,
                      double *mean, double *variance)
{
    double prior = covariance(&r->shape, log_tb, policy, log_tb, policy);
    *mean = 0;
    *variance = prior;
    if (r->count == 0)
        return;
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *p = &r->point[i];
        gsl_vector_set(
            r->scratch, i,
            covariance(&r->shape, log_tb, policy, p->log_tb, p->policy));
    }
    posterior(r, prior, mean, variance);
}

void residual_difference(const struct residual *r, double log_tb, int a, int b,
                         double *mean, double *variance)
{
    double prior = 2 * (covariance(&r->shape, log_tb, a, log_tb, a) -
                        covariance(&r->shape, log_tb, a, log_tb, b));
    *mean = 0;
    *variance = prior;
    if (r->count == 0)
        return;
    for (size_t i = 0; i < r->count; i++) {
        const struct residual_point *p = &r->point[i];
        double to_a = covariance(&r->shape, log_tb, a, p->log_tb, p->policy);
        double to_b = covariance(&r->shape, log_tb, b, p->log_tb, p->policy);
        gsl_vector_set(r->scratch, i, to_a - to_b);
    }
    posterior(r, prior, mean, variance);
}
