/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/profile.h"

#include "configs/gpu.h"
#include "kernels/kernel.h"
#include "model/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps to walk at most before sampling stops, and blocks at most: some
 * milliseconds. */
#define STEP_BUDGET  400000
#define GROUPS       3
#define GROUP_BLOCKS 5
#define SINGLES      16

/* ---- which blocks ------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    /* splitmix64 (Steele, Lea, Flood, OOPSLA 2014, Fig. 17). */
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Neighbours whose sharing of data with block `base` says most: the next two,
 * the one below in a two-dimensional grid, and the next on the same SM. */
static int group_blocks(const struct kernel *k, const struct gpu *g,
                        uint64_t base, uint64_t out[GROUP_BLOCKS])
{
    const uint64_t step[GROUP_BLOCKS] = {0, 1, 2, k->grid.x, (uint64_t)g->sms};
    int n = 0;

    for (int i = 0; i < GROUP_BLOCKS; i++) {
        bool known = base + step[i] >= k->blocks;

        for (int j = 0; j < n; j++)
            known = known || out[j] == base + step[i];
        if (!known)
            out[n++] = base + step[i];
    }
    return n;
}

static uint64_t group_base(const struct kernel *k, const struct gpu *g, int i)
{
    uint64_t reach =
        k->grid.x > (uint64_t)g->sms ? k->grid.x : (uint64_t)g->sms;

    if (i == 0 || k->blocks <= reach + 3)
        return 0;
    return i == 1 ? (k->blocks - reach) / 2 : k->blocks - reach - 1;
}

/* ---- walking ------------------------------------------------------------ */

struct survey {
    struct walk_sums sums;
    struct walker *walker;
    void *stream;
    struct profile *profile;
    double weight;                         /* of the blocks walked */
    double paths, paths_squared, barriers; /* weighted sums over them */
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

/* How much of a line's cost a block still bears when `others` of the group's
 * blocks touch it as well: half of it with one neighbour (an edge shared by
 * two), next to nothing when all of them do. */
static double share_of(uint32_t mask, uint32_t own, int group)
{
    int others = __builtin_popcount(mask & ~own);

    if (others == 0 || group < 2)
        return 0;
    return others >= group - 1 || others >= 2 ? 1.0 : 0.5;
}

static void count_sharing(struct survey *v, int group, uint32_t same_sm)
{
    struct walk_sums *s = &v->sums;

    for (size_t i = 0; i < s->touches; i++) {
        const struct first_touch *t = &s->touch[i];
        struct profile_phase *p = s->phase[t->phase];
        uint32_t mask = tracker_blocks(&s->tracker, t->line);
        bool partner = t->block_in_group & same_sm;

        if (group < 2)
            continue;
        p->figure[PHASE_COLD] += t->weight;
        p->figure[PHASE_COLD_SHARED] +=
            t->weight * share_of(mask, t->block_in_group, group);
        if (!partner)
            continue;
        p->figure[PHASE_COLD_PARTNER] += t->weight;
        if (mask & same_sm & ~t->block_in_group)
            p->figure[PHASE_PARTNER_SHARED] += t->weight;
    }
    s->touches = 0;
}

static bool walk_group(struct survey *v, uint64_t base, double weight)
{
    const struct kernel *k = v->sums.kernel;
    const struct gpu *g = v->sums.gpu;
    uint64_t block[GROUP_BLOCKS];
    int n = group_blocks(k, g, base, block);
    uint32_t same_sm = 0;

    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    for (int i = 0; i < n; i++) {
        if (i > 0 && v->steps > STEP_BUDGET) {
            n = i;
            break;
        }
        if (!walk_block(v, block[i], weight, i))
            return false;
        if (block[i] == base || block[i] == base + (uint64_t)g->sms)
            same_sm |= UINT32_C(1) << i;
    }
    count_sharing(v, n, __builtin_popcount(same_sm) == 2 ? same_sm : 0);
    return true;
}

static bool walk_single(struct survey *v, uint64_t block, double weight)
{
    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    if (!walk_block(v, block, weight, 0))
        return false;
    v->sums.touches = 0;
    return true;
}

static bool walk_sample(struct survey *v, uint64_t seed)
{
    const struct kernel *k = v->sums.kernel;
    uint64_t done = UINT64_MAX;

    for (int i = 0; i < GROUPS; i++) {
        uint64_t base = group_base(k, v->sums.gpu, i);

        if (base == done || (i > 0 && v->steps > STEP_BUDGET))
            continue;
        done = base;
        if (!walk_group(v, base, 1))
            return false;
    }
    /* The first and the last block count as the one block they are. */
    for (int i = 0; i < SINGLES && v->steps < STEP_BUDGET; i++) {
        double place =
            (i + (double)(mix(seed + (uint64_t)i) >> 11) * 0x1p-53) / SINGLES;

        if (!walk_single(v, (uint64_t)(place * (double)k->blocks), 1))
            return false;
    }
    if (v->steps < STEP_BUDGET &&
        !walk_single(v, k->blocks - 1, v->weight / (double)k->blocks))
        return false;
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
    double fine = (double)s->store_time.cold;

    for (int i = 0; i < p->phases; i++) {
        const double *f = p->phase[i].figure;

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
