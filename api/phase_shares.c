/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "model/model.h"
#include "sampler/policy/policy.h"

#define PHASES_MAX 64 /* more than the model tells apart */

/* Add a dynamic phase to the one of the code in which it begins. */
static void add(double *out, size_t count, const struct kernel *k,
                const struct model_phase *p)
{
    for (size_t i = 0; i < count && i < k->phase_count; i++)
        if (p->first - k->phase[i].first < k->phase[i].count)
            out[i] += p->share;
}

bool estimate_phase_shares(double *out, size_t count,
                           const struct estimate_kernel *k, size_t launch,
                           const struct estimate_gpu *g, int tb,
                           struct estimate_error *error)
{
    struct error e;
    struct model_phase phase[PHASES_MAX];
    struct model_params params;
    struct policy_set policies;
    const struct kernel *kernel =
        k->application != NULL ? k->application->kernel[launch] : k->first;
    if (!policy_set_parse(&policies, NULL, NULL, NULL, NULL, &e))
        return tell(error, &e);
    struct gpu found;
    gpu_for_kernels(&found, &g->gpu, (struct kernel *const *)&kernel, 1);
    struct profile *p = profile_create(kernel, &found, 1, &e);
    if (p == NULL)
        return tell(error, &e);
    model_params_default(&params);
    int n = model_phases(phase, PHASES_MAX, p, &found, &policies, tb, &params);
    for (size_t i = 0; i < count; i++)
        out[i] = 0;
    for (int i = 0; i < n; i++)
        add(out, count, kernel, &phase[i]);
    profile_free(p);
    return true;
}
