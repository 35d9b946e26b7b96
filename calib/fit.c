/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/fit.h"

#include "base/gsl.h"
#include "calib/constants.h"
#include "configs/gpu.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one sample contributes: its time, and what it measured for free. */
enum row { ROW_CYCLES, ROW_L1, ROW_L2, ROW_DRAM, ROW_STALL, ROWS = 10 };
_Static_assert(ROW_STALL + STALLS == ROWS, "one row a stall state");

static const double row_sigma[ROWS] = {
    CYCLES_SIGMA, MISS_SIGMA,  MISS_SIGMA,  DRAM_SIGMA,  STALL_SIGMA,
    STALL_SIGMA,  STALL_SIGMA, STALL_SIGMA, STALL_SIGMA, STALL_SIGMA};

struct problem {
    const struct fit_input *input;
    const struct sample **used; /* [count] those fitted */
    size_t count;
    double *weight; /* of each data row, 0 = not known to one of the engines */
    size_t rows;    /* of data */
};

/* ---- bounds: theta = min + (max - min) / (1 + exp(-u)) ------------------- */

static double theta_of(int i, double u)
{
    const struct model_param_info *p = &model_param_info[i];
    return p->min + (p->max - p->min) / (1 + exp(-u));
}

static double u_of(int i, double theta)
{
    const struct model_param_info *p = &model_param_info[i];
    double share = (theta - p->min) / (p->max - p->min);
    share = fmin(fmax(share, LOGIT_MARGIN), 1 - LOGIT_MARGIN);
    return log(share / (1 - share));
}

static double dtheta_du(int i, double u)
{
    const struct model_param_info *p = &model_param_info[i];
    double share = 1 / (1 + exp(-u));
    return (p->max - p->min) * share * (1 - share);
}

/* ---- residuals ---------------------------------------------------------- */

static bool is_used(const struct fit_input *in, const struct sample *s)
{
    return s->done && s->tb_index != in->skip_tb_index;
}

static void sample_residuals(double out[ROWS], const struct fit_input *in,
                             const struct sample *s,
                             const struct model_params *params)
{
    struct result m;
    model_estimate(&m, in->profile, in->gpu, &in->policies[s->policy_index],
                   in->tb[s->tb_index], params);
    double bytes = m.dram_gbps * 1e3 * m.time_us / m.warp_insts;
    out[ROW_CYCLES] = log(m.cycles) - s->log_cycles;
    out[ROW_L1] = m.l1_miss - s->run.l1_miss;
    out[ROW_L2] = m.l2_fill - s->run.l2_miss;
    /* log1p: a kernel may move no bytes at all */
    out[ROW_DRAM] = log1p(bytes) - log1p(s->bytes_per_inst);
    for (int i = 0; i < STALLS; i++)
        out[ROW_STALL + i] = m.stall[i] - s->run.stall[i];
}

static void params_of(struct model_params *p, const gsl_vector *u)
{
    for (int i = 0; i < MODEL_PARAMS; i++)
        p->value[i] = theta_of(i, gsl_vector_get(u, (size_t)i));
}

static int residuals(const gsl_vector *u, void *data, gsl_vector *f)
{
    struct problem *pr = data;
    struct model_params params;
    params_of(&params, u);
    size_t row = 0;
    for (size_t i = 0; i < pr->count; i++) {
        double r[ROWS];
        sample_residuals(r, pr->input, pr->used[i], &params);
        for (int j = 0; j < ROWS; j++, row++) {
            double w = pr->weight[row];
            gsl_vector_set(f, row, w > 0 ? w * r[j] : 0);
        }
    }
    for (int i = 0; i < MODEL_PARAMS; i++, row++) {
        const struct model_param_info *p = &model_param_info[i];
        gsl_vector_set(f, row, (params.value[i] - p->prior) / p->sigma);
    }
    for (size_t i = 0; i < row; i++)
        if (!isfinite(gsl_vector_get(f, i)))
            return GSL_EDOM;
    return GSL_SUCCESS;
}

/* Rows are weighted once, at the priors: an engine that does not know a figure
 * there never does. */
static void weigh(struct problem *pr)
{
    struct model_params prior;
    model_params_default(&prior);
    double *weight = pr->weight;
    for (size_t i = 0; i < pr->count; i++) {
        double r[ROWS];
        sample_residuals(r, pr->input, pr->used[i], &prior);
        for (int j = 0; j < ROWS; j++) {
            double se = j == ROW_CYCLES ? pr->used[i]->log_se : 0;
            *weight++ = isfinite(r[j]) ? 1 / hypot(row_sigma[j], se) : 0;
        }
    }
}

static bool problem_create(struct problem *pr, const struct fit_input *in)
{
    *pr = (struct problem){.input = in};
    pr->used = malloc((in->samples + 1) * sizeof(*pr->used));
    if (pr->used == NULL)
        return false;
    for (size_t i = 0; i < in->samples; i++)
        if (is_used(in, &in->sample[i]))
            pr->used[pr->count++] = &in->sample[i];
    pr->rows = pr->count * ROWS;
    pr->weight = calloc(pr->rows + 1, sizeof(*pr->weight));
    return pr->weight != NULL;
}

static void problem_free(struct problem *pr)
{
    free(pr->used);
    free(pr->weight);
}

/* ---- the fit itself ----------------------------------------------------- */

/* Run from start; true when it got anywhere. */
static bool descend(gsl_multifit_nlinear_workspace *w,
                    gsl_multifit_nlinear_fdf *fdf, const gsl_vector *start)
{
    int info;
    if (gsl_multifit_nlinear_init(start, fdf, w) != GSL_SUCCESS)
        return false;
    int status = gsl_multifit_nlinear_driver(FIT_ITERATIONS, FIT_TOLERANCE,
                                             FIT_TOLERANCE, FIT_TOLERANCE, NULL,
                                             NULL, &info, w);
    return status == GSL_SUCCESS || status == GSL_EMAXITER ||
           status == GSL_ENOPROG;
}

static void start_point(gsl_vector *u, const gsl_qrng *sobol, bool at_from,
                        const struct model_params *from)
{
    double unit[MODEL_PARAMS];
    if (!at_from)
        gsl_qrng_get(sobol, unit);
    for (int i = 0; i < MODEL_PARAMS; i++) {
        const struct model_param_info *p = &model_param_info[i];
        double theta =
            at_from ? from->value[i]
                    : p->prior + START_SPREAD * p->sigma * (2 * unit[i] - 1);
        gsl_vector_set(u, (size_t)i, u_of(i, theta));
    }
}

/* What a fit needs beside GSL's solver. */
struct scratch {
    gsl_qrng *sobol;
    gsl_vector *start, *singular;
    gsl_matrix *covar, *rows, *v;
};

static bool scratch_create(struct scratch *s, size_t rows)
{
    s->sobol = gsl_qrng_alloc(gsl_qrng_sobol, MODEL_PARAMS);
    s->start = gsl_vector_alloc(MODEL_PARAMS);
    s->singular = gsl_vector_alloc(MODEL_PARAMS);
    s->covar = gsl_matrix_calloc(MODEL_PARAMS, MODEL_PARAMS);
    s->rows = gsl_matrix_alloc(rows, MODEL_PARAMS);
    s->v = gsl_matrix_alloc(MODEL_PARAMS, MODEL_PARAMS);
    return s->sobol && s->start && s->singular && s->covar && s->rows && s->v;
}

static void scratch_free(struct scratch *s)
{
    gsl_qrng_free(s->sobol);
    gsl_vector_free(s->start);
    gsl_vector_free(s->singular);
    gsl_matrix_free(s->covar);
    gsl_matrix_free(s->rows);
    gsl_matrix_free(s->v);
}

/* Singular values of the data rows in units of the prior's deviations, counted
 * above 1: there the samples know more than the prior did. */
static int data_rank(const gsl_matrix *jacobian, const gsl_vector *u,
                     const struct scratch *scratch)
{
    gsl_matrix *a = scratch->rows;
    size_t rows = a->size1;
    if (rows < MODEL_PARAMS)
        return 0;
    for (size_t c = 0; c < MODEL_PARAMS; c++) {
        /* at its bound a parameter does not move with u any more */
        double slope = dtheta_du((int)c, gsl_vector_get(u, c));
        double unit = slope > 0 ? model_param_info[c].sigma / slope : 0;
        for (size_t r = 0; r < rows; r++)
            gsl_matrix_set(a, r, c, unit * gsl_matrix_get(jacobian, r, c));
    }
    gsl_linalg_SV_decomp_jacobi(a, scratch->v, scratch->singular);
    int rank = 0;
    for (size_t c = 0; c < MODEL_PARAMS; c++)
        rank += gsl_vector_get(scratch->singular, c) > 1;
    return rank;
}

/* Of parameter i in the samples' own scale. Where residuals do not move with u,
 * at its bound or where GSL's differences vanish next to 0, all that is known
 * of it is what was known before. */
static double deviation(int i, double u, const gsl_matrix *covar)
{
    double variance = gsl_matrix_get(covar, (size_t)i, (size_t)i);
    double sd = dtheta_du(i, u) * sqrt(variance);
    return sd > 0 ? sd : model_param_info[i].sigma;
}

/* GSL's covariance is unscaled: multiply by chi2/dof (GSL manual, Nonlinear
 * Least-Squares Fitting, "Covariance matrix of best fit parameters"). */
static void describe(struct fit *out, gsl_multifit_nlinear_workspace *w,
                     const struct problem *pr, const struct scratch *scratch)
{
    gsl_matrix *covar = scratch->covar;
    const gsl_vector *u = gsl_multifit_nlinear_position(w);
    const gsl_matrix *j = gsl_multifit_nlinear_jac(w);
    double chi2;
    gsl_blas_ddot(gsl_multifit_nlinear_residual(w),
                  gsl_multifit_nlinear_residual(w), &chi2);
    size_t known = 0;
    for (size_t i = 0; i < pr->rows; i++)
        known += pr->weight[i] > 0;
    out->chi2_per_dof = chi2 / (double)(known > 0 ? known : 1);
    gsl_multifit_nlinear_covar(j, 0, covar);
    params_of(&out->params, u);
    for (int i = 0; i < MODEL_PARAMS; i++) {
        double sd = deviation(i, gsl_vector_get(u, (size_t)i), covar);
        out->at_prior[i] = sd > AT_PRIOR_SHARE * model_param_info[i].sigma;
        out->sd[i] = sd * sqrt(out->chi2_per_dof);
    }
    out->rank = data_rank(j, u, scratch);
}

static void best_of_starts(struct fit *out, gsl_multifit_nlinear_workspace *w,
                           struct problem *pr, int starts,
                           const struct model_params *from,
                           const struct scratch *scratch)
{
    gsl_multifit_nlinear_fdf fdf = {.f = residuals,
                                    .n = pr->rows + MODEL_PARAMS,
                                    .p = MODEL_PARAMS,
                                    .params = pr};
    double best = INFINITY;
    for (int i = 0; i < starts; i++) {
        start_point(scratch->start, scratch->sobol, i == 0, from);
        if (!descend(w, &fdf, scratch->start))
            continue;
        double norm = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w));
        if (norm < best) {
            best = norm;
            describe(out, w, pr, scratch);
        }
    }
}

static void nothing_fitted(struct fit *out)
{
    memset(out, 0, sizeof(*out));
    model_params_default(&out->params);
    for (int i = 0; i < MODEL_PARAMS; i++) {
        out->sd[i] = model_param_info[i].sigma;
        out->at_prior[i] = true;
    }
}

static bool solve(struct fit *out, struct problem *pr, int starts,
                  const struct model_params *from)
{
    struct scratch scratch;
    gsl_multifit_nlinear_parameters how =
        gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how,
                                   pr->rows + MODEL_PARAMS, MODEL_PARAMS);
    bool ok = scratch_create(&scratch, pr->rows) && w != NULL;
    if (ok) {
        weigh(pr);
        best_of_starts(out, w, pr, starts, from, &scratch);
    }
    scratch_free(&scratch);
    gsl_multifit_nlinear_free(w);
    return ok;
}

bool fit_params(struct fit *out, const struct fit_input *input, int starts,
                const struct model_params *from, struct error *e)
{
    struct model_params prior;
    struct problem pr;
    model_params_default(&prior);
    nothing_fitted(out);
    gsl_return_errors();
    bool ok =
        problem_create(&pr, input) &&
        (pr.rows == 0 || solve(out, &pr, starts, from != NULL ? from : &prior));
    problem_free(&pr);
    return ok || error_no_memory(e);
}

void fit_note(char *out, size_t size, const struct fit *fit)
{
    size_t used = 0;
    int left = 0;
    out[0] = '\0';
    for (int i = 0; i < MODEL_PARAMS && used < size; i++)
        if (fit->at_prior[i]) {
            left++;
            used += (size_t)snprintf(out + used, size - used, "%s ",
                                     model_param_info[i].name);
        }
    if (left > 0 && used < size)
        snprintf(out + used, size - used, "stayed at %s prior%s",
                 left > 1 ? "their" : "its", left > 1 ? "s" : "");
}
