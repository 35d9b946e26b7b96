/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/sample.h"

#include "calib/block_times.h"
#include "calib/constants.h"
#include "calib/course.h"
#include "configs/gpu.h"
#include "sampler/sampler.h"

#include <math.h>

/* Marks of a run: as many as are due, and room for more. */
#define MARKS     64
#define MARKS_MAX 256

/* The progress of a run. */
struct progress {
    const struct window *window;
    struct mark mark[MARKS_MAX];
    size_t count;
    struct sampler_underway underway;
    struct block_times blocks;
    uint64_t first_ended; /* of the first wave */
    uint64_t underway_ended;
    uint64_t ended_insts;        /* of blocks that ended */
    uint64_t whole, whole_insts; /* blocks run from their beginning to their
                                  * end, and their instructions */
    double issued, time;         /* by resident blocks, times cycles; cycles */
    bool goes_on;                /* for `more`, since its parts differ */
    bool stopped;                /* by us, not by a limit */
};

/* Run to the end of its blocks. */
static bool is_whole(const struct window *w)
{
    return w->kind == WINDOW_GRID || w->kind == WINDOW_SLICE;
}

/* Warp instructions that the window may take. */
static double most_insts(const struct window *w)
{
    double insts = w->settle + w->insts;
    return w->kind == WINDOW_FIRST_WAVE ? START_MOST * insts : insts + w->more;
}

static bool has_enough(struct progress *p, double insts)
{
    const struct window *w = p->window;
    struct steady s;
    bool goes_on = w->kind == WINDOW_FIRST_WAVE ? p->first_ended < w->resident
                                                : p->goes_on;
    if (goes_on || insts < w->settle + w->insts)
        return insts >= most_insts(w);
    p->goes_on =
        w->more > 0 &&
        steady_measure(&s, p->mark, p->count, w->settle, INFINITY, w->wave) &&
        s.error > w->enough;
    return !p->goes_on;
}

/* Resident blocks have issued what those that ended have not, once blocks that
 * began in their middle have ended. */
static void look_at_residents(struct progress *p, uint64_t cycle,
                              uint64_t insts)
{
    const struct window *w = p->window;
    if (p->count == 0 || p->underway_ended < w->underway ||
        (double)insts < w->settle)
        return;
    double cycles = (double)(cycle - p->mark[p->count - 1].cycle);
    p->issued += (double)(insts - p->ended_insts) * cycles;
    p->time += cycles;
}

static bool on_progress(void *user, uint64_t cycle, uint64_t insts)
{
    struct progress *p = user;
    look_at_residents(p, cycle, insts);
    if (p->count < MARKS_MAX)
        p->mark[p->count++] = (struct mark){cycle, insts};
    p->stopped = !is_whole(p->window) &&
                 (p->count == MARKS_MAX || has_enough(p, (double)insts));
    return !p->stopped;
}

static bool on_block(void *user, uint64_t block, uint64_t start, uint64_t end,
                     uint64_t insts)
{
    struct progress *p = user;
    const struct window *w = p->window;
    bool of_first = block - w->first < w->resident;
    p->first_ended += of_first;
    p->underway_ended += block - w->first < w->underway;
    p->ended_insts += insts;
    if (block - w->first >= w->underway) {
        p->whole++;
        p->whole_insts += insts;
    }
    if (of_first || w->kind != WINDOW_FIRST_WAVE)
        block_times_add(&p->blocks, block, (double)(end - start));
    return true;
}

static void keep_counts(struct sample *out, const struct sampler_run *run)
{
    const struct sampler_counts *c = &run->counts;
    out->started = true;
    out->run = run->result;
    out->blocks = c->blocks_done;
    out->insts = (double)c->warp_insts;
    out->departed |= run->departed;
    out->bytes_per_inst =
        c->warp_insts > 0 ? (double)c->dram_bytes / (double)c->warp_insts : NAN;
}

/* A wave beyond what is measured: blocks that are on their way then have ended
 * in the first pass. Those that begin later, where measuring goes on, count as
 * shorter than others. 0: all of the grid. */
static uint64_t first_pass(const struct window *w)
{
    double insts = w->settle + w->insts + w->wave;
    return is_whole(w) ? 0 : (uint64_t)insts + 1;
}

static bool simulate(struct sampler_run *run, struct progress *p,
                     const struct sample_request *request, struct error *e)
{
    const struct window *w = p->window;
    bool part = w->kind != WINDOW_GRID;
    double period = (w->settle + w->insts) / MARKS;
    struct sampler_options options = {.block_limit = request->tb,
                                      .max_cycles = request->max_cycles,
                                      .time_limit_s = request->time_limit_s,
                                      .first_block = w->first,
                                      .block_count = part ? w->count : 0,
                                      .warm = w->warm,
                                      .warmed = request->warmed,
                                      .underway = p->underway,
                                      .block_done = part ? on_block : NULL,
                                      .progress = part ? on_progress : NULL,
                                      .progress_period = (uint64_t)period + 1,
                                      .first_pass = first_pass(w),
                                      .oracle = request->oracle,
                                      .explain = request->explain,
                                      .user = p,
                                      .cancel = request->cancel};
    return sampler_simulate(
        run,
        &(struct sampler_job){.kernel = request->kernel,
                              .kernels = (int)request->kernels,
                              .gpu = request->gpu,
                              .policies = &request->policies,
                              .options = &options},
        e);
}

/* Blocks in step use the machine in turns, so that whole waves of them are
 * measured: of a start without the first, if there are others. */
static void set_whole_waves(double *from, double *to, const struct window *w,
                            double insts)
{
    double waves = floor(insts / w->wave);
    if (w->kind == WINDOW_START)
        *from = fmin(ceil(*from / w->wave), waves - 1) * w->wave;
    waves = floor((insts - *from) / w->wave);
    if (waves >= 1)
        *to = *from + waves * w->wave;
}

/* Of blocks underway; 0: they are anywhere. */
static bool is_in_step(double apart)
{
    return apart > 0 && apart < APART_IN_STEP;
}

/* Up to `to` warp instructions of the run. */
static bool measure(struct steady *out, const struct progress *p, double spread,
                    double to)
{
    const struct window *w = p->window;
    double from = w->settle;
    double ran = p->count > 0 ? (double)p->mark[p->count - 1].insts : 0;
    double insts = fmin(ran, to);
    bool in_step = w->kind == WINDOW_START
                       ? blocks_apart(spread, insts / w->wave) < APART_IN_STEP
                       : is_in_step(p->underway.apart);
    if (in_step && insts >= w->wave)
        set_whole_waves(&from, &to, w, insts);
    return steady_measure(out, p->mark, p->count, from, to, w->wave);
}

/* Of a run that is to begin; apart and course as in sampler_underway. */
static struct progress progress_of(const struct window *w, double apart,
                                   const double *course)
{
    return (struct progress){
        .window = w,
        .underway = {.blocks = w->underway, .apart = apart, .course = course},
        .blocks = {.first = w->first + w->underway, .resident = w->resident}};
}

/* How far blocks are from the grid's mean; 0: not more than chance may have it,
 * or than shorter ones, which end first, do. */
static double uneven_of(const struct progress *p)
{
    const struct window *w = p->window;
    if (p->whole < w->resident || w->kind == WINDOW_GRID)
        return 0;
    double mean = w->wave / (double)w->resident;
    double apart = fabs(log((double)p->whole_insts / (double)p->whole / mean));
    return apart > UNEVEN_LEAST ? apart : 0;
}

static bool run_window(struct sample *out, struct steady *measured,
                       struct progress *p, const struct sample_request *request,
                       struct error *e)
{
    const double planned = p->window->settle + p->window->insts;
    struct sampler_run run;
    if (!simulate(&run, p, request, e))
        return false;
    keep_counts(out, &run);
    out->spread = block_times_spread(&p->blocks);
    out->uneven = uneven_of(p);
    out->issued = p->issued / (p->time * p->window->wave);
    out->partial = run.result.partial && !p->stopped;
    out->done = is_whole(p->window)
                    ? !out->partial
                    : measure(measured, p, out->spread, INFINITY) &&
                          measure(&out->planned, p, out->spread, planned);
    return true;
}

/* On the window's slice, which is set. What warms the whole GPU's L2 does not
 * warm its. */
static struct sample_request on_slice(const struct sample_request *request,
                                      const struct window *w, struct gpu *slice)
{
    struct sample_request out = *request;
    gpu_slice(slice, request->gpu, w->slice_sms);
    out.gpu = slice;
    out.warmed = NULL;
    return out;
}

/* What a slice that ran to its end, `whole`, says of what the start measured,
 * and of what comes behind it: of as large a part of its own blocks. */
static void compare(struct sample *out, const struct progress *slice,
                    const struct sample *whole)
{
    const struct window *w = &out->window;
    const struct steady *m = &out->steady;
    double share =
        whole->insts / ((double)w->count * w->wave / (double)w->resident);
    double end = course_cycle(slice->mark, slice->count, share * m->begun);
    double begin =
        course_cycle(slice->mark, slice->count, share * (m->begun - m->insts));
    out->rest = whole->run.cycles - end;
    out->slower =
        end > begin ? m->insts * m->cycles_per_inst / (end - begin) : 1;
    out->uneven = fmax(out->uneven, whole->uneven);
    out->insts += whole->insts;
}

/* A start beside a slice. Its run is the sample's. */
static bool run_start(struct sample *out, const struct sample_request *request,
                      struct error *e)
{
    const struct window of_slice = window_slice(&out->window);
    struct progress slice = progress_of(&of_slice, 0, NULL);
    struct gpu gpu;
    const struct sample_request on = on_slice(request, &out->window, &gpu);
    if (!run_window(out, &out->steady, &slice, &on, e))
        return false;
    if (!out->done)
        return true;
    struct sample whole = *out;
    struct progress start = progress_of(&out->window, 0, NULL);
    if (!run_window(out, &out->steady, &start, request, e))
        return false;
    if (out->done)
        compare(out, &slice, &whole);
    return true;
}

/* How far from step the grid's first wave leaves the blocks that the window
 * begins with; 0: they may be anywhere. */
static double apart_by_then(const struct window *w, double spread)
{
    double waves = 1 + (double)w->first / (double)w->resident;
    double apart = blocks_apart(spread, waves);
    return apart < APART_ANYWHERE ? fmax(apart, APART_LEAST) : 0;
}

/* A middle window as its slice has it, or the whole GPU, and its start before
 * it. */
static bool run_middle(struct sample *sample, const struct window *w,
                       const struct sample_request *request, struct error *e)
{
    const struct window start = {.kind = WINDOW_FIRST_WAVE,
                                 .count = w->first + w->count,
                                 .resident = w->resident,
                                 .insts = w->start,
                                 .wave = w->wave};
    double before = 0, apart = 0, issued[COURSE_PARTS + 1];
    const double *course = NULL;
    struct progress p = progress_of(&start, 0, NULL);
    if (w->start > 0) {
        if (!run_window(sample, &sample->start, &p, request, e))
            return false;
        before = sample->insts;
        apart = apart_by_then(&sample->window, sample->spread);
        if (sample->partial || !sample->done)
            return true;
        if (course_of(issued, p.mark, p.count, w->wave))
            course = issued;
    }
    const struct window middle = apart > 0 ? window_in_step(w) : *w;
    p = progress_of(&middle, apart, course);
    bool ok = run_window(sample, &sample->steady, &p, request, e);
    sample->insts += before;
    return ok;
}

/* What it measured is as though all of the GPU did. */
static bool run_middle_on_slice(struct sample *sample,
                                const struct sample_request *request,
                                struct error *e)
{
    const struct window w = window_on_slice(&sample->window);
    double times = 1 / window_slice_share(&sample->window);
    struct gpu gpu;
    const struct sample_request on = on_slice(request, &w, &gpu);
    if (!run_middle(sample, &w, &on, e))
        return false;
    steady_scale(&sample->steady, times);
    steady_scale(&sample->planned, times);
    steady_scale(&sample->start, times);
    return true;
}

bool sample_run(struct sample *sample, const struct sample_request *request,
                struct error *e)
{
    const struct window *w = &sample->window;
    if (w->slice_sms == 0)
        return run_middle(sample, w, request, e);
    return w->kind == WINDOW_START ? run_start(sample, request, e)
                                   : run_middle_on_slice(sample, request, e);
}
