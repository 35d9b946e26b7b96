/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/plan.h"

#include "calib/constants.h"
#include "calib/point.h"
#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

/* ---- the first block counts --------------------------------------------- */

struct first_counts {
    int tb[MAX_FIRST]; /* indices, the most needed first */
    int count;
};

/* The index of the block count nearest to the middle in log(tb). */
static int middle(const struct study *study)
{
    double want = sqrt((double)study->tb[0] * study->tb[study->tb_count - 1]);
    int best = 0;
    for (int i = 1; i < study->tb_count; i++)
        if (fabs(log(study->tb[i] / want)) < fabs(log(study->tb[best] / want)))
            best = i;
    return best;
}

static void add_first(struct first_counts *f, int tb)
{
    for (int i = 0; i < f->count; i++)
        if (f->tb[i] == tb)
            return;
    if (f->count < MAX_FIRST)
        f->tb[f->count++] = tb;
}

static void choose_first(struct first_counts *f, const struct job *job)
{
    const struct study *study = job->study;
    *f = (struct first_counts){0};
    add_first(f, study->tb_count - 1);
    add_first(f, 0);
    add_first(f, middle(study));
    for (int i = study->tb_count - 1; i >= 0; i--)
        if (window_few_waves(&job->grid, study->tb[i]))
            add_first(f, i);
}

/* ---- budget ------------------------------------------------------------- */

static bool is_pilot(const struct job *job, const struct sample *s)
{
    return s->policy_index == 0 && job->sampling[s->tb_index] == SAMPLING_PILOT;
}

/* Warp instructions spent and promised: what ran, what is planned, and the
 * other policies of block counts whose pilot is. */
static double committed(const struct job *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->samples; i++) {
        const struct sample *s = &job->sample[i];
        double cost =
            i < job->ran ? s->insts : window_cost(&s->window, &job->grid);
        sum += is_pilot(job, s) ? cost * job->study->policy_count : cost;
    }
    return sum;
}

static bool affordable(const struct job *job, double cost)
{
    return committed(job) + cost <= job->allowance;
}

/* What each sample of the first round may take. */
static double first_cap(const struct job *job, int counts)
{
    return FIRST_SHARE * job->budget / (counts * job->study->policy_count);
}

static void plan_slice(struct window *w, const struct job *job, int tb)
{
    int blocks = job->study->tb[tb];
    int sms = window_sms(&job->grid, blocks, job->cap_insts);
    window_plan(w, &job->grid, sms, blocks, job->cap_insts);
}

/* The budget; a default one too small for the shortest samples of the first
 * block counts is stretched, within reason: a few kernels have very long
 * blocks. */
static double allowance(const struct job *job, const struct first_counts *f)
{
    double least = 0;
    for (int i = 0; i < f->count; i++) {
        struct window w;
        plan_slice(&w, job, f->tb[i]);
        least += window_cost(&w, &job->grid) * job->study->policy_count;
    }
    if (job->options->budget_insts > 0 || least <= job->budget)
        return job->budget;
    return fmin(least, MOST_STRETCH * job->budget);
}

/* ---- planning ----------------------------------------------------------- */

/* The pilot of a block count, if every policy can be paid for. */
static bool plan_pilot(struct job *job, int tb)
{
    const struct study *study = job->study;
    struct window w;
    plan_slice(&w, job, tb);
    double cost = window_cost(&w, &job->grid) * study->policy_count;
    if (!affordable(job, cost))
        return true;
    job->sampling[tb] = SAMPLING_PILOT;
    return job_plan(job, tb, 0, &w);
}

/* Run or planned. */
static bool has_full_run(const struct job *job, int tb, int policy)
{
    for (size_t i = 0; i < job->samples; i++) {
        const struct sample *s = &job->sample[i];
        if (s->window.kind == WINDOW_GRID && s->tb_index == tb &&
            s->policy_index == policy)
            return true;
    }
    return false;
}

/* The policy whose slice at a block count has the widest interval, the first of
 * all while it has no full run; -1 when every one has. */
static int widest_slice(const struct job *job, int tb)
{
    int at = -1;
    double most = 0;
    for (int q = 0; q < job->study->policy_count; q++) {
        const struct result *r = &job->out->result[job_at(job, tb, q)];
        double width = point_half_width_pct(r);
        if (width <= most || has_full_run(job, tb, q))
            continue;
        at = q;
        if (q == 0)
            break;
        most = width;
    }
    return at;
}

/* Full runs of a block count's slices with the widest intervals, the first
 * policy's before all, as far as they can be paid for. */
static bool plan_full_runs(struct job *job, int tb)
{
    struct window w;
    window_plan(&w, &job->grid, job->study->gpu->sms, job->study->tb[tb],
                INFINITY);
    double cost = window_cost(&w, &job->grid);
    for (int i = 0; i < FULL_RUNS && affordable(job, cost); i++) {
        int q = widest_slice(job, tb);
        if (q < 0)
            break;
        if (!job_plan(job, tb, q, &w))
            return false;
    }
    return true;
}

/* The other policies, over as many blocks as the pilot took. */
static bool plan_others(struct job *job, const struct sample *pilot)
{
    struct window w = pilot->window;
    int tb = pilot->tb_index;
    w.early_stop = false;
    if (w.kind == WINDOW_STREAM)
        w.count = pilot->blocks;
    job->sampling[tb] = SAMPLING_ALL;
    for (int q = 1; q < job->study->policy_count; q++)
        if (!job_plan(job, tb, q, &w))
            return false;
    return true;
}

bool plan_other_policies(struct job *job)
{
    for (size_t i = 0; i < job->ran; i++) {
        struct sample pilot = job->sample[i];
        if (pilot.done && is_pilot(job, &pilot) && !plan_others(job, &pilot))
            return false;
    }
    return true;
}

bool plan_first(struct job *job)
{
    struct first_counts f;
    choose_first(&f, job);
    job->cap_insts = first_cap(job, f.count);
    job->allowance = allowance(job, &f);
    for (int i = 0; i < f.count; i++)
        if (!plan_pilot(job, f.tb[i]))
            return false;
    return true;
}

/* ---- what is widest ----------------------------------------------------- */

/* The widest interval of a block count, percent. */
static double widest_interval(const struct job *job, int tb)
{
    double most = 0;
    for (int q = 0; q < job->study->policy_count; q++)
        most = fmax(
            most, point_half_width_pct(&job->out->result[job_at(job, tb, q)]));
    return most;
}

/* The block count with the widest interval among those sampled or not; -1 when
 * there is none. */
static int widest(const struct job *job, bool sampled)
{
    int at = -1;
    for (int tb = 0; tb < job->study->tb_count; tb++)
        if ((job->sampling[tb] != SAMPLING_NONE) == sampled &&
            (at < 0 || widest_interval(job, tb) > widest_interval(job, at)))
            at = tb;
    return at;
}

/* What the next round is to narrow. */
bool plan_widest(struct job *job)
{
    int new = widest(job, false), old = widest(job, true);
    double new_width = new < 0 ? 0 : widest_interval(job, new);
    double old_width = old < 0 ? 0 : widest_interval(job, old);
    bool pays = new_width > WORTH_SAMPLING * old_width;
    size_t before = job->samples;
    if (pays && new_width > job->error_pct && !plan_pilot(job, new))
        return false;
    if (job->samples == before && old_width > job->error_pct &&
        !plan_full_runs(job, old))
        return false;
    if (job->samples > before || new_width <= FAR_TOO_WIDE * job->error_pct)
        return true;
    return plan_pilot(job, new);
}
