/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/point.h"
#include "calib/predict.h"

#include <math.h>

/* The slice's bias differs between two policies at one block count by that
 * much (deviation of log cycles). */
#define POLICY_SLICE_SD 0.005

/* Correlation of the model's errors for two policies at one point, before any
 * sample. */
#define MODEL_PAIR_CORRELATION 0.9

static double square(double x)
{
    return x * x;
}

/* ---- cycles ------------------------------------------------------------- */

static void sampled_point(const struct prediction *p, const struct sample *s,
                          struct result *out)
{
    double sd = hypot(s->log_se, sqrt(p->bias.variance));
    point_from_sample(out, p->job, s, prediction_log_cycles(p, s), sd);
}

static void predicted_point(const struct prediction *p, int tb, int policy,
                            bool any_slice, struct result *out)
{
    const struct study *study = p->job->study;
    double mean, var;
    model_estimate(out, p->job->profile, study->gpu, &study->policies[policy],
                   study->tb[tb], &p->fit.params);
    residual_predict(p->residual, log((double)study->tb[tb]), policy, &mean,
                     &var);
    double sd =
        sqrt(square(p->scale) * var + (any_slice ? p->bias.variance : 0));
    point_from_model(out, study->gpu, log(out->cycles) + mean, sd);
}

static bool has_slices(const struct prediction *p)
{
    for (size_t i = 0; i < job_points(p->job); i++)
        if (p->standing[i] && p->standing[i]->window.kind != WINDOW_GRID)
            return true;
    return false;
}

/* ---- differences -------------------------------------------------------- */

static double sampled_pair_sd(const struct sample *a, const struct sample *b)
{
    bool full_a = a->window.kind == WINDOW_GRID;
    bool full_b = b->window.kind == WINDOW_GRID;
    if (full_a && full_b)
        return 0;
    double se = hypot(a->log_se, b->log_se);
    double paced = throughput_paired_se(&a->pace, &b->pace);
    if (se > 0 && paced < se)
        se = paced;
    return hypot(se, POLICY_SLICE_SD);
}

static double pair_sd(const struct prediction *p, int tb, int policy, int to)
{
    const struct sample *a = p->standing[job_at(p->job, tb, policy)];
    const struct sample *b = p->standing[job_at(p->job, tb, to)];
    if (policy == to)
        return 0;
    if (a != NULL && b != NULL)
        return sampled_pair_sd(a, b);
    double mean, var;
    residual_difference(p->residual, log((double)p->job->study->tb[tb]), policy,
                        to, &mean, &var);
    return hypot(p->pair_scale * sqrt(var), POLICY_SLICE_SD);
}

/* ---- without any sample ------------------------------------------------- */

static double model_log_sd(const struct result *r)
{
    return log(r->cycles_hi / r->cycles_lo) / (2 * QUANTILE_90);
}

static double model_pair_sd(const struct result *a, const struct result *b)
{
    double va = square(model_log_sd(a)), vb = square(model_log_sd(b));
    return sqrt(va + vb - 2 * MODEL_PAIR_CORRELATION * sqrt(va * vb));
}

/* Difference of policy q to policy `to` at one block count. */
static struct paired_delta model_delta(const struct job *job,
                                       const struct result *result, int tb,
                                       int q, int to)
{
    const struct result *a = &result[job_at(job, tb, q)];
    const struct result *b = &result[job_at(job, tb, to)];
    return point_delta(log(a->cycles / b->cycles),
                       q != to ? model_pair_sd(a, b) : 0);
}

void model_results(const struct job *job, struct study_result *out)
{
    const struct study *study = job->study;
    struct model_params params;
    model_params_default(&params);
    for (int tb = 0; tb < study->tb_count; tb++) {
        for (int q = 0; q < study->policy_count; q++)
            model_estimate(&out->result[job_at(job, tb, q)], job->profile,
                           study->gpu, &study->policies[q], study->tb[tb],
                           &params);
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            out->delta[at] = model_delta(job, out->result, tb, q, 0);
            out->versus[at] =
                model_delta(job, out->result, tb, q, study->reference);
        }
    }
}

/* ---- from a prediction -------------------------------------------------- */

static struct paired_delta predicted_delta(const struct prediction *p,
                                           const struct result *result, int tb,
                                           int q, int to)
{
    double a = result[job_at(p->job, tb, q)].cycles;
    double b = result[job_at(p->job, tb, to)].cycles;
    return point_delta(log(a / b), pair_sd(p, tb, q, to));
}

void prediction_results(const struct prediction *p, struct study_result *out)
{
    const struct job *job = p->job;
    const struct study *study = job->study;
    bool slices = has_slices(p);
    for (int tb = 0; tb < study->tb_count; tb++) {
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            if (p->standing[at] != NULL)
                sampled_point(p, p->standing[at], &out->result[at]);
            else
                predicted_point(p, tb, q, slices, &out->result[at]);
        }
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            out->delta[at] = predicted_delta(p, out->result, tb, q, 0);
            out->versus[at] =
                predicted_delta(p, out->result, tb, q, study->reference);
        }
    }
}
