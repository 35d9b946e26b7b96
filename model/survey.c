/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/survey.h"

#include "base/bits.h"
#include "base/stop.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "model/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which blocks ------------------------------------------------------- */

/* A group is a block and its neighbours, whose touching of the same lines says
 * what blocks share. The first ones are walked whatever the budget. */
enum neighbour {
    CENTRE,
    RIGHT,
    LEFT,
    PARTNER, /* the next block of the same SM */
    BELOW,   /* in the next row of the grid */
    ABOVE,
    FAR_RIGHT, /* FAR blocks away in the row, on either side */
    FAR_BELOW,
    NEIGHBOURS
};
#define ALWAYS LEFT

static bool neighbour_block(const struct kernel *k, const struct gpu *g,
                            uint64_t centre, int which, uint64_t *out)
{
    const int64_t x = k->grid.x, row = x < (int64_t)k->blocks ? x : 0;
    const int64_t column = (int64_t)centre % x, y = (int64_t)centre / x;
    const int64_t step[NEIGHBOURS] = {
        [CENTRE] = 0,
        [RIGHT] = 1,
        [LEFT] = -1,
        [PARTNER] = g->sms,
        [BELOW] = row,
        [ABOVE] = -row,
        [FAR_RIGHT] = column + FAR < x ? FAR
                      : column >= FAR  ? -FAR
                                       : 0,
        [FAR_BELOW] = y + FAR < (int64_t)k->blocks / x ? FAR * row
                      : y >= FAR                       ? -FAR * row
                                                       : 0,
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

static bool broke_off(const struct survey *v)
{
    const struct kernel *k = v->sums.kernel;
    if (stop_due(k->stop))
        return error_set(v->error, STATUS_STOPPED,
                         "%s: a limit came while its streams were walked",
                         k->name);
    return error_no_memory(v->error);
}

/* Every warp that can go on, to the end of its phase. *moved: whether any made
 * a step or raised a count. */
static bool walk_phases(struct survey *v, unsigned warps, bool *moved)
{
    size_t raises = v->sums.counts.raises;
    *moved = false;
    for (unsigned i = 0; i < warps; i++) {
        struct walker *w = &v->walker[i];
        uint64_t before = w->steps;
        if (w->ended || w->at_barrier)
            continue;
        if (!walker_run(w, &v->sums, v->stream))
            return broke_off(v);
        *moved |= w->steps > before || w->ended || w->at_barrier;
    }
    *moved |= v->sums.counts.raises > raises;
    return true;
}

/* At a barrier warps wait for the slowest, at each memory level. */
static void open_barrier(struct survey *v, unsigned warps)
{
    double latest[MEMORY_LEVELS] = {0};
    for (unsigned i = 0; i < warps; i++)
        for (int x = 0; x < MEMORY_LEVELS && v->walker[i].at_barrier; x++)
            latest[x] = fmax(latest[x], v->walker[i].clock[x].now);
    v->barriers += v->sums.weight;
    for (unsigned i = 0; i < warps; i++)
        if (v->walker[i].at_barrier)
            walker_release(&v->walker[i], latest);
}

/* All warps of the open block, phase by phase together. Those that wait for
 * what a stream that broke off was to raise end here. */
static bool walk_warps(struct survey *v, unsigned warps)
{
    unsigned running = warps;
    while (running > 0) {
        unsigned waiting = 0;
        bool moved;
        if (!walk_phases(v, warps, &moved))
            return false;
        running = 0;
        for (unsigned i = 0; i < warps; i++) {
            v->walker[i].ended |= !moved;
            running += !v->walker[i].ended;
            waiting += v->walker[i].at_barrier;
        }
        if (waiting > 0 && waiting >= running)
            open_barrier(v, warps);
    }
    return true;
}

static void add_block(struct survey *v, unsigned warps)
{
    double weight = v->sums.weight, longest = 0;
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        longest = 0;
        for (unsigned i = 0; i < warps; i++)
            longest = fmax(longest, v->walker[i].clock[x].now);
        v->paths[x] += weight * longest;
    }
    v->weight += weight;
    v->paths_squared += weight * longest * longest;
    for (unsigned i = 0; i < warps; i++)
        v->steps += v->walker[i].steps;
}

static bool walk_block(struct survey *v, uint64_t block, double weight,
                       int block_in_group)
{
    const struct kernel *k = v->sums.kernel;
    v->sums.weight = weight;
    counts_reset(&v->sums.counts);
    tracker_begin_block(&v->sums.tracker, block_in_group);
    tracker_begin_block(&v->sums.texture, block_in_group);
    for (unsigned i = 0; i < k->warps_per_block; i++)
        walker_start(&v->walker[i], i);
    if (!k->ops->open(k, v->stream, block, v->error))
        return false;
    bool ok = walk_warps(v, k->warps_per_block);
    k->ops->close(k, v->stream);
    if (ok)
        add_block(v, k->warps_per_block);
    return ok;
}

/* Blocks that touch a line in one direction of the grid of `all`: those on
 * either side, many more when both do and the far one as well (or is not
 * known), some in between when it does not. */
static double sharers(uint32_t mask, uint32_t known, uint32_t sides,
                      uint32_t far, double all)
{
    int touching = __builtin_popcount(mask & sides);
    if (touching < 2)
        return 1 + touching;
    if ((mask & far) || !(known & far))
        return fmax(1, all);
    return fmin(all, sqrt(3.0 * FAR));
}

static void count_sharing(struct survey *v, uint32_t known, size_t touches)
{
    struct walk_sums *s = &v->sums;
    const struct kernel *k = s->kernel;
    for (size_t i = 0; i < touches; i++) {
        const struct first_touch *t = &s->touch[i];
        double *f = s->phase[t->phase]->metric;
        uint32_t mask = tracker_blocks(&s->tracker, t->line);
        double near = sharers(mask, known, BIT(RIGHT) | BIT(LEFT),
                              BIT(FAR_RIGHT), k->grid.x);
        double far = sharers(mask, known, BIT(ABOVE) | BIT(BELOW),
                             BIT(FAR_BELOW), (double)k->blocks / k->grid.x);
        f[PHASE_COLD] += t->weight;
        f[PHASE_NEAR] += t->weight * (1 - 1 / near);
        f[PHASE_FAR] += t->weight * (1 - 1 / far) / near;
        if (mask & BIT(PARTNER))
            f[PHASE_PARTNER] += t->weight;
    }
}

/* Where the lines of blocks near this one lie: the centre's, moved as they move
 * from it to its partner, which touches lines in the same order if it does the
 * same. */
static bool count_placement(struct survey *v, size_t centre)
{
    const struct walk_sums *s = &v->sums;
    size_t partner = s->touches - centre;
    if (partner == 0 && v->groups > 0)
        return true;
    struct moving_line *line = malloc((centre + 1) * sizeof(*line));
    if (line == NULL)
        return false;
    for (size_t i = 0; i < centre; i++) {
        int64_t step = 0;
        if (partner == centre)
            step = (int64_t)(s->touch[centre + i].line - s->touch[i].line);
        line[i].line = s->touch[i].line;
        line[i].step = (double)step / s->gpu->sms;
    }
    struct placement here;
    bool ok = placement_measure(&here, s->gpu, line, centre);
    free(line);
    if (!ok)
        return false;
    v->groups++;
    v->placement.slice += here.slice;
    v->placement.channel += here.channel;
    v->placement.row_miss += here.row_miss;
    return true;
}

static bool walk_group(struct survey *v, uint64_t centre)
{
    uint32_t known = 0;
    size_t of_centre = 0;
    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    v->sums.touches = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        uint64_t block;
        if (!neighbour_block(v->sums.kernel, v->sums.gpu, centre, i, &block) ||
            (i > ALWAYS && v->steps > STEP_BUDGET))
            continue;
        v->sums.keep_touches = i == CENTRE || i == PARTNER;
        if (!walk_block(v, block, 1, i))
            return false;
        known |= BIT(i);
        if (i == CENTRE)
            of_centre = v->sums.touches;
    }
    v->sums.keep_touches = false;
    count_sharing(v, known, of_centre);
    return count_placement(v, of_centre) || error_no_memory(v->error);
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
        if (!walk_group(v, k->blocks * (2 * (uint64_t)i + 1) /
                               (UINT64_C(2) * GROUPS)))
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

/* ---- life --------------------------------------------------------------- */

static bool survey_init(struct survey *v)
{
    struct walk_sums *s = &v->sums;
    const struct gpu *g = s->gpu;
    const struct kernel *k = s->kernel;
    unsigned l1 = (unsigned)g->l1.sector_bytes,
             l2 = (unsigned)g->l2.sector_bytes;
    s->min_sector_bytes = l1 < l2 ? l1 : l2;
    if (s->min_sector_bytes * 32 < (unsigned)g->l1.line_bytes)
        s->min_sector_bytes = (unsigned)g->l1.line_bytes / 32;
    s->min_per_l1_sector =
        l1 > s->min_sector_bytes ? l1 / s->min_sector_bytes : 1;
    s->phase = calloc(k->inst_count + 1u, sizeof(*s->phase));
    s->executed = calloc(k->inst_count + 1u, sizeof(*s->executed));
    v->walker = malloc(k->warps_per_block * sizeof(*v->walker));
    v->stream = malloc(k->ops->state_size(k) + 1);
    if (s->phase == NULL || s->executed == NULL || v->walker == NULL ||
        v->stream == NULL || !tracker_init(&s->tracker) ||
        !tracker_init(&s->texture))
        return error_no_memory(v->error);
    s->tracker.stores_stay = g->l1.write_policy != L1_WRITE_THROUGH;
    s->tracker.stores_allocate = g->l1.write_policy == L1_WRITE_BACK ||
                                 g->l1.write_policy == L1_WRITE_ALLOCATE;
    return true;
}

void survey_free(struct survey *v)
{
    struct walk_sums *s = &v->sums;
    for (uint32_t i = 0; s->phase != NULL && i < s->kernel->inst_count; i++)
        free(s->phase[i]);
    free(s->phase);
    free(s->executed);
    free(s->touch);
    counts_free(&s->counts);
    tracker_free(&s->tracker);
    tracker_free(&s->texture);
    free(v->walker);
    free(v->stream);
}

bool survey_run(struct survey *v, const struct kernel *k, const struct gpu *g,
                uint64_t seed, struct error *e)
{
    *v = (struct survey){.error = e};
    v->sums.kernel = k;
    v->sums.gpu = g;
    timing_init(&v->sums.timing, g);
    return survey_init(v) && walk_sample(v, seed) && kernel_streams_check(k, e);
}
