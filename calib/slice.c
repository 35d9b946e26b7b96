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

/* How much longer, in log cycles, a block takes on the whole GPU than on the
 * slice, by the model. */
static double apart(const struct job *job, const struct policy_set *policy,
                    const struct window *w)
{
    const struct gpu *gpu = job->study->gpu;
    const struct model_params *params = &job->out->params;
    struct gpu slice;
    double blocks = (double)job->grid.blocks;
    gpu_slice(&slice, gpu, w->slice_sms);
    const struct model_blocks whole =
        model_blocks_of(job->profile, blocks, gpu, policy, w->tb, params);
    const struct model_blocks part =
        model_blocks_of(job->profile, blocks, &slice, policy, w->tb, params);
    return log(whole.cycles / part.cycles);
}

double slice_planned_unsure(const struct job *job, const struct window *w)
{
    const struct policy_set any = policy_set_default();
    return is_middle(w) ? SLICE_MODEL_SHARE * apart(job, &any, w) : 0;
}

double slice_correction(const struct job *job, const struct sample *s)
{
    const struct policy_set *policy = &job->study->policies[s->policy_index];
    return is_middle(&s->window)
               ? SLICE_MODEL_SHARE * apart(job, policy, &s->window)
               : 0;
}

double slice_unsure(const struct job *job, const struct sample *s)
{
    if (s->window.slice_sms == 0)
        return 0;
    return is_middle(&s->window) ? slice_correction(job, s)
                                 : ERROR_SLICE_APART * start_apart(s);
}
