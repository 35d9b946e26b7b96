/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/kriging.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths in which correlation is lost, of a cube of edge 1, and noise as a
 * share of variance, that are tried. */
static const double lengths[] = {0.25, 0.5, 1, 2, 4, 8};
static const double noises[] = {1e-3, 0.03, 0.3};
#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))
#define NOISES  (sizeof(noises) / sizeof(noises[0]))
#define PASSES  2

struct kriging {
    const double *x, *y;
    size_t count;
    int dims;
    double length[KRIGING_DIMS_MAX], noise;
    double mean, variance;
    gsl_matrix *factor;              /* of the correlations */
    gsl_vector *left, *weight, *one; /* y less the mean; solutions for it, 1 */
};

static double correlation(const struct kriging *k, const double *a,
                          const double *b)
{
    double sum = 0;
    for (int i = 0; i < k->dims; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]) / (k->length[i] * k->length[i]);
    double h = sqrt(5 * sum);
    return (1 + h + h * h / 3) * exp(-h);
}

static const double *at(const struct kriging *k, size_t i)
{
    return &k->x[i * (size_t)k->dims];
}

/* False: the points are too alike for these lengths. */
static bool factor(struct kriging *k)
{
    for (size_t i = 0; i < k->count; i++)
        for (size_t j = 0; j <= i; j++)
            gsl_matrix_set(k->factor, i, j,
                           correlation(k, at(k, i), at(k, j)) +
                               (i == j ? k->noise : 0));
    return gsl_linalg_cholesky_decomp1(k->factor) == 0;
}

/* Mean, variance and weights for lengths and noise as they are; returns the log
 * likelihood. */
static double solve(struct kriging *k)
{
    double ones = 0, sum = 0, square = 0, log_likely = 0;
    size_t n = k->count;
    if (!factor(k))
        return -INFINITY;
    gsl_vector_set_all(k->left, 1);
    gsl_linalg_cholesky_solve(k->factor, k->left, k->one);
    for (size_t i = 0; i < n; i++) {
        ones += gsl_vector_get(k->one, i);
        sum += gsl_vector_get(k->one, i) * k->y[i];
    }
    k->mean = sum / ones;
    for (size_t i = 0; i < n; i++)
        gsl_vector_set(k->left, i, k->y[i] - k->mean);
    gsl_linalg_cholesky_solve(k->factor, k->left, k->weight);
    for (size_t i = 0; i < n; i++) {
        square += gsl_vector_get(k->left, i) * gsl_vector_get(k->weight, i);
        log_likely -= log(gsl_matrix_get(k->factor, i, i));
    }
    k->variance = fmax(square / (double)n, 1e-10);
    return log_likely - 0.5 * (double)n * log(k->variance);
}

static void set_lengths(struct kriging *k, double length)
{
    for (int i = 0; i < k->dims; i++)
        k->length[i] = length;
}

/* One length for all, and the noise. */
static double fit_alike(struct kriging *k)
{
    double best = -INFINITY, length = 1, noise = noises[0];
    for (size_t l = 0; l < LENGTHS; l++)
        for (size_t n = 0; n < NOISES; n++) {
            set_lengths(k, lengths[l]);
            k->noise = noises[n];
            double likely = solve(k);
            if (likely <= best)
                continue;
            best = likely;
            length = lengths[l];
            noise = noises[n];
        }
    set_lengths(k, length);
    k->noise = noise;
    return best;
}

/* Then each by itself. */
static void fit(struct kriging *k)
{
    double best = fit_alike(k);
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < k->dims; i++) {
            double chosen = k->length[i];
            for (size_t l = 0; l < LENGTHS; l++) {
                k->length[i] = lengths[l];
                double likely = solve(k);
                if (likely <= best)
                    continue;
                best = likely;
                chosen = lengths[l];
            }
            k->length[i] = chosen;
        }
    solve(k);
}

struct kriging *kriging_create(const double *x, const double *y, size_t count,
                               int dims, struct error *e)
{
    struct kriging *k = calloc(1, sizeof(*k));
    if (k == NULL) {
        error_no_memory(e);
        return NULL;
    }
    *k = (struct kriging){.x = x,
                          .y = y,
                          .count = count,
                          .dims = dims,
                          .factor = gsl_matrix_calloc(count, count),
                          .left = gsl_vector_calloc(count),
                          .weight = gsl_vector_calloc(count),
                          .one = gsl_vector_calloc(count)};
    if (k->factor == NULL || k->left == NULL || k->weight == NULL ||
        k->one == NULL) {
        kriging_free(k);
        error_no_memory(e);
        return NULL;
    }
    fit(k);
    return k;
}

void kriging_free(struct kriging *k)
{
    if (k == NULL)
        return;
    gsl_matrix_free(k->factor);
    gsl_vector_free(k->left);
    gsl_vector_free(k->weight);
    gsl_vector_free(k->one);
    free(k);
}

double kriging_at(const struct kriging *k, const double *x, double *scratch,
                  double *sd)
{
    double value = k->mean, known = 0;
    for (size_t i = 0; i < k->count; i++) {
        scratch[i] = correlation(k, x, at(k, i));
        value += scratch[i] * gsl_vector_get(k->weight, i);
    }
    for (size_t i = 0; i < k->count; i++) {
        double left = scratch[i];
        for (size_t j = 0; j < i; j++)
            left -= gsl_matrix_get(k->factor, i, j) * scratch[j];
        scratch[i] = left / gsl_matrix_get(k->factor, i, i);
        known += scratch[i] * scratch[i];
    }
    *sd = sqrt(k->variance * fmax(1 + k->noise - known, 0));
    return value;
}
