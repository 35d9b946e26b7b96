/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walked warp's memory instructions find and take. */
#include "model/walk.h"

#include "kernels/form/box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool remember_touch(struct walk_sums *s, const struct walker *w,
                           const struct inst *i, uint64_t line,
                           const struct reuse_outcome *o)
{
    if (!s->keep_touches || o->l2_new == 0)
        return true;
    if (s->touches == s->touch_capacity) {
        size_t capacity = s->touch_capacity ? 2 * s->touch_capacity : 4096;
        struct first_touch *grown =
            realloc(s->touch, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        s->touch = grown;
        s->touch_capacity = capacity;
    }
    s->touch[s->touches++] = (struct first_touch){
        .line = line,
        .sectors = o->l2_new,
        .cold = o->l2_time == REUSE_COLD,
        .reads = i->op != OP_STORE,
        .inst = (uint32_t)(i - s->kernel->inst),
        .phase = w->phase->first,
        .access = s->log.count - 1,
        .weight = s->weight,
    };
    return true;
}

/* Of the first lane; 0: nothing is accessed. */
static uint64_t first_address(const struct step *step)
{
    int lane = __builtin_ctz(step->mask);
    switch (step->form) {
    case ADDR_STRIDE:
        return step->base + (uint64_t)(lane * step->stride);
    case ADDR_LIST:
        return step->lane_address[lane];
    case ADDR_BOX:
        return step->base;
    default:
        return 0;
    }
}

static bool log_access(struct walk_sums *s, const struct walker *w,
                       const struct inst *i, const struct step *step)
{
    struct access_log *l = &s->log;
    if (!l->keep || step->mask == 0)
        return true;
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 4096;
        struct access *grown = realloc(l->access, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        l->access = grown;
        l->capacity = capacity;
    }
    l->access[l->count++] =
        (struct access){.address = first_address(step),
                        .inst = (uint32_t)(i - s->kernel->inst),
                        .warp = w->warp};
    return true;
}

/* Note what a load's line found, for the phase and for the worst access of this
 * execution of it. */
static void count_load(struct walker *w, struct walk_sums *s, uint32_t sectors,
                       const struct reuse_outcome *o, enum reuse_kind kind)
{
    struct profile_phase *p = w->phase;
    int count = __builtin_popcount(sectors);
    int l1_new = __builtin_popcount(o->l1_new);
    int l2_new = __builtin_popcount(o->l2_new);
    p->metric[PHASE_LOAD_LINES] += s->weight;
    p->metric[PHASE_LOAD_SECTORS] += s->weight * count;
    reuse_add(&s->l1_wait[kind], REUSE_COLD, s->weight * l1_new);
    reuse_add(&s->l1_wait[kind], o->l1_wait, s->weight * (count - l1_new));
    reuse_add(&p->l1_miss[kind], REUSE_COLD, s->weight * l1_new);
    reuse_add(&p->l1_miss[kind], o->l1_time, s->weight * (count - l1_new));
    reuse_add(&p->l2_miss, REUSE_COLD, s->weight * l2_new);
    reuse_add(&p->l2_miss, o->l2_time, s->weight * (count - l2_new));
    uint64_t l1 = l1_new > 0 ? REUSE_COLD : o->l1_wait;
    uint64_t l2 = l2_new > 0 ? REUSE_COLD : o->l2_wait;
    if (!w->any_load || l1 > w->worst_l1) {
        w->worst_l1 = l1;
        w->worst_kind = kind;
    }
    if (l2 > w->worst_l2)
        w->worst_l2 = l2;
    w->any_load = true;
}

static void count_store(struct walker *w, struct walk_sums *s,
                        const struct transaction *t,
                        const struct reuse_outcome *o, bool atomic)
{
    struct profile_phase *p = w->phase;
    int fine = __builtin_popcount(t->sectors);
    int fresh = __builtin_popcount(o->l2_new);
    int clean = __builtin_popcount(o->store_new);
    reuse_add(&s->store_time, REUSE_COLD, s->weight * clean);
    reuse_add(&s->store_time, o->store_time, s->weight * (fine - clean));
    if (!atomic) {
        p->metric[PHASE_STORE_LINES] += s->weight;
        p->metric[PHASE_STORE_SECTORS] += s->weight * fine;
        if (s->gpu->l2.partial_cycles > 0)
            p->metric[PHASE_STORE_PARTIAL] +=
                s->weight * __builtin_popcount(t->sectors & ~t->whole);
        return;
    }
    p->metric[PHASE_ATOMIC_LINES] += s->weight;
    p->metric[PHASE_ATOMIC_SECTORS] += s->weight * fine;
    reuse_add(&p->l2_miss, REUSE_COLD, s->weight * fresh);
    reuse_add(&p->l2_miss, o->l2_time, s->weight * (fine - fresh));
    /* Answered by the L2 at the soonest. */
    w->worst_l1 = REUSE_COLD;
    w->worst_l2 = w->worst_l2 > o->l2_time ? w->worst_l2 : o->l2_time;
    w->any_load = true;
}

/* What a read finds that the L2 fetched for others. */
static void count_beside(struct walker *w, const struct walk_sums *s,
                         const struct reuse_outcome *o)
{
    int count = __builtin_popcount(o->l2_beside);
    w->phase->metric[PHASE_BESIDE] += s->weight * count;
}

/* Accesses while a line is on its way: as many as the load/store unit makes
 * until DRAM answers. */
static uint64_t accesses_in_flight(const struct walk_sums *s)
{
    return (uint64_t)(s->timing.load[LEVEL_DRAM] / s->timing.memory_step);
}

/* One line of a global access. */
static bool access_line(struct walker *w, struct walk_sums *s,
                        const struct inst *i, const struct transaction *t,
                        uint64_t in_flight, bool cached)
{
    enum access_kind kind = cached ? ACCESS_LOAD : ACCESS_PAST;
    struct reuse_access a = {
        .line = t->line,
        .sectors = t->sectors,
        .fetched = lines_fetched(&s->lines, i, t->sectors),
        .serial = i->op == OP_ATOMIC ? t->serial : 0,
        .warp = w->warp,
        .kind = i->op == OP_LOAD ? kind : ACCESS_STORE,
        .in_flight = in_flight,
        .round = s->round,
        .phase_start = w->phase_start,
        .leaves = i->op == OP_STORE && !s->tracker.stores_allocate,
    };
    struct reuse_outcome o;
    if (!tracker_access(&s->tracker, &a, &o))
        return false;
    if (!remember_touch(s, w, i, t->line, &o))
        return false;
    s->accesses += s->weight;
    reuse_add(&s->l2_time, o.l2_time, s->weight);
    if (i->op != OP_STORE)
        count_beside(w, s, &o);
    if (i->op != OP_LOAD) {
        count_store(w, s, t, &o, i->op == OP_ATOMIC);
        return true;
    }
    if (cached)
        reuse_add(&s->l1_time, o.l1_time, s->weight);
    else
        o.l1_wait = o.l1_time = REUSE_COLD;
    count_load(w, s, t->sectors, &o,
               o.same_warp ? REUSE_SAME_WARP : REUSE_OTHER_WARP);
    return true;
}

/* What each of the n lines of an atomic has the L2 do one after another (l2.h).
 */
static void set_serial(const struct walk_sums *s, const struct step *step,
                       struct transaction *t, int n)
{
    if (s->gpu->l2.atomic_cycles > 0)
        coalesce_serial(step, s->lines.line, s->lines.sector, t, n);
    else
        for (int k = 0; k < n; k++)
            t[k].serial = (uint32_t)busiest_address(step);
}

/* L2 cycles for which they keep their slices, and the longest of them. */
static double atomic_cycles(const struct walk_sums *s,
                            const struct transaction *t, int n, double *longest)
{
    double cycles = s->gpu->l2.atomic_cycles, sum = 0;
    *longest = 0;
    for (int k = 0; k < n; k++) {
        double each = t[k].serial * (cycles > 0 ? cycles : 1);
        sum += each;
        *longest = later(*longest, each);
    }
    return sum;
}

/* An atomic is answered by the L2 at the soonest, and lanes that share an
 * address go one after the other there. */
static void atomic_cost(struct walker *w, struct walk_sums *s,
                        const struct transaction *t, int n,
                        struct access_cost *cost)
{
    double cycle = s->gpu->clock.core_mhz / s->gpu->clock.l2_mhz, longest;
    double serial = atomic_cycles(s, t, n, &longest);
    w->phase->metric[PHASE_ATOMIC_SERIAL] += s->weight * serial;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        cost->latency[x] =
            later(cost->latency[x], s->timing.load[LEVEL_L2]) + longest * cycle;
}

static bool access_global(struct walker *w, struct walk_sums *s,
                          const struct inst *i, const struct step *step,
                          struct access_cost *cost)
{
    struct transaction t[MAX_TRANSACTIONS];
    int n = lines_of_global(&s->lines, i, step, t);
    bool cached = lines_through_l1(&s->lines, i);
    if (i->op == OP_STORE && s->gpu->l2.partial_cycles > 0)
        coalesce_whole(step, i->width, s->lines.line, s->lines.sector, t, n);
    if (i->op == OP_ATOMIC)
        set_serial(s, step, t, n);
    for (int k = 0; k < n; k++)
        if (!access_line(w, s, i, &t[k], accesses_in_flight(s), cached))
            return false;
    cost->unit = n * s->timing.memory_step;
    cost->last = n > 0 ? n - 1 : 0;
    /* Without a lane there is nothing to wait for. */
    for (int x = 0; x < MEMORY_LEVELS && n > 0; x++)
        cost->latency[x] = i->op == OP_STORE ? s->timing.store
                           : i->past_l1      ? s->timing.past[x]
                                             : s->timing.load[x];
    if (i->op == OP_ATOMIC)
        atomic_cost(w, s, t, n, cost);
    return true;
}

/* What lines of the texture cache find in the L2. */
static bool texture_below(struct walker *w, struct walk_sums *s,
                          const struct inst *i, const struct transaction *below,
                          struct reuse_outcome *found)
{
    struct reuse_access a = {.line = below->line,
                             .sectors = below->sectors,
                             .fetched =
                                 lines_fetched(&s->lines, i, below->sectors),
                             .warp = w->warp,
                             .kind = ACCESS_PAST,
                             .phase_start = s->tracker.time};
    s->accesses += s->weight;
    if (!tracker_access(&s->tracker, &a, found))
        return false;
    reuse_add(&s->l2_time, found->l2_time, s->weight);
    count_beside(w, s, found);
    return remember_touch(s, w, i, a.line, found);
}

static bool access_texture_line(struct walker *w, struct walk_sums *s,
                                uint64_t line,
                                const struct reuse_outcome *below)
{
    struct reuse_access a = {.line = line,
                             .sectors = 1,
                             .fetched = 1,
                             .warp = w->warp,
                             .kind = ACCESS_LOAD,
                             .in_flight = accesses_in_flight(s),
                             .round = s->texture_round,
                             .phase_start = w->texture_start};
    struct reuse_outcome here, both = *below;
    uint32_t sectors = sectors_below(&s->lines, line);
    if (!tracker_access(&s->texture, &a, &here))
        return false;
    s->texture_accesses += s->weight;
    reuse_add(&s->texture_time, here.l1_time, s->weight);
    both.l1_time = here.l1_time;
    both.l1_wait = here.l1_wait;
    both.l1_new = here.l1_time == REUSE_COLD ? sectors : 0;
    both.l2_new &= sectors;
    count_load(w, s, sectors, &both, REUSE_TEXTURE);
    return true;
}

static bool access_texture(struct walker *w, struct walk_sums *s,
                           const struct inst *i, const struct step *step,
                           struct access_cost *cost)
{
    const struct line_sizes *z = &s->lines;
    struct transaction t[MAX_TRANSACTIONS], below[MAX_TRANSACTIONS];
    struct reuse_outcome found[MAX_TRANSACTIONS];
    int n = lines_of_texture(z, i, step, t),
        lines = lines_below(z, t, n, below);
    for (int k = 0; k < lines; k++)
        if (!texture_below(w, s, i, &below[k], &found[k]))
            return false;
    for (int k = 0, at = 0; k < n; k++, at = 0) {
        while (below[at].line != line_below(z, t[k].line))
            at++;
        if (!access_texture_line(w, s, t[k].line, &found[at]))
            return false;
    }
    cost->unit = fmax(n * s->timing.memory_step, s->timing.texture_step);
    cost->last = n > 0 ? n - 1 : 0;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        cost->latency[x] = s->timing.load[x];
    cost->latency[LEVEL_L1] = s->timing.texture;
    return true;
}

/* A copy without registers, past the L1. */
static bool access_box(struct walker *w, struct walk_sums *s,
                       const struct inst *i, const struct step *step,
                       struct access_cost *cost)
{
    struct box_walk walk = box_begin(step);
    struct transaction t;
    int n = 0;
    for (; box_next(&walk, s->lines.line, s->lines.sector, &t); n++)
        if (!access_line(w, s, i, &t, 0, false))
            return false;
    cost->unit = s->timing.memory_step;
    cost->last = n > 0 ? n - 1 : 0;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        cost->latency[x] = i->op == OP_STORE ? s->timing.store
                                             : later(s->timing.load[x],
                                                     s->timing.load[LEVEL_L2]);
    return true;
}

/* Passes over the banks of shared memory. */
static int shared_passes(const struct gpu *g, const struct inst *i,
                         const struct step *step)
{
    if (step->form == ADDR_BOX)
        return (int)(box_bytes(&step->box) /
                     (uint64_t)(g->shared.banks * g->shared.bank_bytes));
    return shared_conflict_degree(step, i->width, (unsigned)g->shared.banks,
                                  (unsigned)g->shared.bank_bytes,
                                  g->shared.pairs && i->op == OP_LOAD);
}

static void access_shared(struct walker *w, struct walk_sums *s,
                          const struct inst *i, const struct step *step,
                          struct access_cost *cost)
{
    int passes = shared_passes(s->gpu, i, step);
    cost->unit = s->timing.shared_step * later(1, passes);
    w->phase->metric[PHASE_SHARED] += s->weight * cost->unit;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        cost->latency[x] =
            cost->unit - s->timing.shared_step + s->timing.shared;
}

/* One access of the constant cache after another. It may have a port of its
 * own. */
static void access_constant(struct walker *w, struct walk_sums *s,
                            const struct inst *i, const struct step *step,
                            struct access_cost *cost)
{
    const struct gpu *g = s->gpu;
    struct transaction t[MAX_TRANSACTIONS];
    unsigned line = (unsigned)g->constant.line_bytes;
    int accesses = g->constant.by_address
                       ? distinct_addresses(step)
                       : coalesce(step, i->width, line, line, t);
    double busy = later(1, accesses) * g->constant.interval;
    cost->unit = g->constant.apart ? 1 : busy;
    w->phase->metric[PHASE_CONSTANT] += s->weight * busy;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        cost->latency[x] = s->timing.constant + busy - g->constant.interval;
}

bool walk_access(struct walker *w, struct walk_sums *s, const struct inst *i,
                 const struct step *step, struct access_cost *cost)
{
    memset(cost, 0, sizeof(*cost));
    if (inst_is_global(i) && step->form == ADDR_BOX)
        return log_access(s, w, i, step) && access_box(w, s, i, step, cost);
    if (inst_is_global(i))
        return log_access(s, w, i, step) && access_global(w, s, i, step, cost);
    if (i->space == SPACE_TEXTURE)
        return log_access(s, w, i, step) && access_texture(w, s, i, step, cost);
    if (i->space == SPACE_SHARED)
        access_shared(w, s, i, step, cost);
    else
        access_constant(w, s, i, step, cost);
    return true;
}
