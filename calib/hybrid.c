/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which points to sample. First the least, the most and a middle number of
 * blocks; then, as long as some interval is too wide and the budget lasts, the
 * block count with the widest. Every block count is sampled under every policy
 * over the same blocks, so that policies are compared in pairs. */
#include "calib/job.h"
#include "calib/point.h"
#include "calib/predict.h"

#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_COLUMNS 3
/* Share of the budget for those, the rest for what turns out to be needed. */
#define FIRST_SHARE 0.7

static const int slice_sms[] = {2, SLICE_MAX_SMS};
#define SLICE_RUNS (sizeof(slice_sms) / sizeof(slice_sms[0]))

/* ---- budget ------------------------------------------------------------- */

/* Warp instructions spent and promised: what ran, what is planned, and the
 * other policies of block counts whose pilot is. */
static double committed(const struct job *job)
{
    double sum = 0;
    int others = job->study->policy_count - 1;
    for (size_t i = 0; i < job->samples; i++) {
        const struct sample *s = &job->sample[i];
        bool ran = i < job->ran;
        bool pilot = s->policy_index == 0 &&
                     (s->window.sms == 1 || s->window.kind == WINDOW_GRID) &&
                     job->column[s->tb_index] == COLUMN_PILOT;
        double cost = ran ? s->insts : window_cost(&s->window, &job->grid);
        sum += pilot ? cost * (1 + others) : cost;
    }
    return sum;
}

static bool affordable(const struct job *job, double cost)
{
    return committed(job) + cost <= job->budget;
}

/* What each sample of the first round may take. */
static double first_cap(const struct job *job, int columns)
{
    double units = (double)columns * job->study->policy_count;
    for (size_t i = 0; i < SLICE_RUNS; i++)
        units += slice_sms[i];
    return FIRST_SHARE * job->budget / units;
}

/* ---- planning ----------------------------------------------------------- */

/* The pilot of a block count, if every policy can be paid for. */
static bool plan_pilot(struct job *job, int tb)
{
    const struct study *study = job->study;
    struct window w;
    window_plan(&w, &job->grid, 1, study->tb[tb], job->cap_insts);
    double cost = window_cost(&w, &job->grid) * study->policy_count;
    if (!affordable(job, cost))
        return true;
    job->column[tb] = COLUMN_PILOT;
    return job_plan(job, tb, 0, &w);
}

/* The pilot's point again with more SMs, for the slice's bias. */
static bool plan_slices(struct job *job, int tb)
{
    const struct study *study = job->study;
    if (job->column[tb] != COLUMN_PILOT)
        return true;
    for (size_t i = 0; i < SLICE_RUNS; i++) {
        int sms = slice_sms[i];
        if (sms >= study->gpu->sms)
            break;
        struct window w;
        window_plan(&w, &job->grid, sms, study->tb[tb], sms * job->cap_insts);
        bool useful = w.kind != WINDOW_GRID;
        if (useful && affordable(job, window_cost(&w, &job->grid)) &&
            !job_plan(job, tb, 0, &w))
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
        if (pilot.done && job->column[pilot.tb_index] == COLUMN_PILOT &&
            (pilot.window.sms == 1 || pilot.window.kind == WINDOW_GRID) &&
            !plan_others(job, &pilot))
            return false;
    }
    return true;
}

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

bool hybrid_begin(struct job *job)
{
    int last = job->study->tb_count - 1;
    int mid = middle(job->study);
    int columns = last < FIRST_COLUMNS ? last + 1 : FIRST_COLUMNS;
    job->cap_insts = first_cap(job, columns);
    return plan_pilot(job, last) && plan_slices(job, last) &&
           (last == 0 || plan_pilot(job, 0)) &&
           (mid == 0 || mid == last || plan_pilot(job, mid));
}

/* ---- after a round ------------------------------------------------------ */

/* The unsampled block count with the widest interval, -1 when all are narrow
 * enough. */
static int widest(const struct job *job)
{
    int at = -1;
    double most = job->error_pct;
    for (int tb = 0; tb < job->study->tb_count; tb++)
        for (int q = 0; q < job->study->policy_count; q++) {
            double w =
                point_half_width_pct(&job->out->result[job_at(job, tb, q)]);
            if (job->column[tb] == COLUMN_NONE && w > most) {
                most = w;
                at = tb;
            }
        }
    return at;
}

static void report(const struct prediction *p, struct study_result *out)
{
    const struct job *job = p->job;
    out->rank = p->fit.rank;
    out->leave_one_out_pct = p->leave_one_out_pct;
    out->slice_pct = p->slice_pct;
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
    int next = job->limited ? -1 : widest(job);
    if (next >= 0 && !plan_pilot(job, next))
        return false;
    job->done = job->samples == job->ran;
    return true;
}
