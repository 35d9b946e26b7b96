/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sampler.h"

#include "sampler/clock.h"
#include "sampler/counts.h"
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

/* Run all kernels on a machine whose gpu, policies, options, oracle and error
 * are set, and free it. */
static bool run(struct sampler_run *out, struct machine *m,
                struct kernel *const *kernels, int count, double deadline)
{
    bool partial = false;
    *out = (struct sampler_run){0};
    bool ok = machine_init(m, kernels, count) &&
              run_kernels(m, kernels, count, deadline, &partial);
    if (ok) {
        counts_collect(out, m, partial);
        out->search = dispatch_search(&m->dispatch);
    }
    machine_free(m);
    return ok;
}

/* Whether the first of two passes goes on. */
static bool first_pass_goes_on(void *user, uint64_t cycle, uint64_t insts)
{
    const struct sampler_options *o = user;
    (void)cycle;
    return insts < o->first_pass;
}

/* A first run under lrr, of which the caller hears nothing, then the run. */
static bool run_twice(struct sampler_run *out, const struct machine *m,
                      struct kernel *const *kernels, int count, double deadline)
{
    struct oracle oracle;
    struct policy_set under_lrr = *m->policies;
    under_lrr.warp.warp = &warp_lrr;
    struct sampler_options unheard = *m->options;
    unheard.block_done = NULL;
    unheard.progress = m->options->first_pass > 0 ? first_pass_goes_on : NULL;
    unheard.progress_period = m->options->first_pass;
    unheard.user = &unheard;
    unheard.moment = NULL;
    unheard.interval = NULL;
    unheard.watch = NULL;
    unheard.warp_done = NULL;
    unheard.line = NULL;
    unheard.explain = NULL;
    struct machine first = *m, second = *m;
    first.policies = &under_lrr;
    first.options = &unheard;
    first.oracle = second.oracle = &oracle;
    bool ok = oracle_init(&oracle, kernels, count, m->options) ||
              error_no_memory(m->error);
    ok = ok && run(out, &first, kernels, count, deadline);
    oracle.recording = false;
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
    struct machine m = {
        .gpu = job->gpu, .policies = &set, .options = o, .error = e};
    double deadline = clock_seconds() + o->time_limit_s;
    return p->two_pass ? run_twice(out, &m, job->kernel, job->kernels, deadline)
                       : run(out, &m, job->kernel, job->kernels, deadline);
}
