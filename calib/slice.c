/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/slice.h"

#include "calib/constants.h"
#include "configs/gpu.h"
#include "sampler/policy/registry.h"

#include <math.h>

bool slice_tells(const struct sample *s)
{
    return s->rest > 0;
}

/* Where the whole GPU is slower, all its SMs contend for the same lines, and
 * will for a part of what is to come; where it is faster, they have fetched for
 * each other what all of them need, and will for a part. */
double slice_rest(const struct sample *s)
{
    return s->rest * pow(s->slower, SLICE_LASTS);
}

/* How much longer, in log cycles, the grid would take if the whole GPU and the
 * slice were as far apart behind the start as they are beside each other. */
static double start_apart(const struct sample *s)
{
    double end = s->steady.end_cycle;
    return log((end + s->slower * s->rest) / (end + slice_rest(s)));
}

static bool is_middle(const struct window *w)
{
    return w->kind == WINDOW_MIDDLE && w->slice_sms > 0;
}

/* How much longer, in log cycles, a block of the grid takes on the whole GPU
 * than one of so many blocks on the slice, by the model. */
static double model_apart(const struct job *job,
                          const struct policy_set *policy,
                          const struct window *w, uint64_t slice_blocks)
{
    const struct gpu *gpu = job->study->gpu;
    const struct model_params *params = &job->out->params;
    struct gpu slice;
    gpu_slice(&slice, gpu, w->slice_sms);
    const struct model_blocks whole = model_blocks_of(
        job->profile, (double)job->grid.blocks, gpu, policy, w->tb, params);
    const struct model_blocks part = model_blocks_of(
        job->profile, (double)slice_blocks, &slice, policy, w->tb, params);
    return log(whole.cycles / part.cycles);
}

/* ... of a window in the middle. */
static double middle_apart(const struct job *job,
                           const struct policy_set *policy,
                           const struct window *w)
{
    return model_apart(job, policy, w, job->grid.blocks);
}

/* What the start leaves of it, beside which the slice has run its share of the
 * grid: of what both have it longer, or shorter, the start is right. */
static double left_by_start(const struct job *job, const struct sample *s)
{
    const struct policy_set *policy = &job->study->policies[s->policy_index];
    double by_model =
        model_apart(job, policy, &s->window, s->window.slice_blocks);
    double end = s->steady.end_cycle;
    double by_start = log((end + slice_rest(s)) / (end + s->rest));
    double both = by_model * by_start > 0 ? by_start : 0;
    return fabs(by_model) > fabs(both) ? by_model - both : 0;
}

static double farther(double a, double b)
{
    return fabs(a) > fabs(b) ? a : b;
}

double slice_planned_unsure(const struct job *job, const struct window *w)
{
    const struct policy_set any = policy_set_default();
    return is_middle(w) ? SLICE_MODEL_SHARE * middle_apart(job, &any, w) : 0;
}

double slice_correction(const struct job *job, const struct sample *s)
{
    const struct policy_set *policy = &job->study->policies[s->policy_index];
    if (is_middle(&s->window))
        return SLICE_MODEL_SHARE * middle_apart(job, policy, &s->window);
    return slice_tells(s) ? left_by_start(job, s) : 0;
}

double slice_unsure(const struct job *job, const struct sample *s)
{
    if (s->window.slice_sms == 0)
        return 0;
    double correction = slice_correction(job, s);
    return is_middle(&s->window) ? correction
                                 : farther(ERROR_SLICE_APART * start_apart(s),
                                           SLICE_MODEL_SHARE * correction);
}
