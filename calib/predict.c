/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/predict.h"

#include "calib/point.h"
#include "configs/gpu.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Starts of the fit to all samples. */
#define STARTS 4

/* The residual's own standard deviations are checked by leaving sampled block
 * counts out, one at a time. Before that they are trusted as if they had been
 * right that often. */
#define TRUST 3.0

/* Deviation of log cycles of what a slice over some waves of its share misses:
 * what all policies have in common, which goes away with more SMs, and what is
 * a policy's own, which goes away with more waves. So that nine in ten lie
 * within the 90 % interval: runs of 1, 2, 4 and 8 SMs over 3 to 18 waves and of
 * the whole GPU, 24 bundled kernels at three block counts under three policies,
 * m2090. */
static double bias_common(double waves, int sms, int gpu_sms)
{
    double all = 1.0 / gpu_sms;
    double part = fmax(0, (1.0 / sms - all) / (1 - all));
    return (0.064 + 0.05 / waves) * sqrt(part);
}

static double bias_own(double waves)
{
    return 0.005 + 0.1 / waves;
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

/* Index the samples that stand for points. */
static void find_standing(struct prediction *p)
{
    const struct job *job = p->job;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        size_t at = job_at(job, s->tb_index, s->policy_index);
        if (s->done && (p->standing[at] == NULL || is_full(s)))
            p->standing[at] = s;
    }
}

static bool is_sampled(const struct prediction *p, int tb)
{
    for (int q = 0; q < p->job->study->policy_count; q++)
        if (p->standing[job_at(p->job, tb, q)] != NULL)
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
    return fit_params(out, &in, again ? 1 : STARTS,
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
                                   .pace = &s->pace};
    if (!is_full(s)) {
        double waves = (double)s->blocks / (double)s->window.wave;
        point.bias_common =
            bias_common(fmax(waves, 2), s->window.sms, p->job->study->gpu->sms);
        point.bias_own = bias_own(fmax(waves, 2));
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
struct spread {
    double square, pair_square;
    int columns, pair_columns;
    double abs_error;
    int errors;
};

struct left_out {
    const struct model_params *params; /* fitted without tb */
    const struct residual *residual;   /* likewise */
    int tb;
};

/* One sample of the block count left out against its prediction. */
struct miss {
    double log_error, variance, bias_own;
};

static struct miss miss_of(const struct prediction *p, const struct left_out *l,
                           const struct sample *s)
{
    double m = log_model(p->job, l->params, l->tb, s->policy_index), mean;
    struct residual_point point = point_of(p, s, m);
    struct miss miss = {.bias_own = point.bias_own};
    residual_predict(l->residual, point.log_tb, point.policy, &point, &mean,
                     &miss.variance);
    miss.log_error = mean - point.value;
    return miss;
}

/* Squared error of a difference in units of its predicted variance. */
static double pair_square(const struct prediction *p, const struct left_out *l,
                          int policy, const struct miss *a,
                          const struct miss *first)
{
    double mean, var, own = hypot(a->bias_own, first->bias_own);
    residual_difference(l->residual, log_tb(p->job, l->tb), policy, 0, &mean,
                        &var);
    double error = a->log_error - first->log_error;
    return error * error / (var + own * own);
}

static void add_column(struct spread *sp, const struct prediction *p,
                       const struct left_out *l)
{
    size_t column = job_at(p->job, l->tb, 0);
    struct miss first = {.log_error = NAN};
    double sum = 0, pair_sum = 0;
    int n = 0, pairs = 0;
    for (int q = 0; q < p->job->study->policy_count; q++) {
        const struct sample *s = p->standing[column + (size_t)q];
        if (s == NULL)
            continue;
        struct miss miss = miss_of(p, l, s);
        sum += miss.log_error * miss.log_error / miss.variance;
        sp->abs_error += fabs(expm1(miss.log_error));
        n++;
        if (q == 0)
            first = miss;
        if (q == 0 || isnan(first.log_error))
            continue;
        pair_sum += pair_square(p, l, q, &miss, &first);
        pairs++;
    }
    sp->errors += n;
    sp->columns++;
    sp->square += sum / n;
    if (pairs > 0) {
        sp->pair_columns++;
        sp->pair_square += pair_sum / pairs;
    }
}

/* Predict block count tb from the others and compare with its samples. */
static bool leave_out(struct spread *sp, struct prediction *p, int tb)
{
    struct fit fit;
    if (!fit_without(&fit, p, tb))
        return false;
    struct residual *r =
        residual_about(p, &fit.params, tb, residual_shape_of(p->residual));
    if (r == NULL)
        return false;
    add_column(sp, p, &(struct left_out){&fit.params, r, tb});
    residual_free(r);
    return true;
}

/* How much wider the 90 % interval is where the deviation itself comes from so
 * many observations (the predictive distribution under a scaled inverse
 * chi-squared prior: Gelman et al., Bayesian Data Analysis, Sec. 3.2). */
static double student(double observations)
{
    return gsl_cdf_tdist_Pinv(0.95, observations) / QUANTILE_90;
}

static bool calibrate_spread(struct prediction *p)
{
    struct spread sp = {0};
    int tb_count = p->job->study->tb_count, sampled = 0;
    for (int tb = 0; tb < tb_count; tb++)
        sampled += is_sampled(p, tb);
    for (int tb = 0; sampled > 1 && tb < tb_count; tb++)
        if (is_sampled(p, tb) && !leave_out(&sp, p, tb))
            return false;
    p->scale = student(TRUST + sp.columns) *
               sqrt((TRUST + sp.square) / (TRUST + sp.columns));
    p->pair_scale = sqrt((TRUST + sp.pair_square) / (TRUST + sp.pair_columns));
    p->leave_one_out_pct = sp.errors > 0 ? 100 * sp.abs_error / sp.errors : NAN;
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
        double m = log_model(p->job, &p->fit.params, tb, q), mean, var;
        residual_predict(p->residual, log_tb(p->job, tb), q, NULL, &mean, &var);
        sum += expm1(m + mean - s->log_cycles);
        n++;
    }
    return n > 0 ? 100 * sum / n : NAN;
}

bool prediction_make(struct prediction *p, struct job *job)
{
    *p = (struct prediction){.job = job};
    p->standing = calloc(job_points(job), sizeof(*p->standing));
    p->scratch = calloc(job->ran + 1, sizeof(*p->scratch));
    if (p->standing == NULL || p->scratch == NULL)
        return error_no_memory(&job->error);
    find_standing(p);
    if (!fit_without(&p->fit, p, -1))
        return false;
    p->residual = residual_about(p, &p->fit.params, -1, NULL);
    return p->residual != NULL && calibrate_spread(p);
}

void prediction_free(struct prediction *p)
{
    residual_free(p->residual);
    free(p->standing);
    free(p->scratch);
}
