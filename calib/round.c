/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/round.h"

#include "calib/news.h"
#include "calib/store.h"
#include "kernels/form/kernel.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* A planned sample of some job. */
struct planned {
    struct job *job;
    size_t index;
    uint64_t key; /* in the store */
    double cost;
};

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

static void request_of(struct sample_request *out, const struct job *job,
                       const struct sample *s)
{
    const struct study *study = job->study;
    *out = (struct sample_request){
        .kernel = (struct kernel *const *)&study->kernel,
        .kernels = 1,
        .gpu = study->gpu,
        .policies = &study->policies[s->policy_index],
        .tb = s->tb,
        .max_cycles = job->options->max_cycles,
        .cancel = job->options->cancel};
    if (study->application != NULL) {
        out->kernel = study->application->kernel;
        out->kernels = study->application->count;
    }
}

static bool cancelled(const struct calib_options *o)
{
    return o->cancel != NULL && *o->cancel != 0;
}

static void run_planned(struct batch *b, const struct planned *t)
{
    struct job *job = t->job;
    struct sample *s = &job->sample[t->index];
    struct sample_request request;
    struct error e;
    double start = omp_get_wtime();
    request_of(&request, job, s);
    if (!cancelled(b->options) && time_left(b, &request.time_limit_s) &&
        !run_explained(job, s, &request, &e) && e.status != STATUS_STOPPED) {
#pragma omp critical(calib_failure)
        {
            job->failed = true;
            job->error = e;
        }
    }
    if (s->done && !s->partial)
        sample_store_keep(b->store, t->key, s, omp_get_wtime() - start);
    news_sample(b, job, s);
}

/* The longest first, so that threads end together. */
static int by_cost(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;
    return (x->cost < y->cost) - (x->cost > y->cost);
}

size_t round_samples(const struct batch *b)
{
    size_t n = 0;
    for (size_t j = 0; j < b->jobs; j++) {
        const struct job *job = &b->job[j];
        if (!job->done && !job->failed)
            n += job->samples - job->ran;
    }
    return n;
}

/* Whether the sample is to be run, which it is not when it was kept. What a
 * thread-block scheduler says of its run is not. */
static bool is_missing(const struct batch *b, const struct planned *t)
{
    struct sample *s = &t->job->sample[t->index];
    return t->job->out->account != NULL ||
           !sample_store_find(b->store, t->key, b->options->max_cycles, s);
}

static struct planned plan_of(struct job *job, size_t index)
{
    const struct sample *s = &job->sample[index];
    struct sample_request request;
    request_of(&request, job, s);
    return (struct planned){job, index, sample_key(s, &request, job->options),
                            window_cost(&s->window, &job->grid)};
}

/* Those to be run; returns their number. */
static size_t collect(const struct batch *b, struct planned *out)
{
    size_t n = 0;
    for (size_t j = 0; j < b->jobs; j++) {
        struct job *job = &b->job[j];
        if (job->done || job->failed)
            continue;
        for (size_t i = job->ran; i < job->samples; i++) {
            out[n] = plan_of(job, i);
            n += is_missing(b, &out[n]);
        }
    }
    return n;
}

bool round_run(struct batch *b, size_t samples, struct error *e)
{
    struct planned *planned = calloc(samples, sizeof(*planned));
    if (planned == NULL)
        return error_no_memory(e);
    samples = collect(b, planned);
    qsort(planned, samples, sizeof(*planned), by_cost);
    b->total += (int)samples;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (size_t i = 0; i < samples; i++)
        run_planned(b, &planned[i]);
    free(planned);
    return true;
}
