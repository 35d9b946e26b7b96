/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/constants.h"
#include "calib/job.h"
#include "calib/point.h"

#include <math.h>

/* Difference of policy q to policy `to` at one block count, whose errors are so
 * correlated. */
static struct paired_delta difference(const struct job *job,
                                      const struct result *result, int tb,
                                      int q, int to, double correlation)
{
    const struct result *a = &result[job_at(job, tb, q)];
    const struct result *b = &result[job_at(job, tb, to)];
    double sa = point_log_sd(a), sb = point_log_sd(b);
    double sd = sqrt(sa * sa + sb * sb - 2 * correlation * sa * sb);
    return point_delta(log(a->cycles / b->cycles), q != to ? sd : 0);
}

void point_differences(const struct job *job, struct study_result *out,
                       double correlation)
{
    const struct study *study = job->study;
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            out->delta[at] =
                difference(job, out->result, tb, q, 0, correlation);
            out->versus[at] = difference(job, out->result, tb, q,
                                         study->reference, correlation);
        }
}

void model_differences(const struct job *job, struct study_result *out)
{
    point_differences(job, out, MODEL_PAIR_CORRELATION);
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
    for (int i = 0; i < ENERGY_PARTS; i++)
        r->memory.energy_uj[i] +=
            between * (above->memory.energy_uj[i] - r->memory.energy_uj[i]);
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
