/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/walk.h"

#include "base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_UNTIMED 65536 /* of a warp, before a look at the clock */

void walker_start(struct walker *w, unsigned warp)
{
    memset(w, 0, sizeof(*w));
    w->warp = warp;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        w->clock[x].slot = -INFINITY;
}

void walker_release(struct walker *w, const double time[MEMORY_LEVELS])
{
    w->at_barrier = false;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        w->clock[x].now = w->clock[x].start = time[x];
}

static bool is_long(const struct inst *i)
{
    return inst_is_global(i) || inst_is_texture(i);
}

/* ---- phases ------------------------------------------------------------- */

static struct profile_phase *open_phase(struct walker *w, struct walk_sums *s,
                                        uint32_t first)
{
    if (s->phase[first] == NULL) {
        s->phase[first] = calloc(1, sizeof(**s->phase));
        if (s->phase[first] != NULL)
            s->phase[first]->first = first;
    }
    w->phase = s->phase[first];
    w->phase_start = s->tracker.time;
    w->texture_start = s->texture.time;
    return w->phase;
}

/* Warps that queue for a unit at a time: those of a block, two at least. */
static double queueing_warps(const struct walk_sums *s, enum exec_unit unit)
{
    const struct gpu *g = s->gpu;
    double sets = g->sm.sub_core && unit != UNIT_MEM ? g->sm.schedulers : 1;
    return later(2, s->kernel->warps_per_block / sets);
}

static void note_burst(struct walker *w, const struct walk_sums *s,
                       enum exec_unit unit, double time, double cycles)
{
    burst_add(&w->burst[unit], queueing_warps(s, unit), time, cycles);
}

static void end_bursts(struct walker *w, const struct walk_sums *s)
{
    double *n = w->phase->metric;
    struct burst ldst = burst_end(&w->burst[UNIT_MEM]), slow = {0, 0};
    for (int u = UNIT_SFU; u <= UNIT_TENSOR; u++) {
        double warps = queueing_warps(s, (enum exec_unit)u);
        struct burst b = burst_end(&w->burst[u]);
        if (burst_wait(warps, &b) > burst_wait(warps, &slow))
            slow = b;
    }
    n[PHASE_LDST_BURST] += s->weight * ldst.work;
    n[PHASE_LDST_SPAN] += s->weight * ldst.span;
    n[PHASE_UNIT_BURST] += s->weight * slow.work;
    n[PHASE_UNIT_SPAN] += s->weight * slow.span;
}

/* What the warp takes from its last issue on is its last instruction's. */
static void spend(const struct walker *w, const struct walk_sums *s,
                  double cycles)
{
    s->code[s->kernel->inst[w->last].phase] += s->weight * cycles;
}

/* The phase ends at end[x] if all loads are served by level x, and when that is
 * DRAM, with a wait for memory of `wait` cycles. */
static void close_phase(struct walker *w, const struct walk_sums *s,
                        const double end[MEMORY_LEVELS], double wait)
{
    struct profile_phase *p = w->phase;
    p->metric[PHASE_COUNT] += s->weight;
    p->metric[PHASE_COMPUTE] +=
        s->weight * (end[LEVEL_DRAM] - w->clock[LEVEL_DRAM].start - wait);
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        p->metric[PHASE_LENGTH + x] += s->weight * (end[x] - w->clock[x].start);
        w->clock[x].start = end[x];
    }
    if (wait > p->longest_wait) {
        p->longest_wait = wait;
        p->waits_in = s->kernel->inst[w->last].phase;
    }
    if (w->any_load) {
        reuse_add(&p->l1_worst[w->worst_kind], w->worst_l1, s->weight);
        reuse_add(&p->l2_worst, w->worst_l2, s->weight);
    }
    end_bursts(w, s);
    w->worst_l1 = w->worst_l2 = 0;
    w->any_load = false;
    w->phase = NULL;
}

/* ---- issue -------------------------------------------------------------- */

static bool waits_for(const struct walker *w, unsigned reg)
{
    return w->waits[reg / 64] >> (reg % 64) & 1;
}

/* When the registers the instruction touches are ready: those that memory
 * writes in *memory, the others in *alu. */
static void registers_ready(const struct walker *w, int x, const struct inst *i,
                            double *alu, double *memory)
{
    const double *ready = w->clock[x].ready;
    *alu = *memory = 0;
    for (int k = 0; k < i->src_count + i->dst_count; k++) {
        unsigned reg = k < i->src_count ? i->src[k] : i->dst[k - i->src_count];
        double *to = waits_for(w, reg) ? memory : alu;
        *to = later(*to, ready[reg]);
    }
}

/* When an instruction that is ready at `ready` goes: into the last issue slot
 * if there is room for a pair, else into the first free one. */
static double issue_time(const struct warp_clock *c, const struct gpu *g,
                         double ready, bool pairs)
{
    int period = g->sm.issue_period;
    double next = c->slot + period;
    if (pairs && ready <= c->slot)
        return c->slot;
    if (ready <= next)
        return next;
    return period == 1 ? ceil(ready) : ceil(ready / period) * period;
}

struct issue {
    double time[MEMORY_LEVELS];
    double wait; /* for memory, when all loads come from DRAM */
    bool on_memory;
    bool paired;
};

static struct issue issue_of(const struct walker *w, const struct walk_sums *s,
                             const struct inst *i, enum exec_unit unit,
                             const double *await)
{
    const struct gpu *g = s->gpu;
    bool pairs = w->slot_insts > 0 && w->slot_insts < g->sm.issue_width &&
                 !(g->sm.dual_distinct && w->slot_units >> unit & 1);
    struct issue out = {.wait = 0};
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        const struct warp_clock *c = &w->clock[x];
        double alu, memory;
        double ready = later(c->now, c->buffered > 0 ? 0 : c->fetch);
        registers_ready(w, x, i, &alu, &memory);
        if (unit != UNIT_MEM)
            alu = later(alu, c->unit[unit]);
        if (i->op == OP_FENCE)
            memory = later(memory, c->done);
        if (await != NULL)
            memory = later(memory, await[x]);
        ready = later(ready, alu);
        out.time[x] = issue_time(c, g, later(ready, memory), pairs);
        out.wait =
            memory > ready ? out.time[x] - issue_time(c, g, ready, pairs) : 0;
        out.paired = pairs && out.time[x] <= c->slot;
    }
    out.on_memory = out.wait > 0;
    return out;
}

static void forget_waits(struct walker *w, const struct inst *i)
{
    for (int k = 0; k < i->src_count; k++)
        w->waits[i->src[k] / 64] &= ~(UINT64_C(1) << (i->src[k] % 64));
    for (int k = 0; k < i->dst_count; k++)
        w->waits[i->dst[k] / 64] &= ~(UINT64_C(1) << (i->dst[k] % 64));
}

static void take_slot(struct walker *w, const struct issue *at,
                      enum exec_unit unit)
{
    w->slot_insts = at->paired ? w->slot_insts + 1 : 1;
    w->slot_units = (at->paired ? w->slot_units : 0) | UINT32_C(1) << unit;
    for (int x = 0; x < MEMORY_LEVELS; x++)
        w->clock[x].slot = w->clock[x].now = at->time[x];
}

/* An instruction left the buffer: fetch when it is at most half full (or empty,
 * as configured); past a branch only once that is resolved or was foreseen. */
static void refill(struct warp_clock *c, const struct gpu *g, int refill_at,
                   double now, bool branch)
{
    branch = branch && !g->fetch.past_branches;
    if (c->incoming > 0 && c->fetch <= now) {
        c->buffered += c->incoming;
        c->incoming = 0;
    }
    if (c->buffered == 0) {
        c->buffered = c->incoming;
        c->incoming = 0;
    }
    c->buffered = branch ? 0 : c->buffered - 1;
    if (branch)
        c->incoming = 0;
    if (c->incoming == 0 && c->buffered <= refill_at) {
        c->incoming = g->fetch.buffer - c->buffered;
        c->fetch =
            now + g->fetch.latency + (branch ? g->fetch.branch_latency : 0);
    }
}

static void execute(struct walker *w, const struct walk_sums *s,
                    const struct inst *i, const struct issue *at,
                    const struct access_cost *cost, double done[MEMORY_LEVELS])
{
    enum exec_class class = timing_class(&s->timing, i->op);
    enum exec_unit unit = s->timing.exec.class[class].unit;
    double intervals =
        s->timing.interval[class] * timing_intervals(&s->timing, i);
    int late = exec_late(&s->timing.exec, i);
    if (inst_is_memory(i))
        note_burst(w, s, UNIT_MEM, at->time[LEVEL_L1], cost->unit);
    else if (unit >= UNIT_SFU && unit <= UNIT_TENSOR)
        note_burst(w, s, unit, at->time[LEVEL_L1], intervals);
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        struct warp_clock *c = &w->clock[x];
        double end = at->time[x] + s->timing.alu[class] + late;
        if (inst_is_memory(i)) {
            double start = later(at->time[x] + s->timing.to_memory, c->ldst);
            c->ldst = start + cost->unit;
            end = start + cost->last * s->timing.step[x] + cost->latency[x];
            c->done = later(c->done, end);
        } else {
            c->unit[unit] = at->time[x] + intervals;
        }
        done[x] = inst_is_memory(i) || i->sync == SYNC_RESULT
                      ? end + intervals - s->timing.interval[class]
                      : at->time[x];
        refill(c, s->gpu, s->timing.exec.refill_at, at->time[x],
               i->op == OP_BRANCH);
        for (int k = 0; k < i->dst_count; k++)
            c->ready[i->dst[k]] = end;
    }
    for (int k = 0; k < i->dst_count && is_long(i); k++)
        w->waits[i->dst[k] / 64] |= UINT64_C(1) << (i->dst[k] % 64);
}

static void count_inst(struct walker *w, struct walk_sums *s,
                       const struct inst *i, const struct step *step,
                       const struct issue *at, const struct access_cost *cost)
{
    struct profile_phase *p = w->phase;
    s->executed[step->inst] = true;
    p->metric[PHASE_INSTS] += s->weight;
    p->metric[PHASE_SLOTS] += at->paired ? 0 : s->weight;
    double lanes = s->weight * __builtin_popcount(step->mask);
    s->thread_insts += lanes;
    s->events.lanes[i->op] += lanes;
    s->events.register_reads += lanes * i->src_count;
    s->events.register_writes += lanes * i->dst_count;
    if (inst_is_memory(i))
        p->metric[PHASE_LDST] += s->weight * cost->unit;
    else if (i->op != OP_BARRIER && i->op != OP_EXIT && i->op != OP_FENCE)
        p->metric[PHASE_EXEC + timing_class(&s->timing, i->op)] +=
            s->weight * timing_intervals(&s->timing, i);
}

/* The warp stops: at a barrier, or for good once its last access is done. */
static void stop(struct walker *w, struct walk_sums *s, bool barrier)
{
    double end[MEMORY_LEVELS], wait = 0;
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        struct warp_clock *c = &w->clock[x];
        end[x] = c->slot + s->gpu->sm.issue_period;
        if (!barrier && c->done > end[x]) {
            wait = c->done - end[x];
            end[x] = c->done;
        }
        c->now = end[x];
    }
    spend(w, s, s->gpu->sm.issue_period);
    w->at_barrier = barrier;
    w->ended = !barrier;
    s->drain += s->weight * wait;
    if (w->phase == NULL)
        return;
    w->phase->barrier = w->phase->barrier || barrier;
    close_phase(w, s, end, wait);
}

/* The instruction cache as one warp sees it, all ways in one set; what was
 * never there before is counted apart (profile.c). */
static void fetch_code(struct walker *w, struct walk_sums *s, uint32_t pc)
{
    const struct gpu *g = s->gpu;
    uint32_t bytes = (uint32_t)g->icache.line_bytes;
    if (w->code_count > 0 && pc - w->code[0] < bytes)
        return;
    uint32_t line = pc - pc % bytes;
    int lines = (int)(g->icache.size_kb * 1024 / bytes), at = 0;
    lines = lines < CODE_LINES ? lines : CODE_LINES;
    while (at < w->code_count && w->code[at] != line)
        at++;
    if (at == w->code_count) {
        s->code_misses += s->weight;
        if (at < lines)
            w->code_count++;
        else
            at--;
    }
    memmove(&w->code[1], &w->code[0], (size_t)at * sizeof(w->code[0]));
    w->code[0] = line;
}

/* ---- counts ------------------------------------------------------------- */

/* When what the step waits for is there; NULL: it waits for nothing. */
static const double *awaited(const struct walk_sums *s, const struct inst *i,
                             const struct step *step)
{
    return i->sync != SYNC_WAIT || step->await == 0
               ? NULL
               : counts_time(&s->counts, step->await, step->await_count);
}

/* The step raises its count when it is done, or when another one is raised. */
static bool raise(struct walk_sums *s, const struct inst *i,
                  const struct step *step, double done[MEMORY_LEVELS])
{
    const double *after = NULL;
    if (i->sync == SYNC_NONE || step->signal == 0)
        return true;
    if (i->sync == SYNC_RAISE && step->await != 0)
        after = counts_time(&s->counts, step->await, step->await_count);
    for (int x = 0; x < MEMORY_LEVELS && after != NULL; x++)
        done[x] = later(done[x], after[x]);
    return counts_raise(&s->counts, step->signal, done);
}

/* Whether all warps of the block meet at the barrier. */
static bool is_of_all(const struct inst *i, const struct step *step)
{
    return i->sync == SYNC_NONE || (step->signal == 0 && step->await == 0);
}

/* Whether the step must wait until other warps are further. One that raises
 * what it waits for itself does so first. False: no memory. */
static bool must_hold(struct walker *w, struct walk_sums *s, struct step *step,
                      bool *hold)
{
    const struct inst *i = &s->kernel->inst[step->inst];
    *hold = false;
    if (i->sync != SYNC_WAIT || step->await == 0)
        return true;
    if (step->signal == step->await) {
        double now[MEMORY_LEVELS];
        for (int x = 0; x < MEMORY_LEVELS; x++)
            now[x] = w->clock[x].now;
        if (!counts_raise(&s->counts, step->signal, now))
            return false;
        step->signal = 0;
    }
    *hold = awaited(s, i, step) == NULL;
    return true;
}

/* Cycles of the phase since its last issue, a wait for memory left out. */
static double since_last(const struct walker *w, const struct issue *at)
{
    const struct warp_clock *c = &w->clock[LEVEL_DRAM];
    double wait = at->on_memory ? at->wait : 0;
    return at->time[LEVEL_DRAM] - wait - later(c->slot, c->start);
}

/* One instruction. *boundary tells that it opened or closed a phase. */
static bool walk_step(struct walker *w, struct walk_sums *s,
                      const struct step *step, bool *boundary)
{
    const struct inst *i = &s->kernel->inst[step->inst];
    enum exec_class class = timing_class(&s->timing, i->op);
    enum exec_unit unit = s->timing.exec.class[class].unit;
    const double *await = awaited(s, i, step);
    struct issue at = issue_of(w, s, i, unit, await);
    double done[MEMORY_LEVELS];
    struct access_cost cost = {.unit = 0};
    *boundary = false;
    if (w->steps == 0)
        w->last = step->inst;
    spend(w, s, since_last(w, &at));
    fetch_code(w, s, i->pc);
    if (at.on_memory && w->phase != NULL) {
        close_phase(w, s, at.time, at.wait);
        *boundary = true;
    }
    if (w->phase == NULL && open_phase(w, s, step->inst) == NULL)
        return false;
    forget_waits(w, i);
    take_slot(w, &at, unit);
    if (inst_is_memory(i) && !walk_access(w, s, i, step, &cost))
        return false;
    execute(w, s, i, &at, &cost, done);
    if (!raise(s, i, step, done))
        return false;
    count_inst(w, s, i, step, &at, &cost);
    if (i->op == OP_BARRIER && is_of_all(i, step)) {
        stop(w, s, true);
        *boundary = true;
    }
    w->last = step->inst;
    w->steps++;
    return true;
}

/* The next step; false: there is none. */
static bool next_step(struct walker *w, const struct walk_sums *s, void *stream,
                      struct step *out)
{
    if (!w->holds)
        return s->kernel->ops->next(s->kernel, stream, w->warp, out);
    *out = w->held;
    w->holds = false;
    return true;
}

bool walker_run(struct walker *w, struct walk_sums *s, void *stream)
{
    struct step step;
    bool boundary = false, hold;
    for (unsigned n = 1; !boundary; n++) {
        if (n % STEPS_UNTIMED == 0 && stop_due(s->kernel->stop))
            return false;
        if (!next_step(w, s, stream, &step)) {
            stop(w, s, false);
            return true;
        }
        if (!must_hold(w, s, &step, &hold))
            return false;
        if (hold) {
            w->held = step;
            w->holds = true;
            return true;
        }
        if (!walk_step(w, s, &step, &boundary))
            return false;
    }
    return true;
}
