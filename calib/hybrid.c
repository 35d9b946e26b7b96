/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which points to sample. First the least, the most and a middle number of
 * blocks, and all those of which the grid is less than two waves; then, as long
 * as some interval is too wide and the budget lasts, what is widest: a block
 * count without samples, or the slices of one that has them, by full runs of
 * two of its points. Every block count is sampled under every policy over the
 * same blocks, so that policies are compared in pairs. */
#include "calib/job.h"
#include "calib/point.h"
#include "calib/predict.h"

#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

/* Share of the budget for those, the rest for what turns out to be needed. */
#define FIRST_SHARE 0.7

/* A block count without samples is worth sampling when its interval is that
 * much wider than those of block counts with samples. */
#define WORTH_SAMPLING 1.25
/* ... or when it is that much wider than asked for and nothing else helps. */
#define FAR_TOO_WIDE 2
/* Times a default budget may be exceeded. */
#define MOST_STRETCH 3
/* Full runs of a block count in one round. */
#define ANCHORS 2

/* ---- the first block counts --------------------------------------------- */

#define MAX_FIRST 16

struct first_columns {
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

static void add_first(struct first_columns *f, int tb)
{
    for (int i = 0; i < f->count; i++)
        if (f->tb[i] == tb)
            return;
    if (f->count < MAX_FIRST)
        f->tb[f->count++] = tb;
}

static void choose_first(struct first_columns *f, const struct job *job)
{
    const struct study *study = job->study;
    *f = (struct first_columns){0};
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
    return s->policy_index == 0 && job->column[s->tb_index] == COLUMN_PILOT;
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
static double first_cap(const struct job *job, int columns)
{
    return FIRST_SHARE * job->budget / (columns * job->study->policy_count);
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
static double allowance(const struct job *job, const struct first_columns *f)
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
    job->column[tb] = COLUMN_PILOT;
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
static bool plan_anchors(struct job *job, int tb)
{
    struct window w;
    window_plan(&w, &job->grid, job->study->gpu->sms, job->study->tb[tb],
                INFINITY);
    double cost = window_cost(&w, &job->grid);
    for (int i = 0; i < ANCHORS && affordable(job, cost); i++) {
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
    job->column[tb] = COLUMN_ALL;
    for (int q = 1; q < job->study->policy_count; q++)
        if (!job_plan(job, tb, q, &w))
            return false;
    return true;
}

static bool plan_all_others(struct job *job)
{
    for (size_t i = 0; i < job->ran; i++) {
        struct sample pilot = job->sample[i];
        if (pilot.done && is_pilot(job, &pilot) && !plan_others(job, &pilot))
            return false;
    }
    return true;
}

bool hybrid_begin(struct job *job)
{
    struct first_columns f;
    choose_first(&f, job);
    job->cap_insts = first_cap(job, f.count);
    job->allowance = allowance(job, &f);
    for (int i = 0; i < f.count; i++)
        if (!plan_pilot(job, f.tb[i]))
            return false;
    return true;
}

/* ---- after a round ------------------------------------------------------ */

/* The widest interval of a block count, percent. */
static double column_width(const struct job *job, int tb)
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
        if ((job->column[tb] != COLUMN_NONE) == sampled &&
            (at < 0 || column_width(job, tb) > column_width(job, at)))
            at = tb;
    return at;
}

/* What the next round is to narrow. */
static bool plan_widest(struct job *job)
{
    int new = widest(job, false), old = widest(job, true);
    double new_width = new < 0 ? 0 : column_width(job, new);
    double old_width = old < 0 ? 0 : column_width(job, old);
    bool pays = new_width > WORTH_SAMPLING * old_width;
    size_t before = job->samples;
    if (pays && new_width > job->error_pct && !plan_pilot(job, new))
        return false;
    if (job->samples == before && old_width > job->error_pct &&
        !plan_anchors(job, old))
        return false;
    if (job->samples > before || new_width <= FAR_TOO_WIDE * job->error_pct)
        return true;
    return plan_pilot(job, new);
}

static void report(const struct prediction *p, struct study_result *out)
{
    const struct job *job = p->job;
    out->rank = p->fit.rank;
    out->leave_one_out_pct = p->leave_one_out_pct;
    out->slice_pct = prediction_slice_pct(p);
    out->params = p->fit.params;
    for (int i = 0; i < MODEL_PARAMS; i++)
        out->param_sd[i] = p->fit.sd[i];
    fit_note(out->fit_note, sizeof(out->fit_note), &p->fit);
    for (size_t i = 0; i < job_points(job); i++)
        if (job->limited && !out->result[i].sampled)
            out->result[i].partial = true;
}

/* Results from the samples there are. */
static bool conclude(struct job *job)
{
    bool any = false;
    for (size_t i = 0; i < job->ran; i++)
        any |= job->sample[i].done;
    if (!any) {
        model_results(job, job->out);
        for (size_t i = 0; i < job_points(job); i++)
            job->out->result[i].partial = job->limited;
        return true;
    }
    struct prediction p;
    bool ok = prediction_make(&p, job);
    if (ok) {
        prediction_results(&p, job->out);
        report(&p, job->out);
    }
    prediction_free(&p);
    return ok;
}

bool hybrid_advance(struct job *job)
{
    if (!job->limited && !plan_all_others(job))
        return false;
    if (job->samples > job->ran)
        return true;
    if (!conclude(job))
        return false;
    if (!job->limited && !plan_widest(job))
        return false;
    job->done = job->samples == job->ran;
    return true;
}
