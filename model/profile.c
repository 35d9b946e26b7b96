/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/profile.h"

#include "configs/gpu.h"
#include "kernels/kernel.h"
#include "model/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps to walk before sampling stops, and blocks at most. */
#define STEP_BUDGET 300000
#define GROUPS      3
#define SINGLES     8

/* ---- which blocks ------------------------------------------------------- */

/* A group is a block and its neighbours, whose touching of the same lines says
 * what blocks share. */
enum neighbour {
    CENTRE,
    RIGHT,
    LEFT,
    PARTNER, /* the next block of the same SM */
    BELOW,   /* in the next row of the grid */
    ABOVE,
    RIGHT2,
    LEFT2,
    NEIGHBOURS
};

static bool neighbour_block(const struct kernel *k, const struct gpu *g,
                            uint64_t centre, int which, uint64_t *out)
{
    const int64_t row = k->grid.x < k->blocks ? k->grid.x : 0;
    const int64_t step[NEIGHBOURS] = {
        [CENTRE] = 0,  [RIGHT] = 1,    [LEFT] = -1,  [PARTNER] = g->sms,
        [BELOW] = row, [ABOVE] = -row, [RIGHT2] = 2, [LEFT2] = -2,
    };
    int64_t block = (int64_t)centre + step[which];

    *out = (uint64_t)block;
    return block >= 0 && (uint64_t)block < k->blocks &&
           (which == CENTRE || step[which] != 0);
}

static uint64_t mix(uint64_t x)
{
    /* splitmix64 (Steele, Lea, Flood, OOPSLA 2014, Fig. 17). */
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* ---- walking ------------------------------------------------------------ */

/* Slices or channels whose use is told apart. */
#define MAX_PLACES 128

struct survey {
    struct walk_sums sums;
    struct walker *walker;
    void *stream;
    struct profile *profile;
    double weight;                           /* of the blocks walked */
    double paths, paths_squared, barriers;   /* weighted sums over them */
    double groups, slice_skew, channel_skew; /* sums over groups */
    uint64_t steps;
    struct error *error;
};

/* All warps of the open block, phase by phase together. At a barrier they wait
 * for the slowest, in each world. */
static bool walk_warps(struct survey *v, unsigned warps)
{
    unsigned running = warps;

    while (running > 0) {
        double latest[MEMORY_LEVELS] = {0};
        unsigned waiting = 0;

        for (unsigned i = 0; i < warps; i++) {
            struct walker *w = &v->walker[i];

            if (!w->ended && !w->at_barrier &&
                !walker_run(w, &v->sums, v->stream))
                return error_set(v->error, STATUS_FAILED, "out of memory");
        }
        running = 0;
        for (unsigned i = 0; i < warps; i++) {
            running += !v->walker[i].ended;
            waiting += v->walker[i].at_barrier;
            for (int x = 0; x < MEMORY_LEVELS && v->walker[i].at_barrier; x++)
                latest[x] = fmax(latest[x], v->walker[i].clock[x].now);
        }
        if (waiting == 0 || waiting < running)
            continue;
        v->barriers += v->sums.weight;
        for (unsigned i = 0; i < warps; i++)
            if (v->walker[i].at_barrier)
                walker_release(&v->walker[i], latest);
    }
    return true;
}

static void add_block(struct survey *v, unsigned warps)
{
    struct profile *p = v->profile;
    double weight = v->sums.weight, path;

    for (int x = 0; x < MEMORY_LEVELS; x++) {
        double longest = 0;

        for (unsigned i = 0; i < warps; i++)
            longest = fmax(longest, v->walker[i].clock[x].now);
        p->critical[x] += weight * longest;
        path = longest;
    }
    v->weight += weight;
    v->paths += weight * path;
    v->paths_squared += weight * path * path;
    for (unsigned i = 0; i < warps; i++)
        v->steps += v->walker[i].steps;
}

static bool walk_block(struct survey *v, uint64_t block, double weight,
                       int block_in_group)
{
    const struct kernel *k = v->sums.kernel;
    bool ok;

    v->sums.weight = weight;
    tracker_begin_block(&v->sums.tracker, block_in_group);
    tracker_begin_block(&v->sums.texture, block_in_group);
    for (unsigned i = 0; i < k->warps_per_block; i++)
        walker_start(&v->walker[i], i);
    if (!k->ops->open(k, v->stream, block, v->error))
        return false;
    ok = walk_warps(v, k->warps_per_block);
    k->ops->close(k, v->stream);
    if (ok)
        add_block(v, k->warps_per_block);
    return ok;
}

/* Blocks that touch the line in one direction: those known on both sides, or
 * as many as there are when all known ones do. */
static double sharers(uint32_t mask, uint32_t known, uint32_t side, double all)
{
    uint32_t of_side = known & side;

    if (__builtin_popcount(of_side) >= 2 && (mask & of_side) == of_side)
        return all;
    return 1 + __builtin_popcount(mask & of_side);
}

#define BIT(n) (UINT32_C(1) << (n))

static void count_sharing(struct survey *v, uint32_t known)
{
    const uint32_t row = BIT(RIGHT) | BIT(LEFT) | BIT(RIGHT2) | BIT(LEFT2);
    const uint32_t column = BIT(ABOVE) | BIT(BELOW);
    struct walk_sums *s = &v->sums;
    const struct kernel *k = s->kernel;

    for (size_t i = 0; i < s->touches; i++) {
        const struct first_touch *t = &s->touch[i];
        double *f = s->phase[t->phase]->figure;
        uint32_t mask = tracker_blocks(&s->tracker, t->line);
        double near = sharers(mask, known, row, k->grid.x);
        double far =
            sharers(mask, known, column, (double)k->blocks / k->grid.x);

        f[PHASE_COLD] += t->weight;
        f[PHASE_NEAR] += t->weight * (1 - 1 / near);
        f[PHASE_FAR] += t->weight * (1 - 1 / far) / near;
        if (mask & BIT(PARTNER))
            f[PHASE_PARTNER] += t->weight;
    }
    s->touches = 0;
}

/* Chance that two of the group's lines fall in the same of n places, times n:
 * 1 when all are used alike, n when only one is. */
static double skew(const double *count, int n)
{
    double pairs = 0, total = 0;

    for (int i = 0; i < n; i++) {
        pairs += count[i] * (count[i] - 1);
        total += count[i];
    }
    return total < n ? 1 : fmax(1, n * pairs / (total * (total - 1)));
}

/* Slices and channels as the memory system's address map has them:
 * interleave_bytes go to one slice, then to the next; the slices are spread
 * evenly over the channels. */
static void count_skew(struct survey *v)
{
    const struct gpu *g = v->sums.gpu;
    const struct reuse_tracker *t = &v->sums.tracker;
    double slice[MAX_PLACES] = {0}, channel[MAX_PLACES] = {0};
    uint64_t lines = (uint64_t)(g->dram.interleave_bytes / g->l1.line_bytes);
    uint64_t banks = (uint64_t)g->l2.banks;

    v->groups++;
    if (g->l2.banks > MAX_PLACES || g->dram.channels > MAX_PLACES) {
        v->slice_skew++;
        v->channel_skew++;
        return;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        uint64_t chunk = t->line[i].line / (lines > 0 ? lines : 1), at = chunk;

        if (t->line[i].line == NO_LINE)
            continue;
        if (g->l2.hashed)
            for (uint64_t rest = chunk / banks; rest != 0; rest >>= 5)
                at += rest & 31;
        slice[at % banks]++;
        channel[at % banks * (uint64_t)g->dram.channels / banks]++;
    }
    v->slice_skew += skew(slice, g->l2.banks);
    v->channel_skew += skew(channel, g->dram.channels);
}

static bool walk_group(struct survey *v, uint64_t centre)
{
    const struct kernel *k = v->sums.kernel;
    uint32_t known = 0;

    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    for (int i = 0; i < NEIGHBOURS; i++) {
        uint64_t block;

        if (!neighbour_block(k, v->sums.gpu, centre, i, &block) ||
            (i > LEFT && v->steps > STEP_BUDGET))
            continue;
        v->sums.keep_touches = i == CENTRE;
        if (!walk_block(v, block, 1, i))
            return false;
        known |= BIT(i);
    }
    v->sums.keep_touches = false;
    count_sharing(v, known);
    count_skew(v);
    return true;
}

static bool walk_single(struct survey *v, uint64_t block, double weight)
{
    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    return walk_block(v, block, weight, 0);
}

static bool walk_sample(struct survey *v, uint64_t seed)
{
    const struct kernel *k = v->sums.kernel;

    for (int i = 0; i < GROUPS && (i == 0 || v->steps < STEP_BUDGET); i++)
        if (!walk_group(v, k->blocks * (2 * (uint64_t)i + 1) / (2 * GROUPS)))
            return false;
    for (int i = 0; i < SINGLES && v->steps < STEP_BUDGET; i++) {
        double place =
            (i + (double)(mix(seed + (uint64_t)i) >> 11) * 0x1p-53) / SINGLES;

        if (!walk_single(v, (uint64_t)(place * (double)k->blocks), 1))
            return false;
    }
    /* The first and the last block count as the single blocks they are. */
    if (v->steps < STEP_BUDGET && k->blocks > 1)
        return walk_single(v, 0, v->weight / (double)k->blocks) &&
               walk_single(v, k->blocks - 1, v->weight / (double)k->blocks);
    return true;
}

/* ---- from sums to averages ---------------------------------------------- */

static int heavier_first(const void *a, const void *b)
{
    const struct profile_phase *const *p = a, *const *q = b;
    double left = (*p)->figure[PHASE_LENGTH + LEVEL_DRAM];
    double right = (*q)->figure[PHASE_LENGTH + LEVEL_DRAM];

    return (left < right) - (left > right);
}

static void add_histogram(struct reuse_histogram *to,
                          const struct reuse_histogram *from)
{
    for (int b = 0; b < REUSE_BINS; b++)
        to->bin[b] += from->bin[b];
    to->cold += from->cold;
}

static void merge_phase(struct profile_phase *to,
                        const struct profile_phase *from)
{
    for (int i = 0; i < PHASE_FIGURES; i++)
        to->figure[i] += from->figure[i];
    to->barrier = to->barrier || from->barrier;
    for (int kind = 0; kind < REUSE_KINDS; kind++) {
        add_histogram(&to->l1_miss[kind], &from->l1_miss[kind]);
        add_histogram(&to->l1_worst[kind], &from->l1_worst[kind]);
    }
    add_histogram(&to->l2_miss, &from->l2_miss);
    add_histogram(&to->l2_worst, &from->l2_worst);
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
    double count = p->figure[PHASE_COUNT];

    for (int i = PHASE_COUNT + 1; i < PHASE_FIGURES; i++)
        p->figure[i] /= count;
    p->figure[PHASE_COUNT] = count / warps;
    for (int kind = 0; kind < REUSE_KINDS; kind++) {
        scale_histogram(&p->l1_miss[kind], 1 / count);
        scale_histogram(&p->l1_worst[kind], 1 / count);
    }
    scale_histogram(&p->l2_miss, 1 / count);
    scale_histogram(&p->l2_worst, 1 / count);
}

static bool keep_phases(struct survey *v)
{
    struct profile *p = v->profile;
    struct walk_sums *s = &v->sums;
    struct profile_phase **order =
        malloc((s->kernel->inst_count + 1u) * sizeof(*order));
    size_t n = 0;

    if (order == NULL)
        return error_set(v->error, STATUS_FAILED, "out of memory");
    for (uint32_t i = 0; i < s->kernel->inst_count; i++)
        if (s->phase[i] != NULL && s->phase[i]->figure[PHASE_COUNT] > 0)
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

static void fill_totals(struct survey *v)
{
    struct profile *p = v->profile;
    const struct walk_sums *s = &v->sums;
    double mean = v->paths / v->weight;
    double variance = v->paths_squared / v->weight - mean * mean;
    double fine = (double)s->store_time.cold, cold = 0, shared = 0;

    for (int i = 0; i < p->phases; i++) {
        const double *f = p->phase[i].figure;

        cold += f[PHASE_COUNT] * f[PHASE_COLD];
        shared += f[PHASE_COUNT] * (f[PHASE_NEAR] + f[PHASE_FAR]);

        p->warp_insts += f[PHASE_COUNT] * f[PHASE_INSTS];
        for (int x = 0; x < MEMORY_LEVELS; x++)
            p->alone[x] += f[PHASE_COUNT] * f[PHASE_LENGTH + x];
    }
    for (int x = 0; x < MEMORY_LEVELS; x++)
        p->critical[x] /= v->weight;
    p->warp_insts *= p->warps_per_block * p->blocks;
    p->thread_insts = s->thread_insts / v->weight * p->blocks;
    p->barriers = v->barriers / v->weight;
    p->sector_bytes = s->fine_bytes;
    p->block_lines = (double)s->l2_time.cold / v->weight;
    p->code_lines = code_lines(s);
    p->spread = mean > 0 && variance > 0 ? sqrt(variance) / mean : 0;
    p->slice_skew = v->slice_skew / v->groups;
    p->channel_skew = v->channel_skew / v->groups;
    p->row_blocks = s->kernel->grid.x;
    p->own_lines = p->block_lines;
    if (cold > 0)
        p->own_lines *= 1 - shared / cold;
    footprint_build(&p->texture_lines, &s->texture_time, s->texture_accesses);
    footprint_build(&p->l1_lines, &s->l1_time, s->accesses);
    footprint_build(&p->l2_lines, &s->l2_time, s->accesses);
    for (int b = 0; b < REUSE_BINS; b++)
        fine += (double)s->store_time.bin[b];
    p->store_miss = s->store_time;
    scale_histogram(&p->store_miss, fine > 0 ? 1 / fine : 0);
}

/* ---- life --------------------------------------------------------------- */

static bool survey_init(struct survey *v)
{
    struct walk_sums *s = &v->sums;
    const struct gpu *g = s->gpu;
    const struct kernel *k = s->kernel;
    unsigned l1 = (unsigned)g->l1.sector_bytes,
             l2 = (unsigned)g->l2.sector_bytes;

    s->fine_bytes = l1 < l2 ? l1 : l2;
    if (s->fine_bytes * 32 < (unsigned)g->l1.line_bytes)
        s->fine_bytes = (unsigned)g->l1.line_bytes / 32;
    s->fine_per_sector = l1 > s->fine_bytes ? l1 / s->fine_bytes : 1;
    s->phase = calloc(k->inst_count + 1u, sizeof(*s->phase));
    s->executed = calloc(k->inst_count + 1u, sizeof(*s->executed));
    v->walker = malloc(k->warps_per_block * sizeof(*v->walker));
    v->stream = malloc(k->ops->state_size(k) + 1);
    if (s->phase == NULL || s->executed == NULL || v->walker == NULL ||
        v->stream == NULL || !tracker_init(&s->tracker) ||
        !tracker_init(&s->texture))
        return error_set(v->error, STATUS_FAILED, "out of memory");
    s->tracker.stores_stay = g->l1.write_policy != L1_WRITE_THROUGH;
    s->tracker.stores_allocate = g->l1.write_policy == L1_WRITE_BACK;
    return true;
}

static void survey_free(struct survey *v)
{
    struct walk_sums *s = &v->sums;

    for (uint32_t i = 0; s->phase != NULL && i < s->kernel->inst_count; i++)
        free(s->phase[i]);
    free(s->phase);
    free(s->executed);
    free(s->touch);
    tracker_free(&s->tracker);
    tracker_free(&s->texture);
    free(v->walker);
    free(v->stream);
}

struct profile *profile_create(const struct kernel *k, const struct gpu *g,
                               uint64_t seed, struct error *e)
{
    struct profile *p = calloc(1, sizeof(*p));
    struct survey v = {.profile = p, .error = e};
    bool ok;

    if (p == NULL) {
        error_set(e, STATUS_FAILED, "out of memory");
        return NULL;
    }
    v.sums.kernel = k;
    v.sums.gpu = g;
    timing_init(&v.sums.timing, g);
    p->timing = v.sums.timing;
    p->blocks = (double)k->blocks;
    p->warps_per_block = k->warps_per_block;
    ok = survey_init(&v) && walk_sample(&v, seed) && keep_phases(&v);
    if (ok)
        fill_totals(&v);
    survey_free(&v);
    if (!ok) {
        free(p);
        return NULL;
    }
    return p;
}

void profile_free(struct profile *p)
{
    free(p);
}

double profile_warp_insts(const struct profile *p)
{
    return p->warp_insts;
}

double profile_thread_insts(const struct profile *p)
{
    return p->thread_insts;
}
