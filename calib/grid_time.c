/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/grid_time.h"

#include "calib/block_times.h"
#include "calib/constants.h"
#include "calib/long_block.h"
#include "calib/slice.h"
#include "configs/gpu.h"

#include <math.h>

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
    return job_model_cycles(job, &job->study->policies[s->policy_index], s->tb,
                            stores_left);
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
 * have come to. A start that is slower waits for lines that are new to the L2,
 * which ends sooner. */
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
    if (s->window.start_settle > 0)
        return rest + (1 - rest) * fmin(1, s->start.cycles_per_inst /
                                               s->steady.cycles_per_inst);
    double kept = model_cycles(job, s, 1),
           more = model_cycles(job, s, 0) - kept;
    return (kept + rest * more) / (kept + window * more);
}

/* Coherence of the blocks that end the grid (block_times.h); NAN where nothing
 * is known of their times. Those of a start that is cut before a block has
 * ended are in step, for all that it shows. */
static double in_step(const struct job *job, const struct sample *s)
{
    double waves = (double)job->grid.blocks / (double)s->window.resident;
    bool start = s->window.kind == WINDOW_START;
    double spread = isnan(s->spread) && start ? 0 : s->spread;
    if (s->first_wave > 0 || slice_tells(s))
        spread = s->lone_spread;
    return blocks_in_step(blocks_apart(spread, waves));
}

/* Waves, in blocks' times, if all blocks began and ended together. */
static double waves_in_step(const struct job *job, const struct sample *s,
                            uint64_t grid, const struct gpu *gpu)
{
    const struct policy_set *policy = &job->study->policies[s->policy_index];
    struct model_params params = job->out->params;
    params.alike = s->alike;
    return model_blocks_of(job->profile, (double)grid, gpu, policy, s->tb,
                           &params)
        .waves_in_step;
}

/* Waves that the grid's end takes longer than that of the slice's share of it
 * where blocks are in step: of many SMs the first to end their blocks take all
 * the next ones that they have room for. */
static double fuller_waves(const struct job *job, const struct sample *s)
{
    const struct window *w = &s->window;
    struct gpu slice;
    gpu_slice(&slice, job->study->gpu, w->slice_sms);
    return waves_in_step(job, s, job->grid.blocks, job->study->gpu) -
           waves_in_step(job, s, w->slice_blocks, &slice);
}

/* Cycles of so many waves of blocks that are as far in step as the slice's. */
static double in_step_cycles(const struct job *job, const struct sample *s,
                             double waves)
{
    double wave = job->grid.block_insts * (double)s->window.resident;
    return in_step(job, s) * waves * wave * s->steady.cycles_per_inst;
}

/* SMs that have a block. */
static double busy_sms(const struct job *job)
{
    return fmin(job->study->gpu->sms, (double)job->grid.blocks);
}

/* Deviation of when SMs end, in cycles, as far as that is in no order. */
static double ends_apart(const struct job *job, const struct sample *s)
{
    return (1 - in_step(job, s)) * s->apart;
}

/* Cycles by which the last of all SMs ends behind the last of the slice's, or
 * behind the one that ran its share: of more SMs, whose blocks end in no order,
 * the last one is later. */
static double later_end(const struct job *job, const struct sample *s)
{
    return ends_apart(job, s) * (blocks_latest(busy_sms(job)) -
                                 blocks_latest(window_slice_sms(&s->window)));
}

/* ... and how far that is by chance: the ends of both are. */
static double later_end_deviation(const struct job *job, const struct sample *s)
{
    double chance = hypot(blocks_latest_deviation(busy_sms(job)),
                          blocks_latest_deviation(s->window.slice_sms));
    return hypot(ERROR_LATER_END * later_end(job, s),
                 ends_apart(job, s) * chance);
}

/* Mean lengths by which its longest block is longer, but one that is run by
 * itself. */
static double longer(const struct job *job, const struct sample *s)
{
    return s->long_cycles > 0 ? 0 : profile_longest(job->profile);
}

/* Waves at the steady rate that the end of the grid takes beyond its blocks: as
 * many as resident blocks have issued when the last one begins, since that
 * takes a block's time from there. Blocks that are in step begin and end as
 * whole waves: the time of the grid is a sawtooth over its waves. */
static double end_waves(const struct job *job, const struct sample *s)
{
    double waves = (double)job->grid.blocks / (double)s->window.resident;
    double apart = issued_waves(s), together = in_step(job, s);
    double longest = LONGEST_WAVES * longer(job, s);
    if (isnan(together))
        return apart + longest;
    double whole = waves_in_step(job, s, job->grid.blocks, job->study->gpu);
    return apart + together * (whole - waves - apart) + longest;
}

/* Cycles that a warp instruction takes behind the start. */
static double steady_rate(const struct job *job, const struct sample *s)
{
    double wave = job->grid.block_insts * (double)s->window.resident;
    return s->later_wave > 0 ? s->later_wave / wave : s->steady.cycles_per_inst;
}

/* How far the grid has come: cycles, and the warp instructions issued by then.
 */
struct reached {
    double cycles, insts;
};

/* By where the window's rate begins to hold. */
static struct reached begun(const struct job *job, const struct sample *s)
{
    const struct window *w = &s->window;
    const struct steady *start =
        w->kind == WINDOW_START ? &s->steady : &s->start;
    double wave = job->grid.block_insts * (double)w->resident;
    if (s->first_wave > 0)
        return (struct reached){s->first_wave, wave};
    if (start->begun > 0)
        return (struct reached){start->end_cycle, start->begun};
    double launch = job->study->gpu->launch.kernel_cycles;
    return (struct reached){
        launch + START_EXTRA * wave * s->steady.cycles_per_inst, 0};
}

/* Whether a window leaves some of the grid to the rate that it measured. */
static bool goes_by_rate(const struct sample *s)
{
    return s->window.kind != WINDOW_GRID && !slice_tells(s);
}

/* written_later() of what a window leaves, where an L2 of so many times its
 * lines takes the stores. */
static double later(const struct job *job, const struct sample *s, double l2)
{
    double stores = l2 * profile_stores_left(job->profile, job->study->gpu);
    return goes_by_rate(s) ? written_later(job, s, begun(job, s).insts, stores)
                           : 1;
}

/* Of all blocks but one that is run by itself: the start, what a window leaves
 * of the grid, and its end, at so many times the cycles that the window takes.
 */
static double others_cycles(const struct job *job, const struct sample *s,
                            double times)
{
    double block = job->grid.block_insts;
    double wave = block * (double)s->window.resident;
    if (s->window.kind == WINDOW_GRID)
        return s->run.cycles;
    if (s->after_first > 0)
        return s->first_wave + s->after_first * times + later_end(job, s);
    if (slice_tells(s))
        return s->steady.end_cycle + slice_rest(s) +
               in_step_cycles(job, s, fuller_waves(job, s)) + later_end(job, s);
    struct reached by = begun(job, s);
    double rest = fmax(block * (double)job->grid.blocks - by.insts, 0) +
                  end_waves(job, s) * wave;
    return by.cycles + rest * steady_rate(job, s) * times;
}

/* ... and with that block. */
static double log_cycles(const struct job *job, const struct sample *s,
                         double times)
{
    return log(long_block_end(&job->grid, s, others_cycles(job, s, times)));
}

double grid_time_log(const struct job *job, const struct sample *s)
{
    return log_cycles(job, s, later(job, s, 1));
}

double grid_time_filled(const struct job *job, const struct sample *s)
{
    double sooner = log_cycles(job, s, later(job, s, 1 / L2_FILLED));
    double when = (sooner - log_cycles(job, s, later(job, s, L2_FILLED))) / 2;
    bool measured = s->window.start_settle > 0;
    double by_model =
        measured ? 0 : grid_time_log(job, s) - log_cycles(job, s, 1);
    return hypot(when, FILLED_MODEL_SHARE * by_model);
}

double grid_time_fuller(const struct job *job, const struct sample *s)
{
    if (!slice_tells(s))
        return 0;
    double waves = fmin(ERROR_FULLER, fabs(fuller_waves(job, s)));
    double cycles =
        hypot(in_step_cycles(job, s, waves), later_end_deviation(job, s));
    return cycles / exp(grid_time_log(job, s));
}

/* The sample as it were if behind the start the GPU took no longer than an SM.
 */
static struct sample as_alone(const struct sample *s)
{
    struct sample out = *s;
    double lasts = pow(s->slower, SLICE_LASTS);
    out.first_wave = s->first_alone;
    out.later_wave /= lasts;
    out.after_first /= lasts;
    return out;
}

double grid_time_carried(const struct job *job, const struct sample *s)
{
    if (s->first_wave <= 0)
        return 0;
    const struct sample alone = as_alone(s);
    return ERROR_SLICE_APART *
           (grid_time_log(job, s) - grid_time_log(job, &alone));
}

double grid_time_longest(const struct job *job, const struct sample *s)
{
    if (s->window.kind == WINDOW_GRID)
        return 0;
    if (s->long_cycles > 0) {
        double others = others_cycles(job, s, later(job, s, 1));
        return long_block_unsure(&job->grid, s, others) /
               long_block_end(&job->grid, s, others);
    }
    double waves = LONGEST_UNSURE * profile_longest(job->profile);
    return log1p(waves * (double)s->window.resident / (double)job->grid.blocks);
}
