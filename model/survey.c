/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/survey.h"

#include "base/bits.h"
#include "base/mix.h"
#include "base/stop.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "model/constants.h"
#include "model/moves.h"
#include "model/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    v->sums.round = v->sums.tracker.time;
    v->sums.texture_round = v->sums.texture.time;
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

static uint64_t steps_so_far(const struct survey *v, unsigned warps)
{
    uint64_t steps = 0;
    for (unsigned i = 0; i < warps; i++)
        steps += v->walker[i].steps;
    return steps;
}

/* Phases have ended: warps go on from barriers, or end where none *moved, as
 * they wait for what a stream that broke off was to raise. How many still run.
 */
static unsigned settle(struct survey *v, unsigned warps, bool moved)
{
    unsigned running = 0, waiting = 0;
    for (unsigned i = 0; i < warps; i++) {
        v->walker[i].ended |= !moved;
        running += !v->walker[i].ended;
        waiting += v->walker[i].at_barrier;
    }
    if (waiting > 0 && waiting >= running)
        open_barrier(v, warps);
    return running;
}

/* All warps of the open block, phase by phase together, to their ends or until
 * they have taken at least `most` steps. */
static bool walk_warps(struct survey *v, unsigned warps, uint64_t most)
{
    unsigned running = warps;
    uint64_t steps = 0;
    while (running > 0 && steps < most) {
        bool begins = steps < BEGINNING_STEPS, moved;
        if (!walk_phases(v, warps, &moved))
            return false;
        running = settle(v, warps, moved);
        steps = steps_so_far(v, warps);
        if (begins) {
            v->begun = v->sums.touches;
            v->begun_log = v->sums.log.count;
        }
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
    if (weight > 0)
        v->walked[v->walks++] = (struct walked){weight, longest};
    v->steps += steps_so_far(v, warps);
}

/* Walk a block; with a weight of 0 its beginning only, which counts for what
 * blocks share and for no average. */
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
    bool ok = walk_warps(v, k->warps_per_block,
                         weight > 0 ? UINT64_MAX : BEGINNING_STEPS);
    k->ops->close(k, v->stream);
    if (ok)
        add_block(v, k->warps_per_block);
    return ok;
}

_Static_assert(NEIGHBOURS <= GROUP_BLOCKS, "a group is a block's neighbours");

/* Blocks of the group that touched some of these sectors of the line. */
static uint32_t touched_by(const struct reuse_line *l, uint32_t sectors)
{
    uint32_t mask = 0;
    for (int i = 0; i < NEIGHBOURS; i++)
        mask |= (uint32_t)((l->of_block[i] & sectors) != 0) << i;
    return mask;
}

/* In sectors. */
static struct group_sides sides_of_group(const struct survey *v, uint32_t known,
                                         size_t touches)
{
    const struct walk_sums *s = &v->sums;
    struct group_sides sides = {.near = {0, 0}};
    for (size_t i = 0; i < touches; i++) {
        const struct first_touch *t = &s->touch[i];
        const struct reuse_line *l = tracker_line(&s->tracker, t->line);
        for (uint32_t left = t->sectors; left != 0; left &= left - 1)
            neighbours_add_sides(&sides, touched_by(l, left & -left), known,
                                 t->weight);
    }
    return sides;
}

/* Lines count for what caches have room for, sectors that are read for what
 * they bring. */
static void count_sharing(struct survey *v, uint32_t known, size_t touches)
{
    struct walk_sums *s = &v->sums;
    const struct group_sides sides = sides_of_group(v, known, touches);
    for (size_t i = 0; i < touches; i++) {
        const struct first_touch *t = &s->touch[i];
        double *f = s->phase[t->phase]->metric;
        const struct reuse_line *l = tracker_line(&s->tracker, t->line);
        if (t->cold)
            neighbours_count(v->sharing, s->kernel, v->row,
                             touched_by(l, UINT32_MAX), known, &sides,
                             t->weight);
        for (uint32_t left = t->reads ? t->sectors : 0; left != 0;
             left &= left - 1)
            neighbours_count(&f[PHASE_SHARING], s->kernel, v->row,
                             touched_by(l, left & -left), known, &sides,
                             t->weight);
        alike_add(&v->alike[t->phase], &v->crowd->inst[t->inst],
                  t->reads ? __builtin_popcount(t->sectors) : 0);
    }
}

/* By how many bytes each access of the centre moves from a block to the next,
 * or from a row to the next, on the way `to` a neighbour. False when out of
 * memory. */
static bool moves_to(double *move, const struct survey *v,
                     const struct logged *centre, const struct logged *to)
{
    const struct access *access = v->sums.log.access;
    if (!moves_find(move, access + centre->first, centre->count,
                    access + to->first, to->count))
        return false;
    for (size_t i = 0; i < centre->count; i++)
        move[i] /= (double)(to->count > 0 ? to->distance : 1);
    return true;
}

/* Of the lines that distant blocks touch as well, how many another block comes
 * by with the same access: which then does not move to the `right`, where there
 * is one. */
static void count_order(struct survey *v, const double *right, bool is_one)
{
    const struct walk_sums *s = &v->sums;
    for (size_t i = 0; i < s->touches; i++) {
        const struct first_touch *t = &s->touch[i];
        const struct reuse_line *l = tracker_line(&s->tracker, t->line);
        if ((touched_by(l, t->sectors) & DISTANT) == 0)
            continue;
        v->wide_touches++;
        v->wide_in_order += is_one && right[t->access] == 0;
    }
}

/* Whatever the keys of an SM's room, with which profiles do not change. */
static uint64_t resident_blocks(const struct walk_sums *s)
{
    uint64_t fit = 1 + (PLACED_WARPS - 1) / s->kernel->warps_per_block;
    uint64_t most = (uint64_t)s->gpu->sms * fit;
    return most < s->kernel->blocks ? most : s->kernel->blocks;
}

/* New lines of an access that has any, of each warp one. */
static size_t touched_at_a_time(const struct walk_sums *s, size_t count)
{
    size_t accesses = 0;
    for (size_t i = 0; i < count; i++)
        accesses += i == 0 || s->touch[i].access != s->touch[i - 1].access;
    return accesses > 0 ? count * s->kernel->warps_per_block / accesses : 0;
}

static void add_use(struct set_use *sum, const struct set_use *use)
{
    sum->crowding += use->crowding;
    sum->across += use->across;
    sum->uneven += use->uneven;
}

/* Where the lines of blocks near this one lie: the centre's, moved as they move
 * to the next block and to the next row. */
static bool count_placement(struct survey *v, uint64_t block,
                            const double *right, const double *below)
{
    const struct walk_sums *s = &v->sums;
    double bytes = s->gpu->l1.line_bytes;
    size_t count = s->touches;
    struct moving_line *line = malloc((count + 1) * sizeof(*line));
    if (line == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        line[i] = (struct moving_line){
            .line = s->touch[i].line,
            .sent = s->touch[i].sent,
            .serial = s->touch[i].serial,
            .right = right[s->touch[i].access] / bytes,
            .below = below[s->touch[i].access] / bytes,
        };
    struct placement here;
    bool ok = placement_measure(
        &here, s->gpu,
        &(struct moving_block){.line = line,
                               .lines = count,
                               .at_a_time = touched_at_a_time(s, count),
                               .row = (uint64_t)v->row,
                               .blocks = s->kernel->blocks,
                               .resident = resident_blocks(s),
                               .hot = &v->crowd->hot,
                               .column = block % (uint64_t)v->row});
    free(line);
    if (!ok)
        return false;
    v->groups++;
    v->placement.slice += here.slice;
    v->placement.atomics += here.atomics;
    v->placement.channel += here.channel;
    v->placement.set += here.set;
    add_use(&v->placement.l1, &here.l1);
    add_use(&v->placement.texture, &here.texture);
    v->placement.row_miss += here.row_miss;
    v->placement.row_again += here.row_again;
    return true;
}

/* What follows from how the lines of a group's centre move: by the far
 * neighbour, or the near one where there is none. */
static bool count_moves(struct survey *v, uint64_t block,
                        const struct logged of[NEIGHBOURS])
{
    const struct logged *centre = &of[CENTRE];
    const struct logged *next =
        &of[of[FAR_RIGHT].count > 0 ? FAR_RIGHT : RIGHT];
    const struct logged *row = &of[of[FAR_BELOW].count > 0 ? FAR_BELOW : BELOW];
    double *move = malloc((2 * centre->count + 1) * sizeof(*move));
    if (move == NULL)
        return false;
    double *right = move, *below = move + centre->count;
    bool ok =
        moves_to(right, v, centre, next) && moves_to(below, v, centre, row);
    if (ok)
        count_order(v, right, next->count > 0);
    ok = ok && count_placement(v, block, right, below);
    free(move);
    return ok;
}

/* Whether a block's addresses say how lines move. */
static bool is_logged(int which)
{
    return which == CENTRE || which == RIGHT || which == BELOW ||
           which == FAR_RIGHT || which == FAR_BELOW;
}

/* What the block that was walked asks the L2 for by each line it touched. */
static void set_requests(struct walk_sums *s)
{
    for (size_t i = 0; i < s->touches; i++) {
        struct first_touch *t = &s->touch[i];
        if (!t->cold)
            continue;
        const struct reuse_line *l = tracker_line(&s->tracker, t->line);
        t->sent = l->sent;
        t->serial = l->serial;
    }
}

/* A block of the group, of which only the beginning is kept of what is longer.
 */
static bool walk_member(struct survey *v, uint64_t block, double weight,
                        enum neighbour which, struct logged *log)
{
    struct walk_sums *s = &v->sums;
    log->first = s->log.count;
    s->log.keep = is_logged(which);
    s->keep_touches = which == CENTRE;
    if (!walk_block(v, block, weight, which))
        return false;
    s->log.count = s->log.keep ? v->begun_log : s->log.count;
    s->touches = s->keep_touches ? v->begun : s->touches;
    if (which == CENTRE)
        set_requests(s);
    log->count = s->log.count - log->first;
    return true;
}

/* A grid of one dimension may have rows all the same. */
static bool find_row(struct survey *v, const struct logged *centre,
                     const struct logged *right)
{
    const struct access *access = v->sums.log.access;
    uint64_t blocks = neighbours_blocks(v->sums.kernel), row;
    if (v->row < (int64_t)blocks || centre->count != right->count)
        return true;
    if (!rows_find(&row, access + centre->first, access + right->first,
                   centre->count, blocks))
        return error_no_memory(v->error);
    v->row = row > 0 ? (int64_t)row : v->row;
    return true;
}

/* What the centre shares with a neighbour, in lines. */
static double shared_with(const struct survey *v, enum neighbour which)
{
    const struct walk_sums *s = &v->sums;
    double lines = 0;
    for (size_t i = 0; i < s->touches; i++) {
        const struct first_touch *t = &s->touch[i];
        const struct reuse_line *l = tracker_line(&s->tracker, t->line);
        if (t->cold && (touched_by(l, UINT32_MAX) & BIT(which)))
            lines += t->weight;
    }
    return lines;
}

/* A grid of three dimensions has rows, or planes in their place. */
static void find_plane(struct survey *v)
{
    if (shared_with(v, NEXT_PLANE) > shared_with(v, NEXT_ROW))
        v->row = neighbours_plane(v->sums.kernel);
}

static bool walk_group(struct survey *v, uint64_t centre)
{
    const struct kernel *k = v->sums.kernel;
    struct logged of[NEIGHBOURS] = {{0, 0, 0}};
    uint32_t known = 0;
    uint64_t before = v->steps;
    bool beginnings = false;
    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    v->sums.touches = v->sums.log.count = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        uint64_t block;
        if (!neighbour_block(k, v->sums.gpu, v->row, centre, i, &block))
            continue;
        if (!walk_member(v, block, beginnings ? 0 : 1, i, &of[i]))
            return false;
        of[i].distance = (int64_t)(block - centre);
        if (i == BELOW || i == FAR_BELOW)
            of[i].distance /= v->row;
        known |= BIT(i);
        if (i == RIGHT && !find_row(v, &of[CENTRE], &of[RIGHT]))
            return false;
        if (i == NEXT_PLANE)
            find_plane(v);
        if (i == CENTRE)
            beginnings = v->steps - before > BEGINNING_STEPS;
    }
    v->sums.keep_touches = v->sums.log.keep = false;
    count_sharing(v, known, v->sums.touches);
    return count_moves(v, centre, of) || error_no_memory(v->error);
}

static bool walk_single(struct survey *v, uint64_t block, double weight)
{
    tracker_begin_group(&v->sums.tracker);
    tracker_begin_group(&v->sums.texture);
    return walk_block(v, block, weight, 0);
}

/* The centre of group i: spread over the grid, where it has rows from a corner
 * over the middle to another, one column on each time so that they lie
 * differently on lines that several blocks touch, and not at the edge of a row
 * where there is more than the edge. */
static uint64_t group_centre(const struct survey *v, int i)
{
    const uint64_t x = (uint64_t)v->row, parts = UINT64_C(2) * GROUPS;
    uint64_t blocks = neighbours_blocks(v->sums.kernel), on = (uint64_t)i;
    uint64_t part = 2 * on + 1;
    if (x <= 2 || x >= blocks) {
        uint64_t block = blocks * part / parts + on;
        return block < blocks - 1 ? block : blocks - 1;
    }
    uint64_t row = blocks / x * part / parts;
    uint64_t column = x * (parts - part) / parts + on;
    if (column < 1)
        column = 1;
    return row * x + (column < x - 2 ? column : x - 2);
}

/* What groups have in common with blocks anywhere in the grid. */
static void meet_crowd(struct survey *v)
{
    const struct walk_sums *s = &v->sums;
    const struct grid_rows of = {(double)neighbours_blocks(s->kernel),
                                 (double)v->row};
    for (uint32_t i = 0; i < s->kernel->inst_count; i++)
        if (s->phase[i] != NULL)
            alike_set_wide(&v->alike[i], &of,
                           &s->phase[i]->metric[PHASE_SHARING]);
    alike_set_wide(&v->crowd->lines, &of, v->sharing);
}

static bool walk_sample(struct survey *v, uint64_t seed)
{
    const struct kernel *k = v->sums.kernel;
    for (int i = 0; i < GROUPS && (i == 0 || v->steps < STEP_BUDGET); i++) {
        if (!walk_group(v, group_centre(v, i)))
            return false;
        if (v->sharing[SHARED_FAR] <= 0)
            v->row = neighbours_row(k);
    }
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
    s->lines = line_sizes_of(g);
    s->phase = calloc(k->inst_count + 1u, sizeof(*s->phase));
    s->executed = calloc(k->inst_count + 1u, sizeof(*s->executed));
    s->code = calloc(k->phase_count + 1u, sizeof(*s->code));
    v->alike = calloc(k->inst_count + 1u, sizeof(*v->alike));
    v->walker = malloc(k->warps_per_block * sizeof(*v->walker));
    v->stream = malloc(k->ops->state_size(k) + 1);
    if (s->phase == NULL || s->executed == NULL || s->code == NULL ||
        v->alike == NULL || v->walker == NULL || v->stream == NULL ||
        !tracker_init(&s->tracker) || !tracker_init(&s->texture))
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
    free(s->code);
    free(s->touch);
    counts_free(&s->counts);
    free(s->log.access);
    tracker_free(&s->tracker);
    tracker_free(&s->texture);
    free(v->alike);
    free(v->walker);
    free(v->stream);
}

bool survey_run(struct survey *v, const struct kernel *k, const struct gpu *g,
                const struct timing *timing, const struct crowd *crowd,
                uint64_t seed, struct error *e)
{
    *v = (struct survey){.crowd = crowd, .error = e};
    v->sums.kernel = k;
    v->sums.gpu = g;
    v->sums.timing = *timing;
    v->row = neighbours_row(k);
    if (!survey_init(v) || !walk_sample(v, seed))
        return false;
    meet_crowd(v);
    return kernel_streams_check(k, e);
}
