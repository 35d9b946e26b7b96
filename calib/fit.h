/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting the interval model's parameters to samples: least squares on logs
 * with one prior row a parameter, by GSL's trust region. */
#ifndef CALIB_FIT_H
#define CALIB_FIT_H

#include "base/error.h"
#include "base/result.h"
#include "calib/sample.h"
#include "model/model.h"

#include <stddef.h>

struct gpu;

struct fit_input {
    const struct profile *profile;
    const struct gpu *gpu; /* the whole one */
    const struct policy_set *policies;
    const int *tb;
    const struct sample *sample; /* those done are fitted */
    size_t samples;
    int skip_tb_index; /* left out, -1 = none */
};

struct fit {
    struct model_params params;
    double sd[MODEL_PARAMS];     /* standard deviation of each */
    bool at_prior[MODEL_PARAMS]; /* the samples say (next to) nothing of it */
    int rank; /* directions in which samples weigh more than the priors */
    double chi2_per_dof;
};

/* Fit from the priors and from `starts` - 1 points of a Sobol sequence about
 * them; start with `from` instead of the priors when not NULL. */
bool fit_params(struct fit *out, const struct fit_input *input, int starts,
                const struct model_params *from, struct error *e);

/* "bandwidth tail stayed at their priors" into out. */
void fit_note(char *out, size_t size, const struct fit *fit);

#endif
