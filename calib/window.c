/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/window.h"

#include "base/result.h"
#include "calib/constants.h"

#include <math.h>

static double resident(const struct window_grid *grid, int tb)
{
    return fmin((double)tb * grid->gpu_sms, (double)grid->blocks);
}

static double wave_insts(const struct window_grid *grid, int tb)
{
    return resident(grid, tb) * grid->block_insts;
}

static double grid_insts(const struct window_grid *grid)
{
    return (double)grid->blocks * grid->block_insts;
}

double window_share(const struct window_grid *grid, int tb)
{
    return resident(grid, tb) / (double)grid->blocks;
}

/* What no longer window takes away. */
static double lasting(const struct window_grid *grid, int tb)
{
    double ends = ERROR_ENDS * window_share(grid, tb);
    return hypot(hypot(ERROR_ALWAYS, ends), grid->insts_error);
}

/* Whether a window's parts are compared with those at the same place of its
 * other waves: what blocks of a wave do in turns is in no difference. */
static bool waves_are_compared(double waves)
{
    return steady_parts_of_wave(waves) > 1;
}

/* What so many measured waves leave: below one, all of what they began with
 * weighs on them. */
static double of_waves(double waves)
{
    double one = waves_are_compared(waves) ? ERROR_WAVE_COMPARED : ERROR_WAVE;
    return one / (waves < 1 ? waves : sqrt(waves));
}

/* Whether each of a window's parts is some waves: they differ by where in the
 * grid they are. */
static bool parts_are_waves(double waves)
{
    return waves >= PART_WAVES * STEADY_PARTS;
}

/* By how much parts err, as a share of their standard error. */
static double of_parts(double waves)
{
    bool all = parts_are_waves(waves) || waves_are_compared(waves);
    return all ? 1 : ERROR_PARTS;
}

/* Waves to measure for a deviation. */
static double waves_for(double sd)
{
    double times = ERROR_WAVE / sd;
    return times < 1 ? times : times * times;
}

void window_whole(struct window *out, const struct window_grid *grid, int tb)
{
    *out = (struct window){.kind = WINDOW_GRID,
                           .count = grid->blocks,
                           .resident = (uint64_t)resident(grid, tb),
                           .tb = tb,
                           .insts = grid_insts(grid)};
}

static bool is_few_waves(const struct window_grid *grid, int tb)
{
    return (double)grid->blocks < FEW_WAVES * resident(grid, tb);
}

/* Whether SMs contend as no slice shows: blocks share their lines, or requests
 * of few waves crowd slices of the L2. */
static bool is_shared(const struct window_grid *grid, int tb)
{
    return grid->shared || (grid->crowded && is_few_waves(grid, tb));
}

/* Whether a start and a slice beside it do not tell the rest: no slice does, or
 * the start ends before the L2 is full of stores and says nothing of how the
 * whole GPU and its slice are apart from then on. Measured: a slice is up to
 * 1.4 times as fast then (sums in half precision in place on h100, 26 % too
 * fast by it; a Jacobi step there and on a100, 7 and 5 %). */
static bool slice_misleads(const struct window_grid *grid, int tb)
{
    bool fills_later = grid->filled > START_SHARE && grid->filled < 1;
    return is_shared(grid, tb) || fills_later;
}

static double deviation_of(double error_pct)
{
    return AIM * log1p(error_pct / 100) / NORMAL_90;
}

/* Warp instructions of a wave's that take so many waves, and so many of each
 * SM. */
static double at_least(const struct window_grid *grid, int tb, double waves,
                       double sm_insts)
{
    return fmax(waves * wave_insts(grid, tb), sm_insts * grid->gpu_sms);
}

/* Warp instructions to measure for a deviation, INFINITY when no window is
 * enough. */
static double measured_for(const struct window_grid *grid, int tb, double sd)
{
    double rest = lasting(grid, tb);
    if (sd <= rest)
        return INFINITY;
    double waves = waves_for(sqrt(sd * sd - rest * rest));
    if (waves > MOST_WAVES)
        return INFINITY;
    double least = fmin(ceil(waves), MEASURED_WAVES);
    return at_least(grid, tb, fmax(waves, least),
                    MEASURED_INSTS * least / MEASURED_WAVES);
}

static double settling(const struct window_grid *grid, int tb)
{
    return at_least(grid, tb, SETTLE_WAVES, SETTLE_INSTS);
}

/* 0 where it does not matter. The caches are cold until all addresses have been
 * seen. */
static double start_insts(const struct window_grid *grid, int tb)
{
    double start = at_least(grid, tb, START_WAVES, START_INSTS);
    if ((double)grid->period <= START_PERIOD * (double)grid->blocks)
        start = fmax(start, (double)grid->period * grid->block_insts);
    return grid_insts(grid) < MANY_STARTS * start ? start : 0;
}

/* INFINITY, too, becomes the whole grid. */
static double insts_for(const struct window_grid *grid, int tb,
                        double error_pct)
{
    double insts = measured_for(grid, tb, deviation_of(error_pct)) +
                   settling(grid, tb) + start_insts(grid, tb);
    return fmin(insts, grid_insts(grid));
}

static void set_start(struct window *out, const struct window_grid *grid,
                      int tb, double insts)
{
    *out = (struct window){.kind = WINDOW_START,
                           .count = grid->blocks,
                           .resident = (uint64_t)resident(grid, tb),
                           .tb = tb,
                           .settle = START_UNCOUNTED * insts,
                           .insts = (1 - START_UNCOUNTED) * insts,
                           .wave = wave_insts(grid, tb)};
}

/* As many SMs as have so much of the GPU, one at least, and whole channels of
 * memory where that leaves some. */
static int slice_sms(const struct window_grid *grid, double share)
{
    int sms = (int)fmax(1, share * grid->gpu_sms);
    for (int n = sms; n > 0; n--)
        if ((int64_t)n * grid->gpu_channels % grid->gpu_sms == 0)
            return n;
    return sms;
}

/* A start of up to `most` warp instructions, part of which its slice takes, and
 * of what that leaves no more than `start`. False where that is too little for
 * both. */
static bool set_start_and_slice(struct window *out,
                                const struct window_grid *grid, int tb,
                                double most, double start)
{
    double all = grid_insts(grid);
    double part = fmin(1, most / ((START_SHARE + SLICE_SHARE) * all));
    int sms = slice_sms(grid, part * SLICE_SHARE);
    double blocks = ceil((double)grid->blocks * sms / grid->gpu_sms);
    double left = most - blocks * grid->block_insts;
    if (part < SLICE_LEAST)
        return false;
    start = fmin(start, fmax(left, START_LEAST * most));
    set_start(out, grid, tb, fmin(START_SHARE * part * all, start));
    out->slice_sms = sms;
    out->slice_blocks = (uint64_t)blocks;
    double longest = fmin(out->wave, UNSTEADY_CAPS * most);
    if (grid->unsteady)
        out->more = fmax(0, longest - out->settle - out->insts);
    out->enough = out->more > 0 ? START_UNEVEN : 0;
    return true;
}

int window_slice_sms(const struct window *w)
{
    return w->slice_sms > 0 ? w->slice_sms : 1;
}

struct window window_slice(const struct window *w)
{
    uint64_t at_once = (uint64_t)w->tb * (uint64_t)window_slice_sms(w);
    uint64_t blocks = w->slice_blocks;
    uint64_t resident = at_once < blocks ? at_once : blocks;
    double insts = w->wave / (double)w->resident; /* of a block */
    return (struct window){.kind = WINDOW_SLICE,
                           .count = blocks,
                           .resident = resident,
                           .tb = w->tb,
                           .insts = (double)blocks * insts,
                           .wave = (double)resident * insts};
}

/* So many waves more, or all that there is room for where the parts tell how
 * the grid goes on, and the error of parts above which they are run: that with
 * which the window would not reach error_pct. */
static void set_more(struct window *out, const struct window_grid *grid, int tb,
                     double error_pct, double most)
{
    double wave = wave_insts(grid, tb), waves = out->insts / wave;
    double goal = log1p(error_pct / 100) / NORMAL_90;
    double rest = hypot(lasting(grid, tb), of_waves(waves));
    double more = parts_are_waves(waves) ? floor(most / wave)
                                         : fmax(1, round(MORE_WAVES * waves));
    if (more * wave > most)
        return;
    out->more = more * wave;
    out->enough =
        rest < goal ? sqrt(goal * goal - rest * rest) / of_parts(waves) : 0;
}

/* Warp instructions to measure of a window that a budget cuts to `insts`: of
 * one to three waves whole ones, since whatever blocks do in turns is then in
 * them as often as in the grid. Up to `most` of them. */
static double whole_waves(double insts, double wave, double most)
{
    double waves = insts / wave, near = round(waves);
    if (waves < 1 || waves >= MEASURED_WAVES)
        return insts;
    return wave * (near * wave <= most ? near : floor(waves));
}

/* Blocks of which the last is launched when the L2 is surely full of stores. */
static double filled_by(const struct window_grid *grid)
{
    return FILLED_BEHIND * grid->filled * (double)grid->blocks;
}

/* The blocks of a middle of so many warp instructions, which `share` of the GPU
 * runs: two waves beyond them, with as many before the first as behind the
 * last; of those behind which the L2 is full of stores, if they are enough. */
static void place(struct window *out, const struct window_grid *grid,
                  double insts, double share)
{
    double count =
        share * (2 * (double)out->resident + insts / grid->block_insts) + 1;
    uint64_t warm = (uint64_t)(share * WARM_INSTS / grid->block_insts);
    out->count = (uint64_t)fmin(count, (double)grid->blocks);
    uint64_t last = grid->blocks - out->count;
    out->first = last / 2;
    if (filled_by(grid) > (double)out->first && filled_by(grid) < (double)last)
        out->first = (last + (uint64_t)filled_by(grid)) / 2;
    out->warm = warm < out->first ? warm : out->first;
}

/* Room for what measuring may go on for behind a window that lies where it is:
 * no more than the grid has there. */
static void make_room(struct window *out, const struct window_grid *grid)
{
    uint64_t left = grid->blocks - out->first - out->count;
    double room = (double)left * grid->block_insts;
    out->more = floor(fmin(out->more, room) / out->wave) * out->wave;
    out->count += (uint64_t)(out->more / grid->block_insts);
}

/* Make the start as long as the window, if that is behind what the L2 takes of
 * stores, and the start may be before that. It takes up to `most` warp
 * instructions. */
static void set_early(struct window *out, const struct window_grid *grid,
                      double most)
{
    double until = grid->filled / L2_FILLED * grid_insts(grid);
    double early = fmin(out->settle + out->insts, until);
    bool behind = filled_by(grid) <= (double)out->first;
    if (grid->filled < FILLED_LEAST || !behind || early > most ||
        early < out->settle + out->wave || early < out->start)
        return;
    out->start = early;
    out->start_settle = out->settle;
}

/* Of the middle, and of the start where that matters: out of what both may
 * take where that leaves enough, or else beside it, and the middle is longer
 * where the start shows that blocks are in step, of which a part of a wave
 * would say nothing. All of it within most_insts. */
static void set_middle(struct window *out, const struct window_grid *grid,
                       int tb, double insts, double error_pct, double cap_insts,
                       double most_insts)
{
    double at_once = resident(grid, tb), start = start_insts(grid, tb);
    double in_step = (SETTLE_WAVES + IN_STEP_WAVES) * wave_insts(grid, tb);
    bool enough = insts - start >= in_step;
    double middle = enough ? insts - start : insts;
    if (!enough && start + fmax(middle, in_step) > most_insts)
        start = 0;
    double settle = fmin(settling(grid, tb), SETTLE_SHARE * middle);
    double measured = middle - settle;
    if (insts >= cap_insts) {
        measured = whole_waves(measured, wave_insts(grid, tb),
                               fmax(middle, most_insts - start) - settle);
        settle = fmin(settling(grid, tb), fmax(settle, middle - measured));
    }
    *out = (struct window){.kind = WINDOW_MIDDLE,
                           .resident = (uint64_t)at_once,
                           .tb = tb,
                           .underway = (uint64_t)at_once,
                           .settle = settle,
                           .insts = measured,
                           .start = start,
                           .in_step = start > 0 && !enough ? in_step : 0,
                           .wave = wave_insts(grid, tb)};
    set_more(out, grid, tb, error_pct,
             fmin(most_insts, (1 + MORE_WAVES) * cap_insts) - insts);
    bool behind = parts_are_waves(measured / out->wave);
    double within = behind ? 0 : out->more;
    place(out, grid, fmax(settle + measured + within, out->in_step), 1);
    if (behind)
        make_room(out, grid);
    set_early(out, grid, most_insts - settle - measured);
}

/* Warp instructions of a middle that a slice is to run, as the whole GPU has
 * them: a wave to settle, some to measure. */
static double middle_on_slice(const struct window_grid *grid, int tb)
{
    return (SETTLE_WAVES + MEASURED_WAVES) * wave_insts(grid, tb);
}

/* Of the GPU, that runs it within cap_insts, and the start where that matters.
 */
static double slice_share(const struct window_grid *grid, int tb,
                          double cap_insts)
{
    return cap_insts / (start_insts(grid, tb) + middle_on_slice(grid, tb));
}

/* Such a middle within cap_insts of a slice, or what there is room for on one
 * SM: of the start none where that leaves not even one wave to measure. */
static void set_middle_on_slice(struct window *out,
                                const struct window_grid *grid, int tb,
                                double cap_insts)
{
    double at_once = resident(grid, tb), wave = wave_insts(grid, tb);
    double start = start_insts(grid, tb);
    double middle = middle_on_slice(grid, tb);
    int sms = slice_sms(grid, slice_share(grid, tb, cap_insts));
    double share = (double)sms / grid->gpu_sms;
    double room = cap_insts / share;
    if (start + (SETTLE_WAVES + 1) * wave > room)
        start = 0;
    middle = fmin(middle, room - start);
    double settle = fmin(SETTLE_WAVES * wave, SETTLE_SHARE * middle);
    *out = (struct window){.kind = WINDOW_MIDDLE,
                           .resident = (uint64_t)at_once,
                           .tb = tb,
                           .underway = (uint64_t)at_once,
                           .settle = settle,
                           .insts = middle - settle,
                           .start = start,
                           .wave = wave,
                           .slice_sms = sms};
    place(out, grid, middle, share);
}

/* Of two waves and more: a brief start, and a middle of blocks that are
 * anywhere, out of what another window takes. False for fewer. */
static bool set_brief_start_and_middle(struct window *out,
                                       const struct window_grid *grid, int tb,
                                       double insts)
{
    double at_once = resident(grid, tb);
    double start = BRIEF_START * insts, middle = BRIEF_MIDDLE * insts;
    double settle = fmin(settling(grid, tb), SETTLE_SHARE * middle);
    if ((double)grid->blocks < BRIEF_WAVES * at_once)
        return false;
    *out = (struct window){.kind = WINDOW_MIDDLE,
                           .resident = (uint64_t)at_once,
                           .tb = tb,
                           .underway = (uint64_t)at_once,
                           .settle = settle,
                           .insts = middle - settle,
                           .start = start,
                           .shared = grid->shared,
                           .wave = wave_insts(grid, tb)};
    place(out, grid, middle, 1);
    if (is_few_waves(grid, tb))
        out->slice_blocks =
            (uint64_t)ceil((double)grid->blocks / grid->gpu_sms);
    return true;
}

/* Whether of a window within cap_insts less than a wave would be measured. */
static bool is_heavy(const struct window_grid *grid, int tb, double cap_insts)
{
    double settle = fmin(settling(grid, tb), SETTLE_SHARE * cap_insts);
    return cap_insts - settle < wave_insts(grid, tb);
}

double window_insts_for(const struct window_grid *grid, int tb,
                        double error_pct)
{
    double share = fmax(1.0 / grid->gpu_sms, SLICE_MIDDLE_LEAST);
    double on_slice =
        share * (start_insts(grid, tb) + middle_on_slice(grid, tb));
    double as_usual = ERROR_WAVE / sqrt(MEASURED_WAVES); /* waves differ so */
    double sd = hypot(hypot(lasting(grid, tb), ERROR_SLICE_MIDDLE), as_usual);
    bool does = !grid->shared && NORMAL_90 * sd <= log1p(error_pct / 100);
    return does && !is_few_waves(grid, tb) && is_heavy(grid, tb, on_slice)
               ? on_slice
               : insts_for(grid, tb, error_pct);
}

/* Warp instructions up to which a grid of few waves is run whole. */
static double few_worth(const struct window_grid *grid, int tb,
                        double cap_insts, double few_cap_insts)
{
    bool more = slice_misleads(grid, tb) && few_cap_insts > cap_insts;
    return few_cap_insts * (more ? SHARED_WORTH : 1);
}

/* Of heavy waves whose blocks share their lines: a slice has too few of those
 * that bring them, and blocks that are anywhere ask for others than those
 * beside them do. The grid's own start has both, once it is some waves. */
static bool set_start_of_shared(struct window *out,
                                const struct window_grid *grid, int tb,
                                double insts)
{
    if (!is_shared(grid, tb) || insts < SHARED_WAVES * wave_insts(grid, tb))
        return false;
    set_start(out, grid, tb, insts);
    return true;
}

/* Of many heavy waves, within `longer`: a start and a slice, or, where their
 * blocks share their lines, some waves from the grid's start on, or else a
 * brief start and middle, out of `most`. False where a slice in the middle may
 * tell. */
static bool set_heavy(struct window *out, const struct window_grid *grid,
                      int tb, double cap_insts, double longer, double most)
{
    bool small = slice_share(grid, tb, cap_insts) < SLICE_MIDDLE_LEAST;
    if (!grid->shared)
        return small && set_start_and_slice(out, grid, tb, longer, INFINITY);
    return set_start_of_shared(out, grid, tb, longer) ||
           set_brief_start_and_middle(out, grid, tb, most);
}

/* A brief start and middle out of `most`, or a slice within few_cap_insts
 * beside a start of up to `most`: what takes less; where there is no brief
 * start, a start of what the slice leaves. False where neither does. */
static bool set_brief_or_slice(struct window *out,
                               const struct window_grid *grid, int tb,
                               double most, double few_cap_insts)
{
    struct window slice;
    bool brief = set_brief_start_and_middle(out, grid, tb, most);
    double start = brief ? most : INFINITY;
    if (!set_start_and_slice(&slice, grid, tb, few_cap_insts, start))
        return brief;
    if (!brief || window_cost(&slice, grid) < window_cost(out, grid))
        *out = slice;
    return true;
}

/* Of a grid of few waves that is not run whole. */
static void set_few(struct window *out, const struct window_grid *grid, int tb,
                    double insts, double most, double few_cap_insts)
{
    bool set = set_start_of_shared(out, grid, tb, most);
    set = set || (is_shared(grid, tb) &&
                  set_brief_start_and_middle(out, grid, tb, most));
    set = set || set_start_and_slice(out, grid, tb, most, INFINITY);
    set = set || set_brief_or_slice(out, grid, tb, most, few_cap_insts);
    if (!set)
        set_start(out, grid, tb, insts);
}

void window_plan(struct window *out, const struct window_grid *grid, int tb,
                 double error_pct, double cap_insts, double few_cap_insts)
{
    double longer = fmin(IN_STEP_CAPS * cap_insts, few_cap_insts);
    double most = fmin(START_CAPS * cap_insts, few_cap_insts);
    bool few = is_few_waves(grid, tb);
    double wanted = insts_for(grid, tb, error_pct);
    bool enough = wanted < grid_insts(grid);
    if (few)
        wanted = fmin(wanted, START_SHARE * grid_insts(grid));
    double insts = fmin(wanted, cap_insts);
    double worth = enough ? fmin(WHOLE_GRID * insts, cap_insts) : cap_insts;
    if (few)
        worth = few_worth(grid, tb, cap_insts, few_cap_insts);
    if (grid_insts(grid) <= worth)
        window_whole(out, grid, tb);
    else if (few)
        set_few(out, grid, tb, insts, most, few_cap_insts);
    else if (!is_heavy(grid, tb, cap_insts) ||
             !set_heavy(out, grid, tb, cap_insts, longer, most))
        set_middle(out, grid, tb, insts, error_pct, cap_insts, longer);
}

bool window_plan_slice(struct window *out, const struct window_grid *grid,
                       int tb, double cap_insts)
{
    bool does = !is_few_waves(grid, tb) && !grid->shared && grid->gpu_sms > 1 &&
                is_heavy(grid, tb, cap_insts);
    if (does)
        set_middle_on_slice(out, grid, tb, cap_insts);
    return does;
}

double window_slice_share(const struct window *w)
{
    bool whole = w->kind != WINDOW_MIDDLE || w->slice_sms == 0;
    return whole ? 1 : (double)(w->tb * w->slice_sms) / (double)w->resident;
}

struct window window_on_slice(const struct window *w)
{
    double share = window_slice_share(w);
    struct window out = *w;
    if (share >= 1)
        return out;
    out.resident = (uint64_t)w->tb * (uint64_t)w->slice_sms;
    out.underway = out.resident;
    out.settle *= share;
    out.insts *= share;
    out.start *= share;
    out.wave *= share;
    return out;
}

struct window window_first_wave(const struct window *w, double settle,
                                double insts)
{
    return (struct window){.kind = WINDOW_FIRST_WAVE,
                           .count = w->first + w->count,
                           .resident = w->resident,
                           .settle = settle,
                           .insts = insts,
                           .wave = w->wave};
}

double window_waves_before(const struct window *w)
{
    return 1 + (double)w->first / (double)w->resident;
}

bool window_is_whole(const struct window *w)
{
    return w->kind == WINDOW_GRID || w->kind == WINDOW_SLICE;
}

bool window_may_look(const struct window *w)
{
    return w->kind == WINDOW_MIDDLE && w->start <= 0 && w->slice_sms == 0 &&
           w->tb > 1;
}

bool window_start_is_brief(const struct window *w)
{
    return w->start > 0 && w->start < w->wave;
}

struct window window_in_step(const struct window *w)
{
    struct window out = *w;
    if (w->in_step > 0) {
        out.settle = w->in_step * SETTLE_WAVES / (SETTLE_WAVES + IN_STEP_WAVES);
        out.insts = w->in_step - out.settle;
    }
    return out;
}

double window_cost(const struct window *w, const struct window_grid *grid)
{
    double waves = w->slice_blocks > 0 ? 2 : 4; /* of one SM, at most */
    double lone = window_start_is_brief(w) ? waves * w->tb : 0;
    double slice = ((double)w->slice_blocks + lone) * grid->block_insts;
    return w->kind == WINDOW_GRID
               ? grid_insts(grid)
               : window_slice_share(w) * (w->start + w->settle + w->insts) +
                     slice + w->long_block.insts;
}

/* Where the first wave is what was measured: it has cold caches, and what comes
 * behind it may not. */
static double of_cold_start(const struct window *w,
                            const struct window_grid *grid,
                            const struct steady *measured)
{
    double before = measured->begun - measured->insts;
    bool cold = w->kind == WINDOW_START && measured->begun > 0 &&
                before < 0.1 * measured->insts;
    return cold ? START_EXTRA * (1 - measured->begun / grid_insts(grid)) : 0;
}

double window_deviation(const struct window *w, const struct window_grid *grid,
                        const struct steady *measured)
{
    if (w->kind == WINDOW_GRID)
        return 0;
    double waves = measured->insts / ((double)w->resident * grid->block_insts);
    double parts = of_parts(waves) * measured->error;
    if (window_start_is_brief(w))
        return hypot(ERROR_BRIEF, parts);
    if (w->slice_blocks > 0)
        return hypot(slice_misleads(grid, w->tb) ? ERROR_SLICE_SHARED
                                                 : ERROR_SLICE,
                     parts);
    double rate =
        hypot(hypot(of_waves(waves), parts), of_cold_start(w, grid, measured));
    double slice = w->slice_sms > 0 ? ERROR_SLICE_MIDDLE : 0;
    bool start = w->kind == WINDOW_START && is_shared(grid, w->tb);
    double part = start ? ERROR_START_SHARED : slice;
    return hypot(hypot(lasting(grid, w->tb), part), rate);
}
