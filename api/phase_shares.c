/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "model/model.h"
#include "sampler/policy/policy.h"

bool estimate_phase_shares(double *out, size_t count,
                           const struct estimate_kernel *k, size_t launch,
                           const struct estimate_gpu *g, int tb,
                           struct estimate_error *error)
{
    struct error e;
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
    model_code_shares(out, count, p, &found, &policies, tb, &params);
    profile_free(p);
    return true;
}
