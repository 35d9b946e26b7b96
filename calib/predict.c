/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/predict.h"

#include "calib/block_times.h"
#include "calib/constants.h"
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

/* Of the stores of the blocks from `from` to `to` the share in whose time lines
 * leave the L2 for DRAM: it takes the first `left` blocks to fill it. */
static double seen_by_dram(double left, double from, double to)
{
    return to > from ? fmin(1, fmax(0, (to - left) / (to - from))) : left < to;
}

/* Waves that resident blocks have issued of themselves. */
static double issued_waves(const struct sample *s)
{
    return isnan(s->issued) ? END_WAVES : s->issued;
}

static double model_cycles(const struct job *job, const struct sample *s,
                           double stores_left)
{
    const struct study *study = job->study;
    struct model_params params = job->out->params;
    struct result r;
    params.stores_left = stores_left;
    model_estimate(&r, job->profile, study->gpu,
                   &study->policies[s->policy_index], s->tb, &params);
    return r.cycles;
}

/* Blocks that have ended when so many warp instructions are issued since the
 * grid's beginning. */
static double ended(const struct job *job, const struct sample *s, double insts)
{
    return insts / job->grid.block_insts -
           issued_waves(s) * (double)s->window.resident;
}

/* ... since the window's, those before it among them: blocks that are underway
 * then have issued as much as those that are resident later. */
static double ended_by(const struct job *job, const struct sample *s,
                       double insts)
{
    const struct window *w = &s->window;
    return w->underway > 0 ? (double)w->first + insts / job->grid.block_insts
                           : ended(job, s, insts);
}

/* How much longer the grid takes from `begun` warp instructions on than at the
 * window's rate, since lines that are stored to leave only a full L2: which it
 * is for another part of the one than of the other. It takes `share` of the
 * grid's blocks to fill it. Blocks store at their end: most store what they
 * have come to. */
static double written_later(const struct job *job, const struct sample *s,
                            double begun, double share)
{
    double blocks = (double)job->grid.blocks;
    double left = blocks * share;
    double before = s->steady.begun - s->steady.insts;
    double window = seen_by_dram(left, ended_by(job, s, before),
                                 ended_by(job, s, s->steady.begun));
    double rest = seen_by_dram(left, ended(job, s, begun), blocks);
    if (window == rest)
        return 1;
    double kept = model_cycles(job, s, 1),
           more = model_cycles(job, s, 0) - kept;
    return (kept + rest * more) / (kept + window * more);
}

/* Waves at the steady rate that the end of the grid takes beyond its blocks: as
 * many as resident blocks have issued when the last one begins, since that
 * takes a block's time from there. Blocks that are in step begin and end as
 * whole waves: the time of the grid is a sawtooth over its waves. So are those
 * of a start that is cut before a block has ended, for all that it shows. */
static double end_waves(const struct job *job, const struct sample *s)
{
    const struct study *study = job->study;
    double waves = (double)job->grid.blocks / (double)s->window.resident;
    double apart = issued_waves(s);
    bool start = s->window.kind == WINDOW_START;
    double spread = isnan(s->spread) && start ? 0 : s->spread;
    if (isnan(spread))
        return apart;
    double in_step = blocks_in_step(blocks_apart(spread, waves));
    struct model_blocks blocks = model_blocks_of(
        job->profile, study->gpu, &study->policies[s->policy_index], s->tb,
        &job->out->params);
    return apart + in_step * (blocks.waves_in_step - waves - apart);
}

/* What a window leaves of the grid, and its end, at the window's rate; where an
 * L2 of so many times its lines takes the stores. */
static double log_sampled(const struct job *job, const struct sample *s,
                          double l2)
{
    double stores = l2 * profile_stores_left(job->profile, job->study->gpu);
    const struct window *w = &s->window;
    double launch = job->study->gpu->launch.kernel_cycles;
    double block = job->grid.block_insts, wave = block * (double)w->resident;
    double rest = block * (double)job->grid.blocks, begun = 0;
    const struct steady *start =
        w->kind == WINDOW_START ? &s->steady : &s->start;
    if (w->kind == WINDOW_GRID)
        return log(s->run.cycles);
    if (s->rest > 0)
        return log(s->steady.end_cycle + s->rest);
    if (start->begun > 0)
        begun = start->end_cycle;
    else
        begun = launch + START_EXTRA * wave * s->steady.cycles_per_inst;
    rest = fmax(rest - start->begun, 0) + end_waves(job, s) * wave;
    return log(begun + rest * s->steady.cycles_per_inst *
                           written_later(job, s, start->begun, stores));
}

/* Two independent estimates weighed by their precisions: a window that says
 * little leaves the model's answer, and none is less sure than the model. */
static struct prediction of_sample(const struct job *job,
                                   const struct sample *s)
{
    double measured = window_deviation(&s->window, &job->grid, &s->steady);
    double filled =
        (log_sampled(job, s, 1 / L2_FILLED) - log_sampled(job, s, L2_FILLED)) /
        2;
    double sd =
        hypot(hypot(measured, slice_unsure(job, s)), hypot(s->uneven, filled));
    double sampled = log_sampled(job, s, 1) + slice_correction(job, s);
    struct prediction m = of_model(job, s->tb, s->policy_index);
    double both = hypot(sd, m.sd), share = sd * sd / (both * both);
    return (struct prediction){.sample = s,
                               .known = true,
                               .log_cycles =
                                   sampled + share * (m.log_cycles - sampled),
                               .sd = sd * m.sd / both};
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

static bool is_vague(const struct job *job, double sd, double own_sd)
{
    double enough = log1p(job->error_pct / 100) / NORMAL_90;
    bool worth = own_sd <= enough || sd > WORTH_SAMPLING * own_sd;
    return sd > enough && worth;
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
    if (p.sample != NULL) {
        point_from_sample(out, job, p.sample, p.log_cycles, p.sd);
        return;
    }
    model_estimate(out, job->profile, study->gpu, &study->policies[policy],
                   study->tb[tb], &job->out->params);
    if (p.known)
        point_from_model(out, study->gpu, p.log_cycles, p.sd);
    out->partial = job->limited;
}

/* Deviation of the log difference of two samples, over the same blocks, by
 * their parts; and by how much farther a slice is from the one than from the
 * other: what both are off by is in no difference. */
static double pair_sd(const struct job *job, const struct sample *a,
                      const struct sample *b)
{
    double slice = 0;
    if ((a->window.slice_sms > 0) != (b->window.slice_sms > 0))
        return INFINITY;
    if (a->window.slice_sms > 0)
        slice = hypot(PAIR_SLICE, slice_unsure(job, a) - slice_unsure(job, b));
    if (a->window.kind == WINDOW_START && slice > 0)
        return slice;
    return hypot(hypot(PAIR_ALWAYS, slice),
                 PAIR_PARTS * steady_pair_error(&a->steady, &a->planned,
                                                &b->steady, &b->planned,
                                                a->window.wave));
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
    *delta = point_delta(
        log(r[job_at(job, tb, policy)].cycles / r[job_at(job, tb, to)].cycles),
        fmin(pair_sd(job, a, b), point_delta_sd(delta)));
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
