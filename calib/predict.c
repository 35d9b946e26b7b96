/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/predict.h"

#include "calib/constants.h"
#include "calib/point.h"
#include "configs/gpu.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Deviations of log cycles of what a slice over some waves of its share misses:
 * what all policies have in common, which goes away with more SMs, and what is
 * a policy's own, which goes away with more waves. */
static double bias_common(double waves, int sms, int gpu_sms)
{
    double all = 1.0 / gpu_sms;
    double part = fmax(0, (1.0 / sms - all) / (1 - all));
    return (BIAS_COMMON + BIAS_COMMON_WAVE / waves) * sqrt(part);
}

static double bias_own(double waves)
{
    return BIAS_OWN + BIAS_OWN_WAVE / waves;
}

static double log_tb(const struct job *job, int tb)
{
    return log((double)job->study->tb[tb]);
}

static double log_model(const struct job *job, const struct model_params *at,
                        int tb, int policy)
{
    const struct study *study = job->study;
    struct result r;
    model_estimate(&r, job->profile, study->gpu, &study->policies[policy],
                   study->tb[tb], at);
    return log(r.cycles);
}

static bool is_full(const struct sample *s)
{
    return s->window.kind == WINDOW_GRID;
}

/* Index the samples that represent points. */
static void find_representatives(struct prediction *p)
{
    const struct job *job = p->job;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        size_t at = job_at(job, s->tb_index, s->policy_index);
        if (s->done && (p->representative[at] == NULL || is_full(s)))
            p->representative[at] = s;
    }
}

bool prediction_has_sample(const struct prediction *p, int tb)
{
    for (int q = 0; q < p->job->study->policy_count; q++)
        if (p->representative[job_at(p->job, tb, q)] != NULL)
            return true;
    return false;
}

/* Fit to all block counts but `skip` (-1: to all). */
static bool fit_without(struct fit *out, const struct prediction *p, int skip)
{
    const struct job *job = p->job;
    struct fit_input in = {.profile = job->profile,
                           .gpu = job->study->gpu,
                           .policies = job->study->policies,
                           .tb = job->study->tb,
                           .sample = job->sample,
                           .samples = job->ran,
                           .skip_tb_index = skip};
    bool again = skip >= 0;
    return fit_params(out, &in, again ? 1 : FIT_STARTS,
                      again ? &p->fit.params : NULL, &p->job->error);
}

/* What sample s says of the residual about log model cycles m. */
static struct residual_point point_of(const struct prediction *p,
                                      const struct sample *s, double m)
{
    struct residual_point point = {.log_tb = log_tb(p->job, s->tb_index),
                                   .policy = s->policy_index,
                                   .value = s->log_cycles - m,
                                   .se = s->log_se,
                                   .throughput = &s->throughput};
    if (!is_full(s)) {
        double waves = (double)s->blocks / (double)s->window.wave;
        waves = fmax(waves, BIAS_LEAST_WAVES);
        point.bias_common =
            bias_common(waves, s->window.sms, p->job->study->gpu->sms);
        point.bias_own = bias_own(waves);
    }
    return point;
}

/* The residual about the model at `params`, block count `skip` left out. */
static struct residual *residual_about(struct prediction *p,
                                       const struct model_params *params,
                                       int skip,
                                       const struct residual_shape *shape)
{
    const struct job *job = p->job;
    size_t n = 0;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        if (!s->done || s->tb_index == skip)
            continue;
        double m = log_model(job, params, s->tb_index, s->policy_index);
        p->scratch[n++] = point_of(p, s, m);
    }
    double blocks_per_sm = (double)job->grid.blocks / job->grid.gpu_sms;
    struct residual *r = residual_create(p->scratch, n, blocks_per_sm, shape);
    if (r == NULL)
        error_no_memory(&p->job->error);
    return r;
}

/* ---- leaving block counts out ------------------------------------------- */

/* Squared errors in units of their predicted variance: means over the policies
 * of a block count, summed over block counts. */
struct left_out_errors {
    double square, pair_square;
    int block_counts, pair_block_counts;
    double abs_error;
    int errors;
};

struct left_out {
    const struct model_params *params; /* fitted without tb */
    const struct residual *residual;   /* likewise */
    int tb;
};

/* One sample of the block count left out against its prediction. */
struct prediction_error {
    double log_error, variance, bias_own;
};

static struct prediction_error error_of(const struct prediction *p,
                                        const struct left_out *l,
                                        const struct sample *s)
{
    double m = log_model(p->job, l->params, l->tb, s->policy_index);
    struct residual_point point = point_of(p, s, m);
    struct residual_value predicted =
        residual_predict(l->residual, point.log_tb, point.policy, &point);
    return (struct prediction_error){
        .log_error = predicted.mean - point.value,
        .variance = predicted.variance,
        .bias_own = point.bias_own,
    };
}

/* Squared error of a difference in units of its predicted variance. */
static double pair_square(const struct prediction *p, const struct left_out *l,
                          int policy, const struct prediction_error *a,
                          const struct prediction_error *first)
{
    double own = hypot(a->bias_own, first->bias_own);
    struct residual_value predicted =
        residual_difference(l->residual, log_tb(p->job, l->tb), policy, 0);
    double error = a->log_error - first->log_error;
    return error * error / (predicted.variance + own * own);
}

static void add_block_count(struct left_out_errors *sum,
                            const struct prediction *p,
                            const struct left_out *l)
{
    size_t at = job_at(p->job, l->tb, 0);
    struct prediction_error first = {.log_error = NAN};
    double square = 0, pairs_square = 0;
    int n = 0, pairs = 0;
    for (int q = 0; q < p->job->study->policy_count; q++) {
        const struct sample *s = p->representative[at + (size_t)q];
        if (s == NULL)
            continue;
        struct prediction_error x = error_of(p, l, s);
        square += x.log_error * x.log_error / x.variance;
        sum->abs_error += fabs(expm1(x.log_error));
        n++;
        if (q == 0)
            first = x;
        if (q == 0 || isnan(first.log_error))
            continue;
        pairs_square += pair_square(p, l, q, &x, &first);
        pairs++;
    }
    sum->errors += n;
    sum->block_counts++;
    sum->square += square / n;
    if (pairs > 0) {
        sum->pair_block_counts++;
        sum->pair_square += pairs_square / pairs;
    }
}

/* Predict block count tb from the others and compare with its samples. */
static bool leave_out(struct left_out_errors *sum, struct prediction *p, int tb)
{
    struct fit fit;
    if (!fit_without(&fit, p, tb))
        return false;
    struct residual *r =
        residual_about(p, &fit.params, tb, residual_shape_of(p->residual));
    if (r == NULL)
        return false;
    add_block_count(sum, p, &(struct left_out){&fit.params, r, tb});
    residual_free(r);
    return true;
}

/* How much wider the 90 % interval is where the deviation itself comes from so
 * many observations (the predictive distribution under a scaled inverse
 * chi-squared prior: Gelman et al., Bayesian Data Analysis, Sec. 3.2). */
static double t_widening(double observations)
{
    return gsl_cdf_tdist_Pinv(0.95, observations) / NORMAL_90;
}

static bool calibrate_scales(struct prediction *p)
{
    struct left_out_errors sum = {0};
    int tb_count = p->job->study->tb_count, sampled = 0;
    for (int tb = 0; tb < tb_count; tb++)
        sampled += prediction_has_sample(p, tb);
    for (int tb = 0; sampled > 1 && tb < tb_count; tb++)
        if (prediction_has_sample(p, tb) && !leave_out(&sum, p, tb))
            return false;
    p->scale = t_widening(PRIOR_DOF + sum.block_counts) *
               sqrt((PRIOR_DOF + sum.square) / (PRIOR_DOF + sum.block_counts));
    p->pair_scale = sqrt((PRIOR_DOF + sum.pair_square) /
                         (PRIOR_DOF + sum.pair_block_counts));
    p->leave_one_out_pct =
        sum.errors > 0 ? 100 * sum.abs_error / sum.errors : NAN;
    return true;
}

double prediction_slice_pct(const struct prediction *p)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < p->job->ran; i++) {
        const struct sample *s = &p->job->sample[i];
        if (!s->done || is_full(s))
            continue;
        int tb = s->tb_index, q = s->policy_index;
        double m = log_model(p->job, &p->fit.params, tb, q);
        struct residual_value left =
            residual_predict(p->residual, log_tb(p->job, tb), q, NULL);
        sum += expm1(m + left.mean - s->log_cycles);
        n++;
    }
    return n > 0 ? 100 * sum / n : NAN;
}

bool prediction_make(struct prediction *p, struct job *job)
{
    *p = (struct prediction){.job = job};
    p->representative = calloc(job_points(job), sizeof(*p->representative));
    p->scratch = calloc(job->ran + 1, sizeof(*p->scratch));
    if (p->representative == NULL || p->scratch == NULL)
        return error_no_memory(&job->error);
    find_representatives(p);
    if (!fit_without(&p->fit, p, -1))
        return false;
    p->residual = residual_about(p, &p->fit.params, -1, NULL);
    return p->residual != NULL && calibrate_scales(p);
}

void prediction_free(struct prediction *p)
{
    residual_free(p->residual);
    free(p->representative);
    free(p->scratch);
}
