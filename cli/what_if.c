/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/what_if.h"

#include "cli/gain.h"
#include "cli/interrupt.h"
#include "cli/what_if_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Warp instructions that each change may spend on samples where --budget does
 * not say: twenty to forty changes stay within some seconds on two cores. */
#define WHAT_IF_INSTS 400000

static struct estimate_options options_of(const struct options *o,
                                          enum estimate_mode mode)
{
    struct estimate_options run = o->run;
    run.mode = mode;
    run.threads = (int)o->threads;
    run.use_cache = !o->no_cache;
    run.cancel = interrupt_flag();
    return run;
}

/* Applications are not sampled: every change of one would be run in full
 * detail. */
static enum estimate_mode mode_of(const struct options *o, const struct plan *p)
{
    bool application = estimate_kernel_info(p->at[0].kernel)->application;
    return application || o->run.mode == ESTIMATE_MODEL ? ESTIMATE_MODEL
                                                        : ESTIMATE_HYBRID;
}

static const struct estimate_kernel *kernel_of(const struct what_if *w,
                                               const struct plan *p)
{
    return w->input != NULL ? estimate_input_kernel(w->input, 0)
                            : p->at[0].kernel;
}

static const struct estimate_gpu *gpu_of(const struct what_if *w,
                                         const struct plan *p)
{
    return w->gpu != NULL ? w->gpu : p->at[0].variant->gpu;
}

/* ---- launches and GPUs --------------------------------------------------- */

/* Case 0 is the point, under the same budget as its changes, so that what
 * samples miss of all of them cancels; the changes follow in order. */
static struct estimate_study *study_of(const struct what_if_list *l,
                                       const struct plan *p,
                                       struct estimate_error *e)
{
    const struct plan_case *c = &p->at[0];
    const struct chosen *set = &p->policies.set[0];
    const struct estimate_policies policies = {set->sched, set->tb_sched,
                                               set->l1_policy};
    struct estimate_study *s = estimate_study_create(NULL, &policies, 1, e);
    bool ok = s != NULL &&
              estimate_study_add(s, c->kernel, c->variant->gpu, c->tb, 1, e);
    for (size_t i = 0; ok && i < l->count; i++)
        if (l->item[i].sched == NULL)
            ok = estimate_study_add(s, kernel_of(&l->item[i], p),
                                    gpu_of(&l->item[i], p), &l->item[i].tb, 1,
                                    e);
    if (ok)
        return s;
    estimate_study_free(s);
    return NULL;
}

/* Nine in ten changes were foreseen to within so much of the log of their time:
 * a share of what is foreseen, and what each kind is wrong by at least, sampled
 * and by the model alone. Measured: make explain, on the 270 changes of its
 * development half (2026-11-22). */
#define WRONG_SHARE 0.5
static const struct {
    double sampled, model;
} wrong_at_least[CHANGE_KINDS] = {
    [CHANGE_SERVICE] = {0.015, 0.015},   [CHANGE_TRAFFIC] = {0.031, 0.030},
    [CHANGE_EXTENT] = {0.101, 0.045},    [CHANGE_LAUNCH] = {0.026, 0.057},
    [CHANGE_SCHEDULER] = {0.056, 0.034},
};

static double wrong_by(const struct what_if *w, double ratio, bool sampled)
{
    double least = sampled ? wrong_at_least[w->kind].sampled
                           : wrong_at_least[w->kind].model;
    return least + WRONG_SHARE * fabs(log(ratio));
}

/* Of times, since clocks may differ. */
static void set_difference(struct what_if *w, const struct estimate_point *to,
                           const struct estimate_point *from, bool sampled)
{
    double ratio = to->time_us / from->time_us;
    double most = wrong_by(w, ratio, sampled);
    double up = hypot(log(to->cycles_hi / to->cycles),
                      log(from->cycles / from->cycles_lo));
    double down = hypot(log(to->cycles / to->cycles_lo),
                        log(from->cycles_hi / from->cycles));
    if (to->partial || from->partial)
        return;
    up = fmin(up, most);
    down = fmin(down, most);
    w->pct = 100 * (ratio - 1);
    w->lo = 100 * (ratio * exp(-down) - 1);
    w->hi = 100 * (ratio * exp(up) - 1);
}

static bool run_changes(struct what_if_list *l, const struct plan *p,
                        const struct options *o, struct estimate_error *e)
{
    struct estimate_options run = options_of(o, mode_of(o, p));
    struct estimate_study *s = study_of(l, p, e);
    size_t at = 1;
    if (s == NULL)
        return false;
    if (run.budget_insts == 0)
        run.budget_insts = WHAT_IF_INSTS;
    struct estimate_results *r = estimate_run(s, &run, e);
    for (size_t i = 0; r != NULL && i < l->count; i++)
        if (l->item[i].sched == NULL)
            set_difference(&l->item[i], estimate_result(r, at++, 0, 0),
                           estimate_result(r, 0, 0, 0),
                           run.mode != ESTIMATE_MODEL);
    estimate_results_free(r);
    estimate_study_free(s);
    return r != NULL;
}

/* ---- schedulers ---------------------------------------------------------- */

/* The plan's scheduler, then those of the list. */
static struct estimate_study *sched_study(const struct what_if_list *l,
                                          const struct plan *p,
                                          struct estimate_error *e)
{
    const struct plan_case *c = &p->at[0];
    const struct chosen *set = &p->policies.set[0];
    struct estimate_policies *policies =
        calloc(l->count + 1, sizeof(*policies));
    if (policies == NULL) {
        fail_no_memory(e);
        return NULL;
    }
    policies[0] =
        (struct estimate_policies){set->sched, set->tb_sched, set->l1_policy};
    size_t count = 1;
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].sched != NULL)
            policies[count++] = (struct estimate_policies){l->item[i].sched,
                                                           set->tb_sched, NULL};
    struct estimate_study *s = estimate_study_create(NULL, policies, count, e);
    free(policies);
    if (s != NULL &&
        estimate_study_add(s, c->kernel, c->variant->gpu, c->tb, 1, e))
        return s;
    estimate_study_free(s);
    return NULL;
}

/* A scheduler of which no sample was run differs by what the model does not
 * know: nothing is said of it. */
static void drop_untold(struct what_if_list *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        if (!l->item[i].untold)
            l->item[n++] = l->item[i];
    l->count = n;
}

static void set_paired(struct what_if *w, const struct estimate_delta *d,
                       bool sampled)
{
    double ratio = 1 + d->pct / 100, most = wrong_by(w, ratio, sampled);
    w->pct = d->pct;
    w->lo = fmax(d->lo, 100 * (ratio * exp(-most) - 1));
    w->hi = fmin(d->hi, 100 * (ratio * exp(most) - 1));
}

static bool run_schedulers(struct what_if_list *l, const struct plan *p,
                           const struct options *o, struct estimate_error *e)
{
    struct estimate_options run = options_of(o, mode_of(o, p));
    size_t at = 1;
    struct estimate_study *s = sched_study(l, p, e);
    if (s == NULL)
        return false;
    if (run.budget_insts == 0)
        run.budget_insts = WHAT_IF_INSTS;
    struct estimate_results *r = estimate_run(s, &run, e);
    for (size_t i = 0; r != NULL && i < l->count; i++) {
        struct what_if *w = &l->item[i];
        if (w->sched == NULL)
            continue;
        const struct estimate_point *to = estimate_result(r, 0, 0, at++);
        w->untold = run.mode == ESTIMATE_HYBRID && !to->sampled;
        set_paired(w, &to->delta, run.mode != ESTIMATE_MODEL);
    }
    drop_untold(l);
    estimate_results_free(r);
    estimate_study_free(s);
    return r != NULL;
}

/* ---- in full detail ------------------------------------------------------ */

bool what_if_detail(double *us, const struct what_if *w, const struct plan *p,
                    const struct options *o, struct estimate_error *e)
{
    const struct chosen *set = &p->policies.set[0];
    const struct what_if same = {.tb = p->at[0].tb[0]};
    w = w != NULL ? w : &same;
    const struct estimate_policies policies = {
        w->sched != NULL ? w->sched : set->sched, set->tb_sched,
        w->sched != NULL ? NULL : set->l1_policy};
    const struct estimate_options run = options_of(o, ESTIMATE_DETAILED);
    struct estimate_study *s = estimate_study_create(NULL, &policies, 1, e);
    bool ok = s != NULL && estimate_study_add(s, kernel_of(w, p), gpu_of(w, p),
                                              &w->tb, 1, e);
    struct estimate_results *r = ok ? estimate_run(s, &run, e) : NULL;
    if (r != NULL) {
        const struct estimate_point *point = estimate_result(r, 0, 0, 0);
        *us = point->partial ? NAN : point->time_us;
    }
    estimate_results_free(r);
    estimate_study_free(s);
    return r != NULL;
}

static bool confirm_first(struct what_if_list *l, size_t count,
                          const struct plan *p, const struct options *o,
                          struct estimate_error *e)
{
    double before, after;
    if (count == 0)
        return true;
    if (!what_if_detail(&before, NULL, p, o, e))
        return false;
    for (size_t i = 0; i < count && i < l->count; i++) {
        if (!what_if_detail(&after, &l->item[i], p, o, e))
            return false;
        l->item[i].confirmed = 100 * (after / before - 1);
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------- */

/* What is not known comes last. */
static int by_gain(const void *a, const void *b)
{
    const struct what_if *x = a, *y = b;
    if (isnan(x->pct) != isnan(y->pct))
        return isnan(x->pct) - isnan(y->pct);
    if (x->pct != y->pct && !isnan(x->pct))
        return (x->pct > y->pct) - (x->pct < y->pct);
    return strcmp(x->change, y->change);
}

bool what_if_estimate(struct what_if_list *l, const struct plan *p,
                      const struct options *o, struct estimate_error *e)
{
    return run_changes(l, p, o, e) && run_schedulers(l, p, o, e);
}

bool what_if_run(struct what_if_list *out, const struct plan *p,
                 const struct options *o, size_t confirm,
                 struct estimate_error *e)
{
    if (!what_if_collect(out, p, o, e) || !what_if_estimate(out, p, o, e))
        return false;
    for (size_t i = 0; i < out->count; i++)
        out->item[i].tie = is_tie(out->item[i].lo, out->item[i].hi);
    qsort(out->item, out->count, sizeof(*out->item), by_gain);
    return confirm_first(out, confirm, p, o, e);
}

void what_if_free(struct what_if_list *l)
{
    for (size_t i = 0; l->item != NULL && i < l->count; i++) {
        estimate_input_free(l->item[i].input);
        estimate_gpu_free(l->item[i].gpu);
    }
    free(l->item);
}
