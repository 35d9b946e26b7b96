/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/predict.h"

#include "calib/constants.h"
#include "calib/grid_time.h"
#include "calib/point.h"
#include "calib/slice.h"
#include "configs/gpu.h"

#include <math.h>

/* Log cycles of a point. */
struct prediction {
    const struct sample *sample; /* its own; NULL: between anchors, or none */
    double log_cycles, sd;
    bool known; /* there were samples */
};

void anchors_about(int tb, int most, int *below, int *above)
{
    *below = *above = 1;
    while (*above < tb) {
        *below = *above;
        *above *= 2;
    }
    *above = *above < most ? *above : most;
    if (tb == *above)
        *below = tb;
}

static const struct sample *find(const struct job *job, int tb, int policy)
{
    for (size_t i = 0; i < job->ran; i++) {
        const struct sample *s = &job->sample[i];
        if (s->tb == tb && s->policy_index == policy && s->done)
            return s;
    }
    return NULL;
}

static struct prediction of_model(const struct job *job, int tb, int policy)
{
    const struct study *study = job->study;
    struct result r;
    model_estimate(&r, job->profile, study->gpu, &study->policies[policy], tb,
                   &job->out->params);
    return (struct prediction){.log_cycles = log(r.cycles),
                               .sd = point_log_sd(&r)};
}

double prediction_model_sd(const struct job *job, int tb, int policy)
{
    return of_model(job, tb, policy).sd;
}

/* The model's deviation where it is so far from a window: its errors have long
 * tails, those of windows were measured. So it is no less than what is
 * likeliest by that one distance. */
static double model_sd(double expected, double apart, double window_sd)
{
    double more = apart * apart - window_sd * window_sd;
    return more > expected * expected ? sqrt(more) : expected;
}

/* What it says is, in part, what a slice of the GPU does. */
static bool has_slice(const struct sample *s)
{
    bool start = s->window.kind == WINDOW_START;
    return s->window.slice_sms > 0 && (!start || slice_tells(s));
}

/* Log cycles that a sample alone says. */
static double sampled_log(const struct job *job, const struct sample *s)
{
    return grid_time_log(job, s) + slice_correction(job, s);
}

/* Deviation of a start that sees its L1s hold less than they may: what it sees
 * may end, by blocks that fall out of step. The model sees it likewise. */
static double reuse_unsure(const struct job *job, const struct sample *s)
{
    const struct study *study = job->study;
    if (s->window.kind != WINDOW_START && !window_start_is_brief(&s->window))
        return 0;
    struct model_reuse r = model_reuse_of(job->profile, study->gpu,
                                          &study->policies[s->policy_index],
                                          s->tb, &job->out->params);
    double model = of_model(job, s->tb, s->policy_index).log_cycles;
    double above = sampled_log(job, s) - (model - r.below);
    return ERROR_REUSE * fmin(fmax(0, above), r.below + r.above);
}

/* Two independent estimates weighed by their precisions: a window that says
 * little leaves the model's answer where they agree. */
static struct prediction of_sample(const struct job *job,
                                   const struct sample *s)
{
    struct window w = s->window;
    if (!has_slice(s))
        w.slice_blocks = 0;
    double measured = window_deviation(&w, &job->grid, &s->steady);
    double uneven = fmax(s->uneven, job_uneven(job, &s->window));
    measured = hypot(
        measured, hypot(grid_time_fuller(job, s), grid_time_longest(job, s)));
    double beside = slice_unsure(job, s) + grid_time_carried(job, s);
    double sd =
        hypot(hypot(measured, beside), hypot(uneven, grid_time_filled(job, s)));
    double sampled = sampled_log(job, s);
    struct prediction m = of_model(job, s->tb, s->policy_index);
    m.sd = model_sd(m.sd, m.log_cycles - sampled, sd);
    double both = hypot(sd, m.sd), share = sd * sd / (both * both);
    return (struct prediction){
        .sample = s,
        .known = true,
        .log_cycles = sampled + share * (m.log_cycles - sampled),
        .sd = hypot(sd * m.sd / both, reuse_unsure(job, s))};
}

/* How far tb is from low to high. */
static double way(int tb, int low, int high)
{
    return log((double)tb / low) / log((double)high / low);
}

/* Deviation at x of the way between two that are as far from the model, but for
 * `apart`. */
static double sd_between(const struct job *job, int tb, double x, double low_sd,
                         double high_sd, double apart)
{
    double ends = ERROR_BETWEEN_ENDS * window_share(&job->grid, tb);
    double halfway =
        hypot(hypot(ERROR_BETWEEN, ends), ERROR_BETWEEN_SHARE * apart);
    return hypot((1 - x) * low_sd + x * high_sd,
                 2 * sqrt(x * (1 - x)) * halfway);
}

static struct prediction between(const struct job *job, int tb, int policy,
                                 const struct sample *low,
                                 const struct sample *high)
{
    struct prediction l = of_sample(job, low), h = of_sample(job, high);
    struct prediction m = of_model(job, tb, policy);
    double x = way(tb, low->tb, high->tb);
    double left_l = l.log_cycles - of_model(job, low->tb, policy).log_cycles;
    double left_h = h.log_cycles - of_model(job, high->tb, policy).log_cycles;
    double sd = sd_between(job, tb, x, l.sd, h.sd, left_h - left_l);
    return (struct prediction){.known = true,
                               .log_cycles =
                                   m.log_cycles + (1 - x) * left_l + x * left_h,
                               .sd = fmin(sd, m.sd)};
}

static struct prediction predict(const struct job *job, int tb, int policy)
{
    const struct sample *own = find(job, tb, policy);
    if (own != NULL)
        return of_sample(job, own);
    int below, above;
    anchors_about(tb, job->most_tb, &below, &above);
    const struct sample *low = find(job, below, policy);
    const struct sample *high = find(job, above, policy);
    if (low == NULL || high == NULL || low == high)
        return (struct prediction){0};
    return between(job, tb, policy, low, high);
}

/* Or a sample of its own is exact and takes next to nothing. */
static bool is_vague(const struct job *job, double sd, double own_sd)
{
    double enough = log1p(job->error_pct / 100) / NORMAL_90;
    double grid = (double)job->grid.blocks * job->grid.block_insts;
    bool worth = own_sd <= enough || sd > WORTH_SAMPLING * own_sd;
    return (sd > enough && worth) || (own_sd == 0 && grid <= SMALL_GRID_INSTS);
}

bool prediction_is_vague(const struct job *job, int tb, int policy,
                         double own_sd)
{
    struct prediction p = predict(job, tb, policy);
    return p.known && p.sample == NULL && is_vague(job, p.sd, own_sd);
}

bool prediction_will_be_vague(const struct job *job, int tb, int policy,
                              double own_sd)
{
    int below, above;
    anchors_about(tb, job->most_tb, &below, &above);
    if (below == above)
        return false;
    double sd = sd_between(job, tb, way(tb, below, above), 0, 0, 0);
    return is_vague(job, fmin(sd, prediction_model_sd(job, tb, policy)),
                    own_sd);
}

static void point_result(const struct job *job, int tb, int policy,
                         struct result *out)
{
    const struct study *study = job->study;
    struct prediction p = predict(job, study->tb[tb], policy);
    const struct sample *own = p.sample;
    if (own != NULL &&
        (own->partial || sample_tells_shares(own, job->grid.shared))) {
        point_from_sample(out, job, own, p.log_cycles, ERROR_TAILS * p.sd);
        return;
    }
    model_estimate(out, job->profile, study->gpu, &study->policies[policy],
                   study->tb[tb], &job->out->params);
    if (p.known)
        point_from_model(out, study->gpu, p.log_cycles, ERROR_TAILS * p.sd);
    out->sampled = own != NULL;
    out->partial = job->limited;
}

/* Deviation of the log difference of two samples, over the same blocks, by
 * their parts; and by how much farther a slice is from the one than from the
 * other: what both are off by is in no difference. */
static double pair_sd(const struct job *job, const struct sample *a,
                      const struct sample *b)
{
    double carried = grid_time_carried(job, a) - grid_time_carried(job, b);
    double left =
        window_start_is_brief(&a->window) ? hypot(PAIR_BRIEF, carried) : 0;
    if ((a->window.slice_sms > 0) != (b->window.slice_sms > 0) ||
        slice_tells(a) != slice_tells(b))
        return INFINITY;
    if (has_slice(a))
        left = hypot(
            hypot(PAIR_SLICE, slice_unsure(job, a) - slice_unsure(job, b)),
            grid_time_fuller(job, a) - grid_time_fuller(job, b));
    if (a->window.kind == WINDOW_START && left > 0)
        return left;
    return hypot(hypot(PAIR_ALWAYS, left),
                 steady_pair_error(&a->steady, &a->planned, &b->steady,
                                   &b->planned, a->window.wave));
}

/* What samples know of a difference. */
static void narrow(struct paired_delta *delta, const struct job *job,
                   const struct study_result *out, int tb, int policy, int to)
{
    const struct sample *a = find(job, job->study->tb[tb], policy);
    const struct sample *b = find(job, job->study->tb[tb], to);
    if (policy == to || a == NULL || b == NULL ||
        a->window.kind == WINDOW_GRID || b->window.kind == WINDOW_GRID)
        return;
    const struct result *r = out->result;
    double reuse = hypot(reuse_unsure(job, a), reuse_unsure(job, b));
    *delta = point_delta(
        log(r[job_at(job, tb, policy)].cycles / r[job_at(job, tb, to)].cycles),
        fmin(hypot(pair_sd(job, a, b), reuse), point_delta_sd(delta)));
}

void prediction_results(const struct job *job, struct study_result *out)
{
    const struct study *study = job->study;
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++)
            point_result(job, tb, q, &out->result[job_at(job, tb, q)]);
    point_differences(job, out,
                      out->samples > 0 ? SAMPLE_PAIR_CORRELATION
                                       : MODEL_PAIR_CORRELATION);
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            narrow(&out->delta[at], job, out, tb, q, 0);
            narrow(&out->versus[at], job, out, tb, q, study->reference);
        }
}
