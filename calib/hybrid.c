/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hybrid mode: rounds of samples, each planned from what those before it say.
 */
#include "calib/job.h"
#include "calib/plan.h"
#include "calib/predict.h"

bool hybrid_begin(struct job *job)
{
    return plan_first(job);
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
    if (!job->limited && !plan_other_policies(job))
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
