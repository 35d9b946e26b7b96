/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include <math.h>

/* A beta of 0 is approximate mean-value analysis as it stands; the priors are
 * the best ones of a grid search over 80 random kernels, none of them bundled,
 * on the m2090 against the cycle-level engine. Factors of 1 are the configured
 * machine. Sigmas say how far a prior may be off for one kernel. */
const struct model_param_info model_param_info[MODEL_PARAMS] = {
    [PARAM_BETA_ROUND_ROBIN] =
        {"beta-round-robin", 0.30, 0.10, 0, 1,
         "share of lock-step in the overlap of warps that advance together"},
    [PARAM_BETA_GREEDY] =
        {"beta-greedy", 0.20, 0.10, 0, 1,
         "the same where the oldest or the same warp goes first"},
    [PARAM_BETA_PHASE] =
        {"beta-phase", 0.20, 0.10, 0, 1,
         "the same where the shortest phase distance goes first"},
    [PARAM_BETA_LIMIT] = {"beta-limit", 0.20, 0.10, 0, 1,
                          "the same where only some warps may issue"},
    [PARAM_LATENCY] = {"latency", 1, 0.15, 0.3, 3,
                       "factor on the waits for memory"},
    [PARAM_BANDWIDTH] = {"bandwidth", 1, 0.15, 0.2, 1.5,
                         "factor on the DRAM bandwidth reached"},
    [PARAM_INTERFERENCE] =
        {"interference", 1, 0.2, 0, 2,
         "exponent of the number of live warps in the reuse distance"},
    [PARAM_TAIL] = {"tail", 1, 0.5, 0, 4,
                    "factor on the spread of block times at the end"},
};

void model_params_default(struct model_params *p)
{
    for (int i = 0; i < MODEL_PARAMS; i++)
        p->value[i] = model_param_info[i].prior;
    p->stores_left = p->alike = NAN;
}
