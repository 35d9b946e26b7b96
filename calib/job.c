/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/job.h"

#include "calib/constants.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void job_set(struct job *job, struct study_result *out,
             const struct study *study, const struct calib_options *options)
{
    memset(out, 0, sizeof(*out));
    model_params_default(&out->params);
    *job = (struct job){.study = study, .options = options, .out = out};
    job->error_pct =
        options->error_pct > 0 ? options->error_pct : CALIB_ERROR_PCT;
    job->cap_insts = options->budget_insts > 0
                         ? (double)options->budget_insts
                         : CALIB_SM_INSTS * (double)study->gpu->sms;
}

bool job_alloc(struct job *job)
{
    struct study_result *out = job->out;
    out->result = calloc(job_points(job), sizeof(*out->result));
    out->delta = calloc(job_points(job), sizeof(*out->delta));
    out->versus = calloc(job_points(job), sizeof(*out->versus));
    job->ended = calloc((size_t)job->study->tb_count, sizeof(*job->ended));
    job->told = calloc((size_t)job->study->tb_count, sizeof(*job->told));
    bool explain = job->options->explain && job->options->mode == MODE_DETAILED;
    out->accounts = explain ? job_points(job) : 0;
    if (explain)
        out->account = calloc(out->accounts, sizeof(*out->account));
    return (out->result && out->delta && out->versus && job->ended &&
            job->told && (!explain || out->account)) ||
           error_no_memory(&job->error);
}

void job_unknown(struct job *job)
{
    struct study_result *out = job->out;
    for (size_t i = 0; i < job_points(job); i++) {
        result_unknown(&out->result[i]);
        out->delta[i] = out->versus[i] = (struct paired_delta){NAN, NAN, NAN};
    }
}

double job_model_cycles(const struct job *job, const struct policy_set *policy,
                        int tb, double stores_left)
{
    struct model_params params = job->out->params;
    struct result r;
    params.stores_left = stores_left;
    model_estimate(&r, job->profile, job->study->gpu, policy, tb, &params);
    return r.cycles;
}

/* The share of the grid after which the L2 is full of stores, 1 where that
 * makes next to no difference. */
static double filled_at(const struct job *job)
{
    const struct policy_set any = policy_set_default();
    double left = profile_stores_left(job->profile, job->study->gpu);
    if (left >= 1)
        return 1;
    double kept = job_model_cycles(job, &any, job->most_tb, 1);
    double none = job_model_cycles(job, &any, job->most_tb, 0);
    return log(none / kept) > FILLED_MATTERS ? left : 1;
}

bool job_profile(struct job *job)
{
    const struct study *study = job->study;
    if (!job->lent)
        job->profile = profile_create(study->kernel, study->gpu,
                                      job->options->seed, &job->error);
    if (job->profile == NULL)
        return false;
    double insts = profile_warp_insts(job->profile);
    job->most_tb = study_tb_limit(study, NULL);
    job->grid = (struct window_grid){
        .blocks = study->kernel->blocks,
        .gpu_sms = study->gpu->sms,
        .gpu_channels = study->gpu->dram.channels,
        .block_insts = insts / (double)study->kernel->blocks,
        .insts_error = profile_insts_error(job->profile),
        .period = study->kernel->period,
        .shared = profile_private_share(job->profile) < SHARED_PRIVATE,
        .crowded = profile_crowding(job->profile) > CROWDED_SLICES};
    job->grid.filled = filled_at(job);
    job->out->full_insts = insts * (double)job_points(job);
    return true;
}

/* Whether the time of a block goes with what it touches. */
static bool is_limited_by_memory(const struct job *job, int tb)
{
    const struct policy_set any = policy_set_default();
    struct result r;
    model_estimate(&r, job->profile, job->study->gpu, &any, tb,
                   &job->out->params);
    return r.limiter != LIMITER_ISSUE && r.limiter != LIMITER_ALU &&
           r.limiter != LIMITER_SHARED;
}

double job_uneven(const struct job *job, const struct window *w)
{
    bool middle = w->kind == WINDOW_MIDDLE;
    uint64_t count = middle ? w->count : w->slice_blocks;
    if (count == 0)
        return 0;
    double insts = log(profile_insts_share(job->profile, w->first, count));
    double lines = log(profile_lines_share(job->profile, w->first, count));
    double apart = fabs(insts);
    if (fabs(lines) > fmax(apart, UNEVEN_LEAST) &&
        is_limited_by_memory(job, w->tb))
        apart = fabs(lines);
    return apart > UNEVEN_LEAST ? apart : 0;
}

static int index_of(const struct study *study, int tb)
{
    for (int i = 0; i < study->tb_count; i++)
        if (study->tb[i] == tb)
            return i;
    return -1;
}

bool job_plan(struct job *job, int tb, int policy, const struct window *window)
{
    if (job->samples == job->capacity) {
        size_t room = job->capacity > 0 ? 2 * job->capacity : 64;
        struct sample *more = realloc(job->sample, room * sizeof(*more));
        if (more == NULL)
            return error_no_memory(&job->error);
        job->sample = more;
        job->capacity = room;
    }
    job->sample[job->samples++] =
        (struct sample){.tb = tb,
                        .tb_index = index_of(job->study, tb),
                        .policy_index = policy,
                        .window = *window};
    return true;
}

void job_confirm(struct job *job)
{
    job->confirms = true;
    job->error_pct = fmin(job->error_pct, CONFIRM_ERROR_PCT);
    if (job->options->budget_insts == 0)
        job->cap_insts *= CONFIRM_CAPS;
}

void job_reset(struct job *job)
{
    if (job->profile != NULL && !job->lent)
        profile_free(job->profile);
    free(job->sample);
    job->profile = NULL;
    job->sample = NULL;
    job->samples = job->ran = job->capacity = 0;
}

void job_free(struct job *job)
{
    job_reset(job);
    free(job->ended);
    free(job->told);
    job->ended = NULL;
    job->told = NULL;
}
