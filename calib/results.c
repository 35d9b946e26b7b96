/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/constants.h"
#include "calib/point.h"
#include "calib/predict.h"

#include <math.h>

static double square(double x)
{
    return x * x;
}

/* ---- from samples ------------------------------------------------------- */

static bool is_exact(const struct sample *s)
{
    return s != NULL && s->window.kind == WINDOW_GRID && !s->partial;
}

static void point_result(const struct prediction *p, int tb, int policy,
                         struct result *out)
{
    const struct study *study = p->job->study;
    const struct sample *s = p->representative[job_at(p->job, tb, policy)];
    if (is_exact(s)) {
        point_from_sample(out, p->job, s, s->log_cycles, 0);
        return;
    }
    model_estimate(out, p->job->profile, study->gpu, &study->policies[policy],
                   study->tb[tb], &p->fit.params);
    struct residual_value left =
        residual_predict(p->residual, log((double)study->tb[tb]), policy, NULL);
    double scale = prediction_has_sample(p, tb) ? 1 : p->scale;
    double log_cycles = log(out->cycles) + left.mean;
    double sd = scale * sqrt(left.variance);
    if (s != NULL)
        point_from_sample(out, p->job, s, log_cycles, sd);
    else
        point_from_model(out, study->gpu, log_cycles, sd);
}

/* Deviation of the log difference of two policies. */
static double pair_sd(const struct prediction *p, int tb, int policy, int to)
{
    const struct sample *a = p->representative[job_at(p->job, tb, policy)];
    const struct sample *b = p->representative[job_at(p->job, tb, to)];
    if (policy == to || (is_exact(a) && is_exact(b)))
        return 0;
    struct residual_value left = residual_difference(
        p->residual, log((double)p->job->study->tb[tb]), policy, to);
    double scale = prediction_has_sample(p, tb) ? 1 : p->pair_scale;
    return scale * sqrt(left.variance);
}

/* ---- without any sample ------------------------------------------------- */

static double model_log_sd(const struct result *r)
{
    return log(r->cycles_hi / r->cycles_lo) / (2 * NORMAL_90);
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

void model_differences(const struct job *job, struct study_result *out)
{
    const struct study *study = job->study;
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            out->delta[at] = model_delta(job, out->result, tb, q, 0);
            out->versus[at] =
                model_delta(job, out->result, tb, q, study->reference);
        }
}

/* Numbers between those of two latencies. */
static void blend(struct result *r, const struct result *above, double between)
{
    double *to[] = {&r->cycles,    &r->cycles_lo, &r->cycles_hi, &r->ipc,
                    &r->time_us,   &r->l1_miss,   &r->l2_miss,   &r->l2_fill,
                    &r->dram_gbps, &r->energy_uj};
    const double *from[] = {&above->cycles,    &above->cycles_lo,
                            &above->cycles_hi, &above->ipc,
                            &above->time_us,   &above->l1_miss,
                            &above->l2_miss,   &above->l2_fill,
                            &above->dram_gbps, &above->energy_uj};
    for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++)
        *to[i] += between * (*from[i] - *to[i]);
    for (int i = 0; i < STALLS; i++)
        r->stall[i] += between * (above->stall[i] - r->stall[i]);
    if (between > 0.5)
        r->limiter = above->limiter;
}

static void model_point(const struct job *job, int tb, int policy,
                        const struct model_params *params, struct result *out)
{
    const struct study *study = job->study;
    const struct policy_set *p = &study->policies[policy];
    model_estimate(out, job->profile, study->gpu, p, study->tb[tb], params);
    if (job->above == NULL)
        return;
    struct result above;
    model_estimate(&above, job->above, study->gpu, p, study->tb[tb], params);
    blend(out, &above, job->between);
}

void model_results(const struct job *job, struct study_result *out)
{
    const struct study *study = job->study;
    struct model_params params;
    model_params_default(&params);
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++)
            model_point(job, tb, q, &params, &out->result[job_at(job, tb, q)]);
    model_differences(job, out);
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
    for (int tb = 0; tb < study->tb_count; tb++) {
        for (int q = 0; q < study->policy_count; q++)
            point_result(p, tb, q, &out->result[job_at(job, tb, q)]);
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            out->delta[at] = predicted_delta(p, out->result, tb, q, 0);
            out->versus[at] =
                predicted_delta(p, out->result, tb, q, study->reference);
        }
    }
}
