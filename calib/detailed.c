/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"
#include "calib/job.h"
#include "calib/point.h"

#include "configs/gpu.h"

#include <math.h>

bool detailed_begin(struct job *job)
{
    const struct study *study = job->study;
    for (int tb = 0; tb < study->tb_count; tb++) {
        struct window w;
        window_plan(&w, &job->grid, study->gpu->sms, study->tb[tb], INFINITY);
        for (int q = 0; q < study->policy_count; q++)
            if (!job_plan(job, tb, q, &w))
                return false;
    }
    return true;
}

/* Differences to policy `to` where both were run. */
static void exact_differences(const struct job *job, int to,
                              struct paired_delta *delta)
{
    for (size_t i = 0; i < job->ran; i++) {
        size_t other = job_at(job, job->sample[i].tb_index, to);
        if (job->sample[i].done && job->sample[other].done)
            delta[i] = point_delta(
                job->sample[i].log_cycles - job->sample[other].log_cycles, 0);
    }
}

static bool model_stands_in(struct job *job)
{
    if (job->study->application != NULL)
        return !job->limited || application_model(job);
    model_results(job, job->out);
    return true;
}

/* Where a limit came first the model stands in, marked partial. */
bool detailed_advance(struct job *job)
{
    struct study_result *out = job->out;
    if (!model_stands_in(job))
        return false;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        struct result *r = &out->result[i];
        if (s->done)
            point_from_sample(r, job, s, s->log_cycles, s->log_se);
        else
            r->partial = true;
    }
    exact_differences(job, 0, out->delta);
    exact_differences(job, job->study->reference, out->versus);
    job->done = true;
    return true;
}
