/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/profile.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "model/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int heavier_first(const void *a, const void *b)
{
    const struct profile_phase *const *p = a, *const *q = b;
    double left = (*p)->metric[PHASE_LENGTH + LEVEL_DRAM];
    double right = (*q)->metric[PHASE_LENGTH + LEVEL_DRAM];
    return (left < right) - (left > right);
}

static void add_histogram(struct reuse_histogram *to,
                          const struct reuse_histogram *from, double times)
{
    for (int b = 0; b < REUSE_BINS; b++)
        to->bin[b] += from->bin[b] * (float)times;
    to->cold += from->cold * (float)times;
}

/* Add so many executions of a phase to another. */
static void add_phase(struct profile_phase *to,
                      const struct profile_phase *from, double times)
{
    for (int i = PHASE_COUNT + 1; i < PHASE_METRICS; i++)
        to->metric[i] += times * from->metric[i];
    to->barrier = to->barrier || from->barrier;
    for (int kind = 0; kind < REUSE_KINDS; kind++) {
        add_histogram(&to->l1_miss[kind], &from->l1_miss[kind], times);
        add_histogram(&to->l1_worst[kind], &from->l1_worst[kind], times);
    }
    add_histogram(&to->l2_miss, &from->l2_miss, times);
    add_histogram(&to->l2_worst, &from->l2_worst, times);
}

static void merge_phase(struct profile_phase *to,
                        const struct profile_phase *from)
{
    to->metric[PHASE_COUNT] += from->metric[PHASE_COUNT];
    add_phase(to, from, 1);
}

static void scale_histogram(struct reuse_histogram *h, double factor)
{
    for (int b = 0; b < REUSE_BINS; b++)
        h->bin[b] *= (float)factor;
    h->cold *= (float)factor;
    reuse_survival(h);
}

/* Sums over all executions to figures of one; count to that of a warp. */
static void average_phase(struct profile_phase *p, double warps)
{
    double count = p->metric[PHASE_COUNT];
    for (int i = PHASE_COUNT + 1; i < PHASE_METRICS; i++)
        p->metric[i] /= count;
    p->metric[PHASE_COUNT] = count / warps;
    for (int kind = 0; kind < REUSE_KINDS; kind++) {
        scale_histogram(&p->l1_miss[kind], 1 / count);
        scale_histogram(&p->l1_worst[kind], 1 / count);
    }
    scale_histogram(&p->l2_miss, 1 / count);
    scale_histogram(&p->l2_worst, 1 / count);
}

static bool keep_phases(struct profile *p, const struct survey *v)
{
    const struct walk_sums *s = &v->sums;
    struct profile_phase **order =
        malloc((s->kernel->inst_count + 1u) * sizeof(*order));
    size_t n = 0;
    if (order == NULL)
        return error_no_memory(v->error);
    for (uint32_t i = 0; i < s->kernel->inst_count; i++)
        if (s->phase[i] != NULL && s->phase[i]->metric[PHASE_COUNT] > 0)
            order[n++] = s->phase[i];
    qsort(order, n, sizeof(*order), heavier_first);
    for (size_t i = 0; i < n; i++)
        if (i < PROFILE_PHASES)
            p->phase[p->phases++] = *order[i];
        else
            merge_phase(&p->phase[PROFILE_PHASES - 1], order[i]);
    for (int i = 0; i < p->phases; i++)
        average_phase(&p->phase[i], v->weight * p->warps_per_block);
    free(order);
    return true;
}

/* As many cycles as the phases take. */
static bool keep_code(struct profile *p, const struct survey *v)
{
    const struct walk_sums *s = &v->sums;
    double all = 0, phases = 0;
    p->codes = s->kernel->phase_count;
    p->code = calloc(p->codes + 1u, sizeof(*p->code));
    if (p->code == NULL)
        return error_no_memory(v->error);
    for (uint32_t i = 0; i < p->codes; i++)
        all += s->code[i];
    for (int i = 0; i < p->phases; i++)
        phases +=
            p->phase[i].metric[PHASE_COUNT] * p->phase[i].metric[PHASE_COMPUTE];
    for (uint32_t i = 0; all > 0 && i < p->codes; i++)
        p->code[i] = s->code[i] * phases / all;
    return true;
}

/* Instruction cache lines of the code that was executed. */
static double code_lines(const struct walk_sums *s)
{
    uint32_t line_bytes = (uint32_t)s->gpu->icache.line_bytes;
    uint32_t last = UINT32_MAX;
    double lines = 0;
    for (uint32_t i = 0; i < s->kernel->inst_count; i++) {
        uint32_t line = s->kernel->inst[i].pc / line_bytes;
        if (s->executed[i] && line != last) {
            lines++;
            last = line;
        }
    }
    return lines;
}

/* Of so many lines of code, one after another, those that are no longer there
 * when it is run again: of a set that has more of them than ways. */
static double code_again(double code_lines, const struct gpu *g)
{
    double ways = g->icache.ways;
    double sets = g->icache.size_kb * 1024 / g->icache.line_bytes / ways;
    double each = floor(code_lines / sets), more = code_lines - each * sets;
    return (each > ways ? (sets - more) * each : 0) +
           (each + 1 > ways ? more * (each + 1) : 0);
}

static void set_warp(struct profile *p)
{
    for (int i = 0; i < p->phases; i++)
        add_phase(&p->warp, &p->phase[i], p->phase[i].metric[PHASE_COUNT]);
    p->warp.metric[PHASE_COUNT] = 1;
}

/* Of the first touches that neighbours do not explain, those of phases in which
 * others touch some, as sum `of` says: what the rest touch is the block's own.
 */
static double open_share(const struct profile *p, enum sharing_sum of)
{
    double open = 0, all = 0;
    for (int i = 0; i < p->phases; i++) {
        const double *f = &p->phase[i].metric[PHASE_SHARING];
        double left = p->phase[i].metric[PHASE_COUNT] * shared_left(f);
        open += f[of] > 0 ? left : 0;
        all += left;
    }
    return all > 0 ? open / all : 0;
}

/* From how much others were seen to touch to how much they may. */
static void open_phases(struct profile *p)
{
    for (int i = 0; i < p->phases; i++) {
        double *f = &p->phase[i].metric[PHASE_SHARING];
        bool middle = f[SHARED_MIDDLE] > 0 && p->sectors_in_middle > 0;
        f[SHARED_MIDDLE] = middle ? shared_left(f) : 0;
        f[SHARED_WIDE] = p->sectors_by_chance > 0
                             ? f[SHARED_WIDE] / p->sectors_by_chance
                             : 0;
    }
}

/* From what there is room for to what another block came to before, when all
 * have ended. */
static void cram_phases(struct profile *p)
{
    double others = 0, all = 0;
    for (int i = 0; i < p->phases; i++) {
        double *f = &p->phase[i].metric[PHASE_SHARING];
        double n = shared_crammed(f);
        f[SHARED_ROOM] *= shared_again(n);
        others += p->phase[i].metric[PHASE_COUNT] * f[SHARED_ROOM] * n;
        all += p->phase[i].metric[PHASE_COUNT] * f[SHARED_ROOM];
    }
    p->sectors_crammed = all > 0 ? others / all / p->period : 0;
}

static void set_sharing(struct profile *p, const struct survey *v)
{
    double sum[SHARING_SUMS] = {0};
    double wide = open_share(p, SHARED_WIDE);
    double middle = open_share(p, SHARED_MIDDLE);
    shared_lines_set(&p->shared, v->sharing, wide, middle, p->blocks,
                     (double)v->row);
    p->private_lines = p->block_lines * shared_lines_own(&p->shared, p->period);
    for (int i = 0; i < p->phases; i++)
        for (int k = 0; k < SHARING_SUMS; k++)
            sum[k] += p->phase[i].metric[PHASE_COUNT] *
                      p->phase[i].metric[PHASE_SHARING + k];
    p->sectors_by_chance = shared_by_chance(sum, wide);
    p->sectors_in_middle = shared_in_middle_by(sum, middle);
    p->in_order = v->wide_touches > 0 ? v->wide_in_order / v->wide_touches : 0;
    open_phases(p);
    cram_phases(p);
}

static void set_stored(struct profile *p, const struct crowd *crowd)
{
    const struct alike *lines = &crowd->lines, *stored = &crowd->stored;
    p->stored_lines = lines->touches > 0
                          ? p->block_lines * stored->touches / lines->touches
                          : 0;
    p->stored = *stored;
}

/* Phases come as much oftener or more seldom as the grid's blocks are longer or
 * shorter than those that were walked. Returns that. */
static double even_out(struct profile *p, const struct crowd *crowd)
{
    double walked = 0;
    for (int i = 0; i < p->phases; i++)
        walked += p->phase[i].metric[PHASE_COUNT] *
                  p->phase[i].metric[PHASE_INSTS] * p->warps_per_block;
    if (crowd->block_insts.mean <= 0 || walked <= 0)
        return 1;
    double times = crowd->block_insts.mean / walked;
    if (fabs(times - 1) < 1e-9) /* but for rounding */
        return 1;
    for (int i = 0; i < p->phases; i++)
        p->phase[i].metric[PHASE_COUNT] *= times;
    return times;
}

/* What the phases add up to for a warp. */
static void sum_phases(struct profile *p)
{
    for (int i = 0; i < p->phases; i++) {
        const double *f = p->phase[i].metric;
        p->warp_insts += f[PHASE_COUNT] * f[PHASE_INSTS];
        for (int x = 0; x < MEMORY_LEVELS; x++)
            p->unloaded[x] += f[PHASE_COUNT] * f[PHASE_LENGTH + x];
    }
    p->warp_insts *= p->warps_per_block * p->blocks;
}

/* Weights of n histograms to shares of them all. */
static void share_histograms(struct reuse_histogram *h, int n)
{
    double all = 0;
    for (int i = 0; i < n; i++) {
        all += (double)h[i].cold;
        for (int b = 0; b < REUSE_BINS; b++)
            all += (double)h[i].bin[b];
    }
    for (int i = 0; i < n; i++)
        scale_histogram(&h[i], all > 0 ? 1 / all : 0);
}

static int by_path(const void *a, const void *b)
{
    const struct walked *x = a, *y = b;
    return (x->path > y->path) - (x->path < y->path);
}

/* How far blocks are longer than most: the coefficient of variation of paths
 * that lie on both sides of their mean, or median, as those above it do. That
 * some are shorter, as at the edge of a grid, makes none last. */
static double path_spread(const struct survey *v)
{
    struct walked of[WALKED];
    memcpy(of, v->walked, sizeof(of));
    qsort(of, (size_t)v->walks, sizeof(of[0]), by_path);
    double mean = v->paths[LEVEL_DRAM] / v->weight, sum = 0;
    double middle = fmax(mean, of[v->walks / 2].path);
    for (int i = 0; i < v->walks; i++) {
        double above = fmax(0, of[i].path - middle);
        sum += 2 * of[i].weight * above * above;
    }
    return mean > 0 ? sqrt(sum / v->weight) / mean : 0;
}

/* By the instructions of blocks that were counted, or the path of one that was
 * walked. `length`: of the grid's blocks, times that of those walked. */
static void set_longest(struct profile *p, const struct survey *v,
                        double length)
{
    const struct block_insts *b = &v->crowd->block_insts;
    double mean = length * v->paths[LEVEL_DRAM] / v->weight;
    for (int i = 0; i < v->walks && mean > 0; i++)
        p->longest = fmax(p->longest, v->walked[i].path / mean - 1);
    p->longest = fmax(p->longest, b->longest - 1);
    p->longest_of = v->walks > b->counted ? v->walks : b->counted;
}

static void set_events(struct profile *p, const struct survey *v, double length)
{
    double times = length * p->blocks / v->weight;
    p->events = v->sums.events;
    for (int i = 0; i < OP_CLASSES; i++)
        p->events.lanes[i] *= times;
    p->events.register_reads *= times;
    p->events.register_writes *= times;
    p->events.texture_accesses = v->sums.texture_accesses * times;
}

static struct set_use mean_use(const struct set_use *sum, double groups)
{
    return (struct set_use){sum->crowding / groups, sum->across / groups,
                            sum->uneven / groups};
}

/* length: of the grid's blocks, times that of those walked. */
static void fill_totals(struct profile *p, const struct survey *v,
                        double length)
{
    const struct walk_sums *s = &v->sums;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        p->critical[x] = length * v->paths[x] / v->weight;
    p->thread_insts = length * s->thread_insts / v->weight * p->blocks;
    p->barriers = v->barriers / v->weight;
    p->drain = s->drain / v->weight / p->warps_per_block;
    p->sector_bytes = s->lines.sector;
    p->block_lines = (double)s->l2_time.cold / v->weight;
    p->code_lines = code_lines(s);
    p->code_again = code_again(p->code_lines, s->gpu);
    p->code_misses = fmax(0, s->code_misses / v->weight / p->warps_per_block -
                                 p->code_lines);
    p->spread = path_spread(v);
    set_longest(p, v, length);
    p->placement.slice = v->placement.slice / v->groups;
    p->placement.atomics = v->placement.atomics / v->groups;
    p->placement.channel = v->placement.channel / v->groups;
    p->placement.set = v->placement.set / v->groups;
    p->placement.l1 = mean_use(&v->placement.l1, v->groups);
    p->placement.texture = mean_use(&v->placement.texture, v->groups);
    p->placement.row_miss = v->placement.row_miss / v->groups;
    p->placement.row_again = v->placement.row_again / v->groups;
    footprint_build(&p->texture_lines, &s->texture_time, s->texture_accesses);
    footprint_build(&p->l1_lines, &s->l1_time, s->accesses);
    footprint_build(&p->l2_lines, &s->l2_time, s->accesses);
    p->store_miss = s->store_time;
    share_histograms(&p->store_miss, 1);
    memcpy(p->l1_wait, s->l1_wait, sizeof(p->l1_wait));
    share_histograms(p->l1_wait, REUSE_KINDS);
    set_events(p, v, length);
    set_sharing(p, v);
    set_warp(p);
    sum_phases(p);
}

static struct profile *create(const struct kernel *k, const struct gpu *g,
                              const struct timing *timing,
                              const struct crowd *crowd, uint64_t seed,
                              struct error *e)
{
    struct profile *p = calloc(1, sizeof(*p));
    if (p == NULL) {
        error_no_memory(e);
        return NULL;
    }
    p->blocks = (double)k->blocks;
    p->period = k->period > 0 ? fmin(p->blocks, (double)k->period) : p->blocks;
    p->warps_per_block = k->warps_per_block;
    p->block_insts = crowd->block_insts;
    p->along = crowd->along;
    struct survey v;
    bool ok =
        survey_run(&v, k, g, timing, crowd, seed, e) && keep_phases(p, &v);
    p->timing = v.sums.timing;
    if (ok) {
        fill_totals(p, &v, even_out(p, crowd));
        set_stored(p, crowd);
        ok = keep_code(p, &v);
    }
    survey_free(&v);
    if (!ok) {
        profile_free(p);
        return NULL;
    }
    return p;
}

struct profile *profile_create(const struct kernel *k, const struct gpu *g,
                               uint64_t seed, struct error *e)
{
    struct timing timing = {0};
    timing_init(&timing, g);
    struct crowd *crowd = crowd_create(k, g, seed, e);
    struct profile *p =
        crowd != NULL ? create(k, g, &timing, crowd, seed, e) : NULL;
    crowd_free(crowd);
    return p;
}

struct profile *profile_create_at(const struct kernel *k, const struct gpu *g,
                                  double dram_latency,
                                  const struct crowd *crowd, uint64_t seed,
                                  struct error *e)
{
    struct timing timing = {0};
    timing_init(&timing, g);
    timing.past[LEVEL_DRAM] += dram_latency - timing.load[LEVEL_DRAM];
    timing.load[LEVEL_DRAM] = dram_latency;
    return create(k, g, &timing, crowd, seed, e);
}

double profile_dram_latency(const struct gpu *g)
{
    struct timing timing = {0};
    timing_init(&timing, g);
    return timing.load[LEVEL_DRAM];
}

void profile_free(struct profile *p)
{
    if (p != NULL)
        free(p->code);
    free(p);
}

double profile_warp_insts(const struct profile *p)
{
    return p->warp_insts;
}

double profile_insts_error(const struct profile *p)
{
    return p->block_insts.error;
}

double profile_insts_share(const struct profile *p, uint64_t first,
                           uint64_t count)
{
    return block_insts_share(&p->block_insts, first, count);
}

double profile_longest(const struct profile *p)
{
    return fmax(0, p->block_insts.longest - 1);
}

uint64_t profile_long_block(const struct profile *p, double *insts)
{
    *insts = p->block_insts.long_insts;
    return p->block_insts.long_block;
}

double profile_lines_share(const struct profile *p, uint64_t first,
                           uint64_t count)
{
    if (p->period < p->blocks)
        return 1;
    return along_share(&p->along, (double)first / p->blocks,
                       (double)(first + count) / p->blocks);
}

double profile_transactions(const struct profile *p)
{
    const double *m = p->warp.metric;
    double lines =
        m[PHASE_LOAD_LINES] + m[PHASE_STORE_LINES] + m[PHASE_ATOMIC_LINES];
    return m[PHASE_INSTS] > 0 ? lines / m[PHASE_INSTS] : 0;
}

double profile_thread_insts(const struct profile *p)
{
    return p->thread_insts;
}

double profile_crowding(const struct profile *p)
{
    return p->placement.slice;
}

double profile_private_share(const struct profile *p)
{
    return p->block_lines > 0 ? p->private_lines / p->block_lines : 1;
}
