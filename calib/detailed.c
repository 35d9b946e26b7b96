/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Where a limit came first the model stands in, marked partial. */
bool detailed_advance(struct job *job)
{
    struct study_result *out = job->out;
    model_results(job, out->result, out->delta);
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        struct result *r = &out->result[i];
        if (s->done)
            point_from_sample(r, job, s, s->log_cycles, s->log_se);
        else
            r->partial = true;
    }
    for (size_t i = 0; i < job->ran; i++) {
        size_t first = job_at(job, job->sample[i].tb_index, 0);
        if (job->sample[i].done && job->sample[first].done)
            out->delta[i] = point_delta(
                job->sample[i].log_cycles - job->sample[first].log_cycles, 0);
    }
    job->done = true;
    return true;
}
