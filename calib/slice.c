/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/slice.h"

#include "calib/constants.h"
#include "configs/gpu.h"

#include <math.h>

/* How much longer, in log cycles, the grid would take if the whole GPU and the
 * slice were as far apart behind the start as they are beside each other. */
static double start_apart(const struct sample *s)
{
    double end = s->steady.end_cycle;
    return log((end + s->slower * s->rest) / (end + s->rest));
}

static bool is_middle_on_slice(const struct sample *s)
{
    return s->window.kind == WINDOW_MIDDLE && s->window.slice_sms > 0;
}

double slice_correction(const struct job *job, const struct sample *s)
{
    const struct study *study = job->study;
    const struct policy_set *policy = &study->policies[s->policy_index];
    const struct model_params *params = &job->out->params;
    struct gpu slice;
    if (!is_middle_on_slice(s))
        return 0;
    gpu_slice(&slice, study->gpu, s->window.slice_sms);
    return log(
        model_block_cycles(job->profile, study->gpu, policy, s->tb, params) /
        model_block_cycles(job->profile, &slice, policy, s->tb, params));
}

double slice_unsure(const struct job *job, const struct sample *s)
{
    if (s->window.slice_sms == 0)
        return 0;
    return is_middle_on_slice(s) ? ERROR_SLICE_MODEL * slice_correction(job, s)
                                 : ERROR_SLICE_APART * start_apart(s);
}
