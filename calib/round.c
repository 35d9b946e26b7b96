/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/round.h"

#include "calib/news.h"
#include "calib/store.h"
#include "calib/streams.h"
#include "kernels/form/kernel.h"
#include "sampler/acting.h"
#include "sampler/oracle.h"
#include "sampler/warmed.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* The planned samples of a kernel. They are run one after another, so that what
 * they share is kept of few kernels at a time. */
struct readers {
    double cost;
    size_t left;             /* samples that have not run */
    struct streams *streams; /* NULL: each makes its own */
    struct warmed *warmed;   /* likewise */
};

/* A planned sample of some job. */
struct planned {
    struct job *job;
    size_t index;
    uint64_t key; /* in the store */
    double cost;
    struct readers *readers;
    struct planned *same;   /* list of those of its job that get its outcome */
    struct planned *base;   /* the one under its policy's base, which gets it
                             * where they did not depart and is run where they
                             * did; NULL: none */
    struct planned *second; /* the one of a policy of two passes, the first of
                             * which this one's run is; NULL: none */
    bool waits;             /* is such a one */
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

/* Of a block of any of its kernels. */
static uint32_t most_warps(const struct sample_request *r)
{
    uint32_t most = 0;
    for (size_t i = 0; i < r->kernels; i++)
        if (r->kernel[i]->warps_per_block > most)
            most = r->kernel[i]->warps_per_block;
    return most;
}

static void set_acting(struct sample_request *r, const struct policy_set *p)
{
    r->policies = policies_acting(p, r->gpu, r->tb, most_warps(r));
}

/* Its block count and its policies are those as which the study's act here. */
static void request_of(struct sample_request *out, const struct job *job,
                       const struct sample *s)
{
    const struct study *study = job->study;
    const struct policy_set *p = &study->policies[s->policy_index];
    *out = (struct sample_request){
        .kernel = (struct kernel *const *)&study->kernel,
        .kernels = 1,
        .before = study->before,
        .befores = study->befores,
        .before_share = 1,
        .gpu = study->gpu,
        .tb = policies_block_limit(p, study->gpu, s->tb, study->kernel->blocks),
        .max_cycles = job->options->max_cycles,
        .cancel = job->options->cancel};
    if (study->application != NULL) {
        out->kernel = study->application->kernel;
        out->kernels = study->application->count;
        out->tb = s->tb;
    }
    set_acting(out, p);
}

/* Turn it into that of the same sample under another policy; false where there
 * is none. */
static bool turn_to(struct sample_request *r,
                    bool (*other)(struct policy_set *))
{
    struct policy_set set = r->policies;
    if (!other(&set))
        return false;
    set_acting(r, &set);
    return true;
}

/* ---- what samples of a kernel share -------------------------------------- */

/* And by what runs with it, or before it. */
static int by_kernel(const void *a, const void *b)
{
    const struct study *x = ((const struct planned *)a)->job->study;
    const struct study *y = ((const struct planned *)b)->job->study;
    const uintptr_t p[] = {(uintptr_t)x->kernel, (uintptr_t)x->application,
                           (uintptr_t)x->before};
    const uintptr_t q[] = {(uintptr_t)y->kernel, (uintptr_t)y->application,
                           (uintptr_t)y->before};
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

/* A first pass asks how long streams are. */
static bool has_two_passes(const struct planned *t)
{
    struct sample_request request;
    request_of(&request, t->job, &t->job->sample[t->index]);
    return t->second != NULL || policies_turn_to_first_pass(&request.policies);
}

/* False without memory; stop_sharing() is due in either case. */
static bool share(struct readers *r, const struct kernel *k)
{
    r->streams = streams_create(k);
    r->warmed = warmed_create(k);
    return r->streams != NULL && r->warmed != NULL;
}

static void stop_sharing(struct readers *r)
{
    streams_free(r->streams);
    warmed_free(r->warmed);
    r->streams = NULL;
    r->warmed = NULL;
}

/* Set the readers of each sample, in `out`, which has room for one a sample and
 * is all zero. False without memory. */
static bool share_by_kernel(struct readers *out, struct planned *planned,
                            size_t samples)
{
    struct readers *r = out;
    qsort(planned, samples, sizeof(*planned), by_kernel);
    for (size_t i = 0; i < samples; i++) {
        const struct study *s = planned[i].job->study;
        if (i > 0 && by_kernel(&planned[i - 1], &planned[i]) != 0)
            r++;
        r->cost += planned[i].cost;
        planned[i].readers = r;
        bool shares = ++r->left >= 2 || has_two_passes(&planned[i]);
        if (shares && r->streams == NULL && s->application == NULL &&
            !share(r, s->kernel))
            return false;
    }
    return true;
}

/* What they run in place of their study's kernel; NULL: that one. */
static const struct kernel *kernel_of(const struct readers *r)
{
    return r->streams != NULL ? streams_kernel(r->streams) : NULL;
}

/* One of them has run. */
static void leave(struct readers *r)
{
    size_t left;
#pragma omp atomic capture
    left = --r->left;
    if (left == 0)
        stop_sharing(r);
}

/* ---- samples ------------------------------------------------------------- */

static bool cancelled(const struct calib_options *o)
{
    return o->cancel != NULL && *o->cancel != 0;
}

/* The outcome of another run. */
static void give(const struct planned *to, const struct sample *outcome)
{
    struct sample *s = &to->job->sample[to->index];
    const struct sample own = *s;
    *s = *outcome;
    s->policy_index = own.policy_index;
    s->tb = own.tb;
    s->tb_index = own.tb_index;
    s->window = own.window;
}

/* Tell of a sample that has run, and of those that have its outcome, too. */
static void pass_on(struct batch *b, const struct planned *t)
{
    const struct sample *s = &t->job->sample[t->index];
    news_sample(b, t->job, s);
    for (const struct planned *p = t->same; p != NULL; p = p->same) {
        give(p, s);
        news_sample(b, p->job, &p->job->sample[p->index]);
    }
}

static void keep(struct batch *b, const struct planned *t, double seconds)
{
    const struct sample *s = &t->job->sample[t->index];
    if (s->done && !s->partial)
        sample_store_keep(b->store, t->key, s, seconds);
    pass_on(b, t);
}

/* The oracles as in sample_request; NULL: none. */
static void run_planned(struct batch *b, const struct planned *t,
                        const struct readers *r, struct oracle *oracle)
{
    struct job *job = t->job;
    struct sample *s = &job->sample[t->index];
    struct sample_request request;
    struct error e;
    double start = omp_get_wtime();
    const struct kernel *kernel = kernel_of(r);
    request_of(&request, job, s);
    request.oracle = oracle;
    if (kernel != NULL)
        request.kernel = (struct kernel *const *)&kernel;
    request.warmed = r->warmed;
    if (!cancelled(b->options) && time_left(b, &request.time_limit_s) &&
        !run_explained(job, s, &request, &e) && e.status != STATUS_STOPPED) {
#pragma omp critical(calib_failure)
        {
            job->failed = true;
            job->error = e;
        }
    }
    keep(b, t, omp_get_wtime() - start);
}

/* A sample, and the one under its policy's base. */
static void run_with_base(struct batch *b, const struct planned *t)
{
    const struct sample *s = &t->job->sample[t->index];
    run_planned(b, t, t->readers, NULL);
    if (t->base != NULL && s->done && !s->partial && !s->departed) {
        give(t->base, s);
        keep(b, t->base, 0);
    } else if (t->base != NULL) {
        run_planned(b, t->base, t->readers, NULL);
    }
}

/* A sample that is the first pass of another one, and that. */
static void run_with_second(struct batch *b, const struct planned *t)
{
    struct oracle oracle[SAMPLE_ORACLES] = {{.complete = false}};
    run_planned(b, t, t->readers, oracle);
    run_planned(b, t->second, t->readers, oracle);
    for (int i = 0; i < SAMPLE_ORACLES; i++)
        oracle_free(&oracle[i]);
}

static void run_with_others(struct batch *b, const struct planned *t)
{
    if (t->second != NULL)
        run_with_second(b, t);
    else
        run_with_base(b, t);
    leave(t->readers);
}

/* Those that begin at one place side by side: they share how they find it. */
static int by_place(const struct planned *x, const struct planned *y)
{
    const struct sample *a = &x->job->sample[x->index];
    const struct sample *b = &y->job->sample[y->index];
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (a->tb != b->tb)
        return a->tb < b->tb ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The longest first, kernels and of a kernel samples, so that threads end
 * together. */
static int by_cost(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;
    if (x->readers->cost != y->readers->cost)
        return x->readers->cost < y->readers->cost ? 1 : -1;
    if (x->readers != y->readers)
        return x->readers < y->readers ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return by_place(x, y);
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
    return (struct planned){.job = job,
                            .index = index,
                            .key = sample_key(s, &request, job->options),
                            .cost = window_cost(&s->window, &job->grid)};
}

/* The one of a job's planned samples whose run is the same as t's. Accounts are
 * of one point each. */
static struct planned *same_run(struct planned *of_job, size_t count,
                                const struct planned *t)
{
    for (size_t i = 0; i < count && t->job->out->account == NULL; i++)
        if (of_job[i].key == t->key)
            return &of_job[i];
    return NULL;
}

/* A job's samples, different ones first; the others behind `*last`, downwards,
 * where they may get an outcome. Returns the number of the first. */
static size_t collect_job(struct batch *b, struct job *job, struct planned *out,
                          struct planned **last)
{
    size_t n = 0;
    for (size_t i = job->ran; i < job->samples; i++) {
        struct planned t = plan_of(job, i);
        if (!is_missing(b, &t))
            continue;
        b->total++;
        struct planned *first = same_run(out, n, &t);
        if (first == NULL) {
            out[n++] = t;
            continue;
        }
        t.same = first->same;
        first->same = *last;
        *(*last)-- = t;
    }
    return n;
}

/* The planned sample like t under another policy; NULL: none. */
static struct planned *under_other(struct planned *of_job, size_t count,
                                   const struct planned *t,
                                   bool (*other)(struct policy_set *))
{
    const struct sample *s = &t->job->sample[t->index];
    struct sample_request request;
    request_of(&request, t->job, s);
    if (!turn_to(&request, other))
        return NULL;
    const struct planned wanted = {
        .job = t->job, .key = sample_key(s, &request, t->job->options)};
    return same_run(of_job, count, &wanted);
}

/* Move it to those that may get an outcome. */
static struct planned *let_wait(struct planned *t, struct planned **last)
{
    t->waits = true;
    **last = *t;
    return (*last)--;
}

static bool has_others(const struct planned *t)
{
    return t->waits || t->base != NULL || t->second != NULL;
}

/* The sample under the base of t's policy waits for t, and t for the one that
 * is its first pass. */
static void pair(struct planned *of_job, size_t count, struct planned *t,
                 struct planned **last)
{
    if (has_others(t))
        return;
    struct planned *base = under_other(of_job, count, t, policies_turn_to_base);
    struct planned *first =
        under_other(of_job, count, t, policies_turn_to_first_pass);
    if (base != NULL && !has_others(base))
        t->base = let_wait(base, last);
    else if (first != NULL && !has_others(first))
        first->second = let_wait(t, last);
}

/* Samples that wait for others stand among those that may get an outcome; none
 * of them for one that waits itself. Returns how many others there are. */
static size_t set_waiting(struct planned *of_job, size_t count,
                          struct planned **last)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        pair(of_job, count, &of_job[i], last);
    for (size_t i = 0; i < count; i++)
        if (!of_job[i].waits)
            of_job[left++] = of_job[i];
    return left;
}

/* Those to be run stand first in `out`; returns their number. Those that get an
 * outcome from them stand from `last` on, downwards. */
static size_t collect(struct batch *b, struct planned *out,
                      struct planned *last)
{
    size_t n = 0;
    for (size_t j = 0; j < b->jobs; j++) {
        struct job *job = &b->job[j];
        if (job->done || job->failed)
            continue;
        size_t of_job = collect_job(b, job, out + n, &last);
        n += set_waiting(out + n, of_job, &last);
    }
    return n;
}

static void run_in_parallel(struct batch *b, struct planned *planned,
                            size_t samples)
{
    qsort(planned, samples, sizeof(*planned), by_cost);
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (size_t i = 0; i < samples; i++)
        run_with_others(b, &planned[i]);
}

bool round_run(struct batch *b, size_t samples, struct error *e)
{
    struct planned *planned = calloc(samples, 2 * sizeof(*planned));
    struct readers *readers = calloc(samples, sizeof(*readers));
    bool ok = planned != NULL && readers != NULL;
    if (ok) {
        size_t missing = collect(b, planned, planned + 2 * samples - 1);
        ok = share_by_kernel(readers, planned, missing);
        if (ok)
            run_in_parallel(b, planned, missing);
    }
    for (size_t i = 0; readers != NULL && i < samples; i++)
        stop_sharing(&readers[i]);
    free(readers);
    free(planned);
    return ok || error_no_memory(e);
}
