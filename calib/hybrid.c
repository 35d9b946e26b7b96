/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hybrid mode. Of each policy some block counts are anchors: powers of two and
 * the most that fit. They are sampled where the study asks for them or for a
 * count between them; others lie between two, as the model has it, or are
 * sampled themselves where that is too vague, at once where it will be. So what
 * a point becomes depends on kernel, GPU, its block count and its policies
 * alone. */
#include "calib/constants.h"
#include "calib/job.h"
#include "calib/long_block.h"
#include "calib/point.h"
#include "calib/predict.h"
#include "calib/slice.h"
#include "sampler/policy/registry.h"

#include <math.h>

static bool is_sampled(const struct job *job, int tb, int policy)
{
    for (size_t i = 0; i < job->samples; i++)
        if (job->sample[i].tb == tb && job->sample[i].policy_index == policy)
            return true;
    return false;
}

static double planned_deviation(const struct job *job, const struct window *w)
{
    const struct steady planned = {.insts = w->insts};
    return hypot(window_deviation(w, &job->grid, &planned),
                 hypot(slice_planned_unsure(job, w), job_uneven(job, w)));
}

/* Whether what the L1s hold of a point may change while it runs: the model does
 * not know how much that is. */
static bool is_unsteady(const struct job *job, int tb)
{
    const struct policy_set any = policy_set_default();
    struct model_reuse r = model_reuse_of(job->profile, job->study->gpu, &any,
                                          tb, &job->out->params);
    return r.below + r.above > REUSE_MATTERS;
}

static struct long_block longest_block(const struct job *job)
{
    struct long_block out = {.length = 1 + profile_longest(job->profile)};
    out.block = profile_long_block(job->profile, &out.insts);
    return out;
}

/* The whole GPU's, or a slice's where that is to say more; or the whole grid,
 * where blocks are longer in one part of it than in another. */
static void window_of(struct window *out, const struct job *job, int tb)
{
    bool given = job->options->budget_insts > 0;
    double part = job->study->share > 0 && !given
                      ? APPLICATION_INSTS * job->study->share
                      : INFINITY;
    double cap = fmin(job->cap_insts, part);
    double few = given ? cap : fmin(fmax(cap, FEW_WAVES_INSTS), part);
    struct window slice, whole;
    struct window_grid grid = job->grid;
    grid.unsteady = is_unsteady(job, tb);
    window_plan(out, &grid, tb, job->error_pct, cap, few);
    if (out->kind == WINDOW_MIDDLE &&
        window_plan_slice(&slice, &job->grid, tb, cap) &&
        planned_deviation(job, &slice) < planned_deviation(job, out))
        *out = slice;
    window_whole(&whole, &grid, tb);
    if (job_uneven(job, out) > 0 && whole.insts <= UNEVEN_WORTH * few)
        *out = whole;
    long_block_plan(out, &grid, longest_block(job), few);
}

static bool tells(const struct job *job, int policy, const struct window *w)
{
    double model = prediction_model_sd(job, w->tb, policy);
    return w->kind == WINDOW_GRID ||
           (window_cost(w, &job->grid) >= WORTH_INSTS &&
            planned_deviation(job, w) <= WORTH_DEVIATION * model);
}

static bool plan(struct job *job, int tb, int policy)
{
    struct window w;
    if (is_sampled(job, tb, policy))
        return true;
    window_of(&w, job, tb);
    return !tells(job, policy, &w) || job_plan(job, tb, policy, &w);
}

/* A sample of the point itself, or of its anchors where they may do. */
static bool plan_point(struct job *job, int tb, int policy)
{
    int below, above;
    struct window w;
    window_of(&w, job, tb);
    if (tells(job, policy, &w) &&
        prediction_will_be_vague(job, tb, policy, planned_deviation(job, &w)))
        return plan(job, tb, policy);
    anchors_about(tb, job->most_tb, &below, &above);
    return plan(job, below, policy) && plan(job, above, policy);
}

bool hybrid_begin(struct job *job)
{
    const struct study *study = job->study;
    for (int i = 0; i < study->tb_count; i++)
        for (int q = 0; q < study->policy_count; q++)
            if (!plan_point(job, study->tb[i], q))
                return false;
    return true;
}

/* Samples of the points whose intervals are too wide, and would be narrower. */
static bool plan_wide(struct job *job)
{
    const struct study *study = job->study;
    for (int i = 0; i < study->tb_count; i++) {
        struct window w;
        window_of(&w, job, study->tb[i]);
        double own = planned_deviation(job, &w);
        for (int q = 0; q < study->policy_count; q++)
            if (prediction_is_vague(job, study->tb[i], q, own) &&
                !plan(job, study->tb[i], q))
                return false;
    }
    return true;
}

/* The budget with which the points that are too wide for it would not be. Where
 * a window took what it was to take, its parts differ too much. */
static double needed_insts(const struct job *job)
{
    const struct study *study = job->study;
    double most = 0;
    for (int i = 0; i < study->tb_count; i++) {
        double needed =
            window_insts_for(&job->grid, study->tb[i], job->error_pct);
        for (int q = 0; needed > job->cap_insts && q < study->policy_count; q++)
            if (point_half_width_pct(&job->out->result[job_at(job, i, q)]) >
                job->error_pct)
                most = fmax(most, needed);
    }
    return most;
}

bool hybrid_advance(struct job *job)
{
    if (!job->limited && !plan_wide(job))
        return false;
    job->done = job->samples == job->ran;
    bool keeps = job->confirms && job->limited;
    if (job->done && !keeps) {
        prediction_results(job, job->out);
        job->out->needed_insts = needed_insts(job);
    }
    return true;
}
