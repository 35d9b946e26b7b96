/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"
#include "calib/job.h"
#include "calib/point.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>

/* The grid of all launches together. Only the model knows how many instructions
 * a block has: what a run costs is told by its warps. */
static void set_grid(struct job *job)
{
    const struct study *study = job->study;
    const struct kernel *const *kernel = &study->kernel;
    size_t count = 1;
    double warps = 0;
    if (study->application != NULL) {
        kernel = (const struct kernel *const *)study->application->kernel;
        count = study->application->count;
    }
    job->grid = (struct window_grid){.gpu_sms = study->gpu->sms};
    for (size_t i = 0; i < count; i++) {
        job->grid.blocks += kernel[i]->blocks;
        warps += (double)kernel[i]->blocks * kernel[i]->warps_per_block;
    }
    job->grid.block_insts = warps / (double)job->grid.blocks;
}

bool detailed_begin(struct job *job)
{
    const struct study *study = job->study;
    set_grid(job);
    for (int tb = 0; tb < study->tb_count; tb++) {
        struct window w;
        window_whole(&w, &job->grid, study->tb[tb]);
        for (int q = 0; q < study->policy_count; q++)
            if (!job_plan(job, study->tb[tb], q, &w))
                return false;
    }
    return true;
}

static bool is_whole(const struct sample *s)
{
    return s->done && !s->partial;
}

/* Differences to policy `to` of the points first..end-1 where both were run to
 * their end. */
static void exact_differences(const struct job *job, int to,
                              struct paired_delta *delta, size_t first,
                              size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct sample *a = &job->sample[i];
        const struct sample *b = &job->sample[job_at(job, a->tb_index, to)];
        if (is_whole(a) && is_whole(b))
            delta[i] = point_delta(log(a->run.cycles / b->run.cycles), 0);
    }
}

/* What there is to say of points that no run finished. */
static bool stand_in(struct job *job)
{
    job_unknown(job);
    if (job->options->mode != MODE_HYBRID || !job->limited)
        return true;
    if (application_model(job)) {
        for (size_t i = 0; i < job->ran; i++)
            job->out->result[i].partial = true;
        return true;
    }
    if (job->error.status == STATUS_STOPPED)
        job_unknown(job);
    return job->error.status == STATUS_STOPPED;
}

bool detailed_advance(struct job *job)
{
    struct study_result *out = job->out;
    bool modelled = job->options->mode == MODE_HYBRID;
    if (!stand_in(job))
        return false;
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        out->full_insts += s->insts;
        if (is_whole(s) || (s->started && !modelled))
            point_from_run(&out->result[i], s);
    }
    exact_differences(job, 0, out->delta, 0, job->ran);
    exact_differences(job, job->study->reference, out->versus, 0, job->ran);
    job->done = true;
    return true;
}

void detailed_row(struct job *job, int tb)
{
    struct study_result *out = job->out;
    size_t first = job_at(job, tb, 0), end = job_at(job, tb + 1, 0);
    for (size_t i = first; i < end; i++)
        point_from_run(&out->result[i], &job->sample[i]);
    exact_differences(job, 0, out->delta, first, end);
    exact_differences(job, job->study->reference, out->versus, first, end);
}
