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

/* Warp instructions to run, and as many as take as long without transactions.
 */
struct work {
    double insts, weight;
};

static void add_work(struct work *sum, const struct profile *p, double insts)
{
    sum->insts += insts;
    sum->weight += insts * (1 + TRANSACTION_INSTS * profile_transactions(p));
}

/* Of an application that is whole every launch is run in full detail. */
static bool application_work(struct work *out, struct job *job)
{
    const struct kernel_list *a = job->study->application;
    for (size_t i = 0; i < a->count; i++) {
        struct profile *p = profile_create(a->kernel[i], job->study->gpu,
                                           job->options->seed, &job->error);
        if (p == NULL)
            return false;
        add_work(out, p, profile_warp_insts(p) * (double)job_points(job));
        profile_free(p);
    }
    return true;
}

static bool expect_work(struct work *out, struct job *job)
{
    if (job->options->mode == MODE_MODEL)
        return true;
    if (job->study->application != NULL)
        return application_work(out, job);
    if (!job_profile(job))
        return false;
    bool whole = job->options->mode == MODE_DETAILED;
    bool ok = whole || hybrid_begin(job);
    add_work(out, job->profile,
             whole ? job->out->full_insts : planned_insts(job));
    return ok;
}

struct cost {
    struct work work;
    size_t profiles, points;
};

static bool add_study(struct cost *out, const struct study *study,
                      const struct calib_options *options, struct error *e)
{
    struct job job;
    struct study_result result;
    job_set(&job, &result, study, options);
    bool ok = job_alloc(&job) && expect_work(&out->work, &job);
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
    struct cost cost = {.work = {0, 0}};
    struct application_parts parts;
    bool ok = application_parts_of(&parts, study, 1, options, e);
    for (size_t i = 0; ok && i < parts.count; i++)
        ok = add_study(&cost, &parts.study[i], options, e);
    application_parts_free(&parts);
    out->insts = cost.work.insts;
    out->seconds = PROFILE_SECONDS * (double)cost.profiles +
                   cost.work.weight /
                       (INSTS_A_SECOND * fmin(threads, (double)cost.points));
    return ok;
}
