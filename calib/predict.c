/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/predict.h"

#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

/* Starts of the fit to all samples. */
#define STARTS 4

/* The residual's own standard deviations are checked by leaving sampled block
 * counts out, one at a time. Before that they are trusted as if they had been
 * right that often. */
#define TRUST 3.0

/* A sample that stands for its point: one SM, or the whole GPU. */
static bool stands(const struct sample *s)
{
    return s->done && (s->window.sms == 1 || s->window.kind == WINDOW_GRID);
}

double prediction_log_cycles(const struct prediction *p, const struct sample *s)
{
    bool slice = s->window.kind != WINDOW_GRID;
    return s->log_cycles + (slice ? p->bias.log_shift : 0);
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

/* Index the samples that stand for points. */
static void find_standing(struct prediction *p)
{
    const struct job *job = p->job;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        if (stands(s))
            p->standing[job_at(job, s->tb_index, s->policy_index)] = s;
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
                           .log_shift = p->bias.log_shift,
                           .skip_tb_index = skip};
    bool again = skip >= 0;
    return fit_params(out, &in, again ? 1 : STARTS,
                      again ? &p->fit.params : NULL, &p->job->error);
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
        if (!stands(s) || s->tb_index == skip)
            continue;
        double m = log_model(job, params, s->tb_index, s->policy_index);
        p->scratch[n++] = (struct residual_point){
            .log_tb = log_tb(job, s->tb_index),
            .policy = s->policy_index,
            .value = prediction_log_cycles(p, s) - m,
            .variance = s->log_se * s->log_se,
        };
    }
    struct residual *r = residual_create(p->scratch, n, shape);
    if (r == NULL)
        error_set(&p->job->error, STATUS_FAILED, "out of memory");
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

/* Predicted minus sampled log cycles. */
static double miss_of(const struct prediction *p, const struct left_out *l,
                      const struct sample *s, double *variance)
{
    double mean;
    int q = s->policy_index;
    residual_predict(l->residual, log_tb(p->job, l->tb), q, &mean, variance);
    *variance += s->log_se * s->log_se;
    return log_model(p->job, l->params, l->tb, q) + mean -
           prediction_log_cycles(p, s);
}

static void add_column(struct spread *sp, const struct prediction *p,
                       const struct left_out *l)
{
    const struct sample *const *column =
        (const struct sample *const *)&p->standing[job_at(p->job, l->tb, 0)];
    double sum = 0, pair_sum = 0, first = NAN;
    int n = 0, pairs = 0;
    for (int q = 0; q < p->job->study->policy_count; q++) {
        if (column[q] == NULL)
            continue;
        double mean, var, miss = miss_of(p, l, column[q], &var);
        sum += miss * miss / var;
        sp->abs_error += fabs(expm1(miss));
        n++;
        if (q == 0)
            first = miss;
        if (q == 0 || isnan(first))
            continue;
        residual_difference(l->residual, log_tb(p->job, l->tb), q, 0, &mean,
                            &var);
        pair_sum += (miss - first) * (miss - first) / var;
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

static bool calibrate_spread(struct prediction *p)
{
    struct spread sp = {0};
    int tb_count = p->job->study->tb_count, sampled = 0;
    for (int tb = 0; tb < tb_count; tb++)
        sampled += is_sampled(p, tb);
    for (int tb = 0; sampled > 1 && tb < tb_count; tb++)
        if (is_sampled(p, tb) && !leave_out(&sp, p, tb))
            return false;
    p->scale = sqrt((TRUST + sp.square) / (TRUST + sp.columns));
    p->pair_scale = sqrt((TRUST + sp.pair_square) / (TRUST + sp.pair_columns));
    p->leave_one_out_pct = sp.errors > 0 ? 100 * sp.abs_error / sp.errors : NAN;
    return true;
}

bool prediction_make(struct prediction *p, struct job *job)
{
    *p = (struct prediction){.job = job, .slice_pct = NAN};
    p->standing = calloc(job_points(job), sizeof(*p->standing));
    p->scratch = calloc(job->ran + 1, sizeof(*p->scratch));
    if (p->standing == NULL || p->scratch == NULL)
        return error_set(&job->error, STATUS_FAILED, "out of memory");
    find_standing(p);
    slice_bias_measure(&p->bias, job->sample, job->ran, job->study->gpu->sms);
    if (p->bias.measured)
        p->slice_pct = 100 * expm1(p->bias.log_shift);
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
