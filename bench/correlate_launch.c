/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_launch.h"

#include "cli/agreement.h"

#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

#define PARAMS    4
#define MAX_STEPS 1000
#define PRECISE   1e-10

struct data {
    const struct empty_run *run;
    size_t count;
};

double launch_cycles(const struct launch_fit *f, const struct empty_run *r)
{
    double slots = (f->slot + f->slot_warp * r->warps) / r->resident;
    return f->fixed + r->blocks * fmax(f->period, slots);
}

static struct launch_fit fit_of(const gsl_vector *x)
{
    return (struct launch_fit){
        .fixed = gsl_vector_get(x, 0),
        .period = gsl_vector_get(x, 1),
        .slot = gsl_vector_get(x, 2),
        .slot_warp = gsl_vector_get(x, 3),
    };
}

static int relative_errors(const gsl_vector *x, void *params, gsl_vector *f)
{
    const struct data *d = params;
    struct launch_fit fit = fit_of(x);
    for (size_t i = 0; i < d->count; i++)
        gsl_vector_set(f, i,
                       launch_cycles(&fit, &d->run[i]) / d->run[i].cycles - 1);
    return GSL_SUCCESS;
}

/* A start on the right side of both maxima: nothing to pay but the smallest
 * run's cycles, and a cycle for each block. */
static void set_start(gsl_vector *x, const struct data *d)
{
    double least = d->run[0].cycles, resident = d->run[0].resident;
    for (size_t i = 1; i < d->count; i++) {
        least = fmin(least, d->run[i].cycles);
        resident = fmin(resident, d->run[i].resident);
    }
    gsl_vector_set(x, 0, least);
    gsl_vector_set(x, 1, 1);
    gsl_vector_set(x, 2, resident);
    gsl_vector_set(x, 3, 1);
}

static void note_errors(struct launch_fit *fit, const struct data *d)
{
    for (size_t i = 0; i < d->count; i++) {
        double error =
            error_pct(launch_cycles(fit, &d->run[i]), d->run[i].cycles);
        fit->mean_abs_pct += fabs(error) / (double)d->count;
        if (fabs(error) > fabs(fit->worst_pct))
            fit->worst_pct = error;
    }
}

bool launch_fit(struct launch_fit *out, const struct empty_run *run,
                size_t count, struct error *e)
{
    struct data d = {run, count};
    gsl_multifit_nlinear_parameters how =
        gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf f = {
        .f = relative_errors, .n = count, .p = PARAMS, .params = &d};
    if (count < PARAMS)
        return error_set(e, STATUS_BAD_INPUT,
                         "found %zu runs of an empty kernel, expected %d",
                         count, PARAMS);
    gsl_vector *start = gsl_vector_alloc(PARAMS);
    gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
        gsl_multifit_nlinear_trust, &how, count, PARAMS);
    int info;
    set_start(start, &d);
    gsl_multifit_nlinear_init(start, &f, w);
    bool ok = gsl_multifit_nlinear_driver(MAX_STEPS, PRECISE, PRECISE, PRECISE,
                                          NULL, NULL, &info, w) == GSL_SUCCESS;
    *out = fit_of(gsl_multifit_nlinear_position(w));
    gsl_multifit_nlinear_free(w);
    gsl_vector_free(start);
    if (!ok)
        return error_set(e, STATUS_FAILED, "the fit of launches did not end");
    note_errors(out, &d);
    return true;
}
