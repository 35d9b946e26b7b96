/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"
#include "calib/calib.h"
#include "calib/job.h"
#include "calib/store.h"

#include "base/gsl.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What the engines need on top of the samples: of the whole call. */
struct batch {
    struct job *job;
    size_t jobs;
    const struct calib_options *options;
    int threads;
    double start;
    int done, total; /* for progress, guarded by critical(progress) */
};

/* A planned sample of some job. */
struct task {
    struct job *job;
    size_t index;
    double cost;
};

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
    job->sample[job->samples++] = (struct sample){
        .tb_index = tb, .policy_index = policy, .window = *window};
    return true;
}

/* ---- one job ------------------------------------------------------------ */

static bool results_alloc(struct job *job)
{
    struct study_result *out = job->out;
    out->result = calloc(job_points(job), sizeof(*out->result));
    out->delta = calloc(job_points(job), sizeof(*out->delta));
    out->versus = calloc(job_points(job), sizeof(*out->versus));
    job->column = calloc((size_t)job->study->tb_count, sizeof(*job->column));
    bool explain = job->options->explain && job->options->mode == MODE_DETAILED;
    out->accounts = explain ? job_points(job) : 0;
    if (explain)
        out->account = calloc(out->accounts, sizeof(*out->account));
    return (out->result && out->delta && out->versus && job->column &&
            (!explain || out->account)) ||
           error_no_memory(&job->error);
}

/* What a result says before anything is sampled. */
static void results_default(struct study_result *out)
{
    out->sample_insts = 0;
    out->samples = 0;
    out->rank = 0;
    out->fit_note[0] = '\0';
    out->leave_one_out_pct = NAN;
    out->slice_pct = NAN;
    model_params_default(&out->params);
    for (int i = 0; i < MODEL_PARAMS; i++)
        out->param_sd[i] = model_param_info[i].sigma;
}

static bool job_profile(struct job *job)
{
    const struct study *study = job->study;
    if (study->application != NULL) {
        application_grid(job);
        return true;
    }
    job->profile = profile_create(study->kernel, study->gpu, job->options->seed,
                                  &job->error);
    if (job->profile == NULL)
        return false;
    double insts = profile_warp_insts(job->profile);
    job->grid = (struct window_grid){.blocks = study->kernel->blocks,
                                     .gpu_sms = study->gpu->sms,
                                     .block_insts =
                                         insts / (double)study->kernel->blocks};
    job->out->full_insts = insts * (double)job_points(job);
    return true;
}

static bool job_begin(struct job *job)
{
    if (!results_alloc(job))
        return false;
    if (job->options->mode == MODE_HYBRID && store_read(job)) {
        job->kept = job->done = true;
        return true;
    }
    results_default(job->out);
    if (!job_profile(job))
        return false;
    switch (job->options->mode) {
    case MODE_HYBRID:
        if (job->study->application != NULL)
            return detailed_begin(job);
        return hybrid_begin(job) && (job->samples > 0 || hybrid_advance(job));
    case MODE_DETAILED:
        return detailed_begin(job);
    case MODE_MODEL:
        job->done = true;
        if (job->study->application != NULL)
            return application_model(job);
        model_results(job, job->out);
    }
    return true;
}

/* Look at the round just run. */
static bool job_advance(struct job *job)
{
    for (; job->ran < job->samples; job->ran++) {
        const struct sample *s = &job->sample[job->ran];
        job->out->sample_insts += (uint64_t)s->insts;
        job->out->samples += s->done;
        job->limited |= s->partial || !s->done;
    }
    if (job->study->application == NULL && job->options->mode == MODE_HYBRID)
        return hybrid_advance(job);
    for (size_t i = 0; job->study->application != NULL && i < job->ran; i++)
        job->out->full_insts += job->sample[i].insts;
    return detailed_advance(job);
}

static void job_free(struct job *job)
{
    if (job->profile != NULL)
        profile_free(job->profile);
    free(job->sample);
    free(job->column);
    job->profile = NULL;
    job->sample = NULL;
    job->column = NULL;
}

/* Nothing is known: what comes before was stopped. */
static void job_stopped(struct job *job)
{
    struct study_result *out = job->out;
    job->limited = job->done = true;
    for (size_t i = 0; i < job_points(job); i++) {
        result_unknown(&out->result[i]);
        out->delta[i] = out->versus[i] = (struct paired_delta){NAN, NAN, NAN};
    }
}

/* Take a step of a job on, keeping its failure in it. */
static void job_step(struct job *job, bool (*step)(struct job *),
                     const struct batch *batch)
{
    if (job->done || job->failed)
        return;
    if (!step(job)) {
        if (job->error.status == STATUS_STOPPED)
            job_stopped(job);
        else
            job->failed = true;
    }
    if (!job->done && !job->failed)
        return;
    if (job->done && job->options->mode == MODE_HYBRID && !job->kept &&
        !job->limited)
        store_write(job);
    job_free(job);
    job->out->seconds = omp_get_wtime() - batch->start;
}

/* ---- a round of samples ------------------------------------------------- */

static void tell_progress(struct batch *b)
{
    if (b->options->progress == NULL)
        return;
#pragma omp critical(calib_progress)
    b->options->progress(b->options->user, ++b->done, b->total);
}

/* Seconds left, 0 = no limit; false when there are none. */
static bool time_left(const struct batch *b, double *left)
{
    *left = 0;
    if (b->options->time_limit_s <= 0)
        return true;
    *left = b->options->time_limit_s - (omp_get_wtime() - b->start);
    return *left > 0;
}

/* In full detail a sample is a point, and its account the point's. */
static bool run_explained(struct job *job, struct sample *s,
                          struct sample_request *request, struct error *e)
{
    char **account = job->out->account;
    if (account == NULL)
        return sample_run(s, request, e);
    size_t size;
    request->explain = open_memstream(
        &account[job_at(job, s->tb_index, s->policy_index)], &size);
    if (request->explain == NULL)
        return error_no_memory(e);
    bool ok = sample_run(s, request, e);
    fclose(request->explain);
    return ok;
}

static void run_task(struct batch *b, const struct task *t)
{
    struct job *job = t->job;
    struct sample *s = &job->sample[t->index];
    const struct study *study = job->study;
    struct sample_request request = {
        .kernel = (struct kernel *const *)&study->kernel,
        .kernels = 1,
        .gpu = study->gpu,
        .policies = &study->policies[s->policy_index],
        .tb = study->tb[s->tb_index],
        .own_share = job->profile != NULL ? profile_own_share(job->profile) : 1,
        .precision = job->error_pct / 100 * HYBRID_SAMPLE_SHARE,
        .max_cycles = b->options->max_cycles,
        .cancel = b->options->cancel};
    if (study->application != NULL) {
        request.kernel = study->application->kernel;
        request.kernels = study->application->count;
    }
    bool stop = b->options->cancel != NULL && *b->options->cancel != 0;
    struct error e;
    if (!stop && time_left(b, &request.time_limit_s) &&
        !run_explained(job, s, &request, &e) && e.status != STATUS_STOPPED) {
#pragma omp critical(calib_failure)
        {
            job->failed = true;
            job->error = e;
        }
    }
    tell_progress(b);
}

/* The longest first, so that threads end together. */
static int by_cost(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    return (x->cost < y->cost) - (x->cost > y->cost);
}

static size_t planned(const struct batch *b)
{
    size_t n = 0;
    for (size_t j = 0; j < b->jobs; j++) {
        const struct job *job = &b->job[j];
        if (!job->done && !job->failed)
            n += job->samples - job->ran;
    }
    return n;
}

static void collect(const struct batch *b, struct task *task)
{
    for (size_t j = 0; j < b->jobs; j++) {
        struct job *job = &b->job[j];
        if (job->done || job->failed)
            continue;
        for (size_t i = job->ran; i < job->samples; i++)
            *task++ = (struct task){
                job, i, window_cost(&job->sample[i].window, &job->grid)};
    }
}

static bool run_round(struct batch *b, size_t tasks, struct error *e)
{
    struct task *task = calloc(tasks, sizeof(*task));
    if (task == NULL)
        return error_no_memory(e);
    collect(b, task);
    qsort(task, tasks, sizeof(*task), by_cost);
    b->total += (int)tasks;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (size_t i = 0; i < tasks; i++)
        run_task(b, &task[i]);
    free(task);
    return true;
}

static void all_jobs(struct batch *b, bool (*step)(struct job *))
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (size_t j = 0; j < b->jobs; j++)
        job_step(&b->job[j], step, b);
}

static bool run_rounds(struct batch *b, struct error *e)
{
    all_jobs(b, job_begin);
    for (size_t tasks; (tasks = planned(b)) > 0;) {
        if (!run_round(b, tasks, e))
            return false;
        all_jobs(b, job_advance);
    }
    for (size_t j = 0; j < b->jobs; j++)
        if (b->job[j].failed) {
            if (e != NULL)
                *e = b->job[j].error;
            return false;
        }
    return true;
}

/* ---- the whole call ----------------------------------------------------- */

static void job_set(struct job *job, struct study_result *out,
                    const struct study *study,
                    const struct calib_options *options)
{
    memset(out, 0, sizeof(*out));
    job->study = study;
    job->options = options;
    job->out = out;
    job->error_pct =
        options->error_pct > 0 ? options->error_pct : CALIB_ERROR_PCT;
    job->budget = options->budget_insts > 0
                      ? (double)options->budget_insts
                      : fmin((double)CALIB_POLICY_INSTS * study->policy_count,
                             CALIB_STUDY_INSTS);
}

bool calib_studies(struct study_result *out, const struct study *studies,
                   size_t count, const struct calib_options *options,
                   struct error *e)
{
    struct batch b = {.job = calloc(count, sizeof(*b.job)),
                      .jobs = count,
                      .options = options,
                      .threads = options->threads > 0 ? options->threads
                                                      : omp_get_max_threads(),
                      .start = omp_get_wtime()};
    if (b.job == NULL)
        return error_no_memory(e);
    for (size_t j = 0; j < count; j++)
        job_set(&b.job[j], &out[j], &studies[j], options);
    gsl_return_errors();
    bool ok = run_rounds(&b, e);
    for (size_t j = 0; j < count; j++) {
        job_free(&b.job[j]);
        if (!ok)
            study_result_free(&out[j]);
    }
    free(b.job);
    return ok;
}

bool calib_study(struct study_result *out, const struct study *study,
                 const struct calib_options *options, struct error *e)
{
    return calib_studies(out, study, 1, options, e);
}

void study_result_free(struct study_result *r)
{
    free(r->result);
    free(r->delta);
    free(r->versus);
    for (size_t i = 0; r->account != NULL && i < r->accounts; i++)
        free(r->account[i]);
    free(r->account);
    r->account = NULL;
    r->result = NULL;
    r->delta = NULL;
    r->versus = NULL;
}
