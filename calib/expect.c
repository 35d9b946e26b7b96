/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study should take, before anything of it is run. */
#include "calib/application_parts.h"
#include "calib/constants.h"
#include "calib/job.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <omp.h>

static double planned_insts(const struct job *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->samples; i++)
        sum += window_cost(&job->sample[i].window, &job->grid);
    return sum;
}

/* Of an application that is whole every launch is run in full detail. */
static bool application_insts(double *out, struct job *job)
{
    const struct kernel_list *a = job->study->application;
    *out = 0;
    for (size_t i = 0; i < a->count; i++) {
        struct profile *p = profile_create(a->kernel[i], job->study->gpu,
                                           job->options->seed, &job->error);
        if (p == NULL)
            return false;
        *out += profile_warp_insts(p) * (double)job_points(job);
        profile_free(p);
    }
    return true;
}

static bool expect_insts(double *out, struct job *job)
{
    *out = 0;
    if (job->options->mode == MODE_MODEL)
        return true;
    if (job->study->application != NULL)
        return application_insts(out, job);
    if (!job_profile(job))
        return false;
    if (job->options->mode == MODE_DETAILED) {
        *out = job->out->full_insts;
        return true;
    }
    bool ok = hybrid_begin(job);
    *out = planned_insts(job);
    return ok;
}

/* Warp instructions, and profiles. */
struct cost {
    double insts;
    size_t profiles, points;
};

static bool add_study(struct cost *out, const struct study *study,
                      const struct calib_options *options, struct error *e)
{
    struct job job;
    struct study_result result;
    double insts = 0;
    job_set(&job, &result, study, options);
    bool ok = job_alloc(&job) && expect_insts(&insts, &job);
    out->insts += insts;
    out->points += job_points(&job);
    out->profiles++;
    if (!ok)
        *e = job.error;
    job_free(&job);
    study_result_free(&result);
    return ok;
}

bool calib_expect(struct study_cost *out, const struct study *study,
                  const struct calib_options *options, struct error *e)
{
    int threads =
        options->threads > 0 ? options->threads : omp_get_max_threads();
    struct cost cost = {.insts = 0};
    struct application_parts parts;
    bool ok = application_parts_of(&parts, study, 1, options, e);
    for (size_t i = 0; ok && i < parts.count; i++)
        ok = add_study(&cost, &parts.study[i], options, e);
    application_parts_free(&parts);
    out->insts = cost.insts;
    out->seconds =
        PROFILE_SECONDS * (double)cost.profiles +
        cost.insts / (INSTS_A_SECOND * fmin(threads, (double)cost.points));
    return ok;
}
