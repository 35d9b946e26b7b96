/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sampler.h"

#include "sampler/clock.h"
#include "sampler/counts.h"
#include "sampler/learned.h"
#include "sampler/machine.h"
#include "sampler/policy/check.h"
#include "sampler/policy/warp/table.h"

static bool run_kernels(struct machine *m, struct kernel *const *kernels,
                        int count, double deadline, bool *partial)
{
    const struct sampler_options *o = m->options;
    for (int i = 0; i < count && !*partial && !m->stopped; i++) {
        if (!machine_start_kernel(m, kernels[i], i) ||
            !clock_run_kernel(m, deadline, partial) ||
            !kernel_streams_check(kernels[i], m->error))
            return false;
        if (!*partial && !m->stopped && !machine_end_kernel(m))
            return false;
        if (o->explain != NULL)
            dispatch_explain(&m->dispatch, o->explain);
    }
    return true;
}

/* The options of a run of which the caller hears nothing. */
static struct sampler_options unheard(const struct sampler_options *o)
{
    struct sampler_options out = *o;
    out.block_done = NULL;
    out.progress = NULL;
    out.moment = NULL;
    out.interval = NULL;
    out.watch = NULL;
    out.warp_done = NULL;
    out.line = NULL;
    out.explain = NULL;
    out.learned = NULL;
    return out;
}

/* A run that was stopped goes on to where a first pass ends. */
static bool end_recording(struct machine *m, double deadline)
{
    const struct sampler_options *heard = m->options;
    const struct sampler_options o = unheard(heard);
    bool partial = false;
    m->options = &o;
    timeline_free(&m->timeline);
    m->timeline = (struct timeline){.next = UINT64_MAX};
    m->next_interval = UINT64_MAX;
    m->stopped = false;
    bool ok = clock_run_kernel(m, deadline, &partial);
    m->oracle->complete |= ok && !partial;
    m->options = heard;
    return ok;
}

static void begin_learned(const struct machine *m)
{
    const struct learned *l = m->options->learned;
    for (int i = 0; l != NULL && i < m->sms; i++)
        learned_give(l, &m->sm[i].l1.tags);
}

static bool keep_learned(const struct machine *m)
{
    struct learned *l = m->options->learned;
    return l == NULL || l->bytes != NULL || !policies_learn(m->policies) ||
           learned_take(l, &m->sm[0].l1.tags) || error_no_memory(m->error);
}

/* Run all kernels on a machine whose gpu, policies, options, oracle and error
 * are set, and free it. */
static bool run(struct sampler_run *out, struct machine *m,
                struct kernel *const *kernels, int count, double deadline)
{
    bool partial = false;
    *out = (struct sampler_run){0};
    bool ok = machine_init(m, kernels, count);
    if (ok)
        begin_learned(m);
    ok = ok && run_kernels(m, kernels, count, deadline, &partial) &&
         keep_learned(m);
    if (ok) {
        counts_collect(out, m, partial);
        out->search = dispatch_search(&m->dispatch);
    }
    if (ok && !partial && m->oracle != NULL && m->oracle->recording)
        ok = end_recording(m, deadline);
    if (m->oracle != NULL)
        m->oracle->recording = false;
    machine_free(m);
    return ok;
}

/* A first run under lrr, of which the caller hears nothing, then the run. */
static bool run_twice(struct sampler_run *out, const struct machine *m,
                      struct kernel *const *kernels, int count, double deadline)
{
    struct oracle oracle;
    struct policy_set under_lrr = *m->policies;
    under_lrr.warp.warp = &warp_lrr;
    struct sampler_options options = unheard(m->options);
    struct machine first = *m, second = *m;
    first.policies = &under_lrr;
    first.options = &options;
    first.oracle = second.oracle = &oracle;
    bool ok = oracle_init(&oracle, kernels, count, m->options) ||
              error_no_memory(m->error);
    ok = ok && run(out, &first, kernels, count, deadline);
    ok = ok && run(out, &second, kernels, count, deadline);
    oracle_free(&oracle);
    return ok;
}

bool sampler_simulate(struct sampler_run *out, const struct sampler_job *job,
                      struct error *e)
{
    static const struct sampler_options none;
    const struct sampler_options *o =
        job->options != NULL ? job->options : &none;
    struct policy_set set = *job->policies;
    const struct warp_policy *p = set.warp.warp;
    if (!policy_set_check(&set, e))
        return false;
    if (p->l1 != NULL && p->l1 != set.l1.cache)
        set.l1 = choice_of(&p->l1->info);
    bool known = o->oracle != NULL && o->oracle->complete;
    struct machine m = {.gpu = job->gpu,
                        .policies = &set,
                        .options = o,
                        .oracle = p->two_pass && !known ? NULL : o->oracle,
                        .error = e};
    double deadline = clock_seconds() + o->time_limit_s;
    if (o->oracle != NULL && !p->two_pass &&
        !oracle_init(o->oracle, job->kernel, job->kernels, o))
        return error_no_memory(e);
    return p->two_pass && !known
               ? run_twice(out, &m, job->kernel, job->kernels, deadline)
               : run(out, &m, job->kernel, job->kernels, deadline);
}
