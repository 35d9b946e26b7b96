/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"
#include "calib/application_parts.h"
#include "calib/designs.h"
#include "calib/explore.h"
#include "calib/job.h"
#include "calib/news.h"
#include "calib/round.h"
#include "calib/store.h"

#include "base/gsl.h"

#include <omp.h>
#include <stdlib.h>

/* ---- one job ------------------------------------------------------------ */

/* What it has is there. */
static bool job_start(struct job *job)
{
    switch (job->options->mode) {
    case MODE_HYBRID:
        if (job->study->application != NULL)
            return detailed_begin(job);
        return job_profile(job) && hybrid_begin(job) &&
               (job->samples > 0 || hybrid_advance(job));
    case MODE_DETAILED:
        return detailed_begin(job);
    case MODE_MODEL:
        job->done = true;
        if (job->study->application != NULL)
            return application_model(job);
        if (!job_profile(job))
            return false;
        model_results(job, job->out);
    }
    return true;
}

static bool job_begin(struct job *job)
{
    return job_alloc(job) && job_start(job);
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
    bool hybrid = job->options->mode == MODE_HYBRID;
    if (hybrid && job->study->application == NULL)
        return hybrid_advance(job);
    return detailed_advance(job);
}

/* Stopped before any sample: nothing is known, but what was before. */
static void job_stopped(struct job *job)
{
    job->limited = job->done = true;
    if (!job->confirms)
        job_unknown(job);
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
    job->out->seconds = omp_get_wtime() - batch->start;
    if (job->open) {
        job_reset(job);
        return;
    }
    if (job->done && job->told != NULL)
        news_job(batch, job);
    job_free(job);
}

static bool any_failed(const struct batch *b)
{
    for (size_t j = 0; j < b->jobs; j++)
        if (b->job[j].failed)
            return true;
    return false;
}

/* ---- rounds ------------------------------------------------------------- */

static void all_jobs(struct batch *b, bool (*step)(struct job *))
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (size_t j = 0; j < b->jobs; j++)
        job_step(&b->job[j], step, b);
}

static void begin(struct job *job, const struct batch *b)
{
    job_step(job, job_begin, b);
}

static bool run_samples(struct batch *b, struct error *e)
{
    for (size_t tasks; (tasks = round_samples(b)) > 0;) {
        if (!round_run(b, tasks, e))
            return false;
        all_jobs(b, job_advance);
    }
    return true;
}

/* ---- some of many GPUs ----------------------------------------------------
 */

/* An application has run whole. */
static bool is_due(const struct exploration *x, size_t j)
{
    bool whole = x->begun[j] > EFFORT_TOLD &&
                 x->batch->job[j].study->application != NULL;
    return x->effort[j] > x->begun[j] && !whole;
}

static void begin_chosen(const struct exploration *x)
{
    for (size_t j = 0; j < x->batch->jobs; j++) {
        struct job *job = &x->batch->job[j];
        job->open = true;
        job->done = !is_due(x, j);
        if (!job->done && x->effort[j] == EFFORT_CONFIRMED)
            job_confirm(job);
        job->out->carried = job->out->carried && x->effort[j] == EFFORT_TOLD;
        x->begun[j] = x->effort[j];
    }
}

/* Whether one of those chosen was cut short. */
static bool was_limited(const struct exploration *x)
{
    bool limited = false;
    for (size_t j = 0; j < x->batch->jobs; j++)
        limited |= x->begun[j] != EFFORT_TOLD && x->batch->job[j].limited;
    return limited;
}

/* All points will stay now; when some that was to be sampled was not, what it
 * would have told is not what it would be. */
static void end_all(const struct exploration *x, bool limited)
{
    for (size_t j = 0; j < x->batch->jobs; j++) {
        struct job *job = &x->batch->job[j];
        bool told = x->begun[j] == EFFORT_TOLD;
        if (job->failed)
            continue;
        for (size_t i = 0; limited && told && i < job_points(job); i++)
            job->out->result[i].partial = true;
        news_job(x->batch, job);
    }
}

static bool explore(struct batch *b, struct error *e)
{
    struct exploration x;
    const struct calib_options *o = b->options;
    bool limited = false;
    bool ok = exploration_begin(&x, b, e);
    while (ok && !limited && !any_failed(b) && o->choose(o->user, x.effort)) {
        begin_chosen(&x);
        all_jobs(b, job_start);
        ok = run_samples(b, e) && exploration_carry(&x, e);
        limited = was_limited(&x);
    }
    if (ok)
        end_all(&x, limited);
    exploration_free(&x);
    return ok;
}

/* ---- all ------------------------------------------------------------------
 */

static bool run_all(struct batch *b, struct error *e)
{
    if (b->options->mode == MODE_MODEL)
        return designs_run(b, begin, e);
    if (b->options->mode == MODE_HYBRID && b->options->choose != NULL)
        return explore(b, e);
    all_jobs(b, job_begin);
    return run_samples(b, e);
}

static bool run_rounds(struct batch *b, struct error *e)
{
    if (!run_all(b, e))
        return false;
    for (size_t j = 0; j < b->jobs; j++)
        if (b->job[j].failed) {
            if (e != NULL)
                *e = b->job[j].error;
            return false;
        }
    return true;
}

/* ---- the whole call ----------------------------------------------------- */

/* The studies as they are, out[count]. */
static bool run_studies(struct study_result *const *out,
                        const struct study *studies, size_t count,
                        const struct calib_options *options, struct error *e)
{
    struct batch b = {.job = calloc(count, sizeof(*b.job)),
                      .jobs = count,
                      .options = options,
                      .threads = options->threads > 0 ? options->threads
                                                      : omp_get_max_threads(),
                      .start = omp_get_wtime()};
    if (b.job == NULL)
        return error_no_memory(e);
    if (!sample_store_open(&b.store, options, e)) {
        free(b.job);
        return false;
    }
    for (size_t j = 0; j < count; j++)
        job_set(&b.job[j], out[j], &studies[j], options);
    gsl_return_errors();
    bool ok = run_rounds(&b, e);
    for (size_t j = 0; j < count; j++) {
        job_free(&b.job[j]);
        if (!ok)
            study_result_free(out[j]);
    }
    free(b.job);
    sample_store_close(b.store, options->unkept);
    return ok;
}

/* A call whose applications are taken apart: the caller hears of what it asked
 * for. */
struct call {
    const struct calib_options *options;
    struct application_parts parts;
    struct study_result *part;  /* [parts.count] */
    struct study_result **each; /* likewise: the caller's, or of parts */
};

/* Whether a study that was asked for is run as it is. */
static bool is_whole(const struct call *c, size_t study)
{
    return c->parts.split[study].times == NULL;
}

static void on_progress(void *user, int done, int total)
{
    const struct calib_options *o = ((const struct call *)user)->options;
    if (o->progress != NULL)
        o->progress(o->user, done, total);
}

static void on_ended(void *user, size_t study)
{
    const struct call *c = user;
    if (c->options->ended != NULL)
        c->options->ended(c->options->user, c->parts.of[study]);
}

static void on_known(void *user, size_t study, size_t point)
{
    const struct call *c = user;
    size_t i = c->parts.of[study];
    if (is_whole(c, i) && c->options->known != NULL)
        c->options->known(c->options->user, i, point);
}

/* Put studies together that were taken apart, and tell of their points. */
static bool join(const struct call *c, struct study_result *out,
                 struct error *e)
{
    const struct calib_options *o = c->options;
    for (size_t i = 0; i < c->parts.wholes; i++) {
        const struct study *s = &c->parts.whole[i];
        size_t points = study_point(s, s->tb_count, 0);
        if (is_whole(c, i))
            continue;
        if (!application_parts_join(&out[i], &c->parts, i, c->part, e))
            return false;
        for (size_t at = 0; o->known != NULL && at < points; at++)
            o->known(o->user, i, at);
    }
    return true;
}

static bool run_call(struct call *c, struct study_result *out, struct error *e)
{
    struct calib_options o = *c->options;
    size_t count = c->parts.count;
    c->part = calloc(count, sizeof(*c->part));
    c->each = calloc(count, sizeof(struct study_result *));
    if (c->part == NULL || c->each == NULL)
        return error_no_memory(e);
    for (size_t k = 0; k < count; k++) {
        size_t i = c->parts.of[k];
        c->each[k] = is_whole(c, i) ? &out[i] : &c->part[k];
        out[i] = (struct study_result){.result = NULL};
    }
    o.user = c;
    o.progress = on_progress;
    o.ended = on_ended;
    o.known = on_known;
    bool ok = run_studies(c->each, c->parts.study, count,
                          c->parts.apart ? &o : c->options, e) &&
              join(c, out, e);
    for (size_t k = 0; k < count; k++)
        study_result_free(&c->part[k]);
    for (size_t i = 0; !ok && i < c->parts.wholes; i++)
        study_result_free(&out[i]);
    return ok;
}

bool calib_studies(struct study_result *out, const struct study *studies,
                   size_t count, const struct calib_options *options,
                   struct error *e)
{
    struct call c = {.options = options};
    bool ok = application_parts_of(&c.parts, studies, count, options, e) &&
              run_call(&c, out, e);
    free(c.part);
    free(c.each);
    application_parts_free(&c.parts);
    return ok;
}

bool calib_study(struct study_result *out, const struct study *study,
                 const struct calib_options *options, struct error *e)
{
    return calib_studies(out, study, 1, options, e);
}
