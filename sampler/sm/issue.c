/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The warp schedulers' slots: who may issue, whom the policy picks, what
 * issuing does, and what an empty slot is put down to. */
#include "base/bits.h"
#include "sampler/machine.h"
#include "sampler/policy/warp/order.h"
#include "sampler/sm/sm.h"

#include <assert.h>

/* ---- issuing ------------------------------------------------------------ */

static void mark_pending(struct warp *w, const struct inst *i, bool memory)
{
    for (int r = 0; r < i->dst_count; r++) {
        uint64_t bit = UINT64_C(1) << (i->dst[r] % 64);
        w->pending[i->dst[r] / 64] |= bit;
        w->loaded[i->dst[r] / 64] &= ~bit;
        if (memory) {
            w->long_pending[i->dst[r] / 64] |= bit;
            w->loaded[i->dst[r] / 64] |= bit;
        }
    }
}

void issue_release_barrier(struct sm *sm, uint32_t slot)
{
    struct block_slot *b = &sm->block[slot];
    if (b->warps_at_barrier == 0 || b->warps_at_barrier < b->warps_running)
        return;
    b->warps_at_barrier = 0;
    for (uint64_t held = sm->table.at_barrier & b->warps; held != 0;)
        sm->warp[take_bit(&held)].ready_since = sm->now + 1;
    sm->table.at_barrier &= ~b->warps;
    sm->active_cycle = true;
    sm_event(sm, &(struct sched_event){.type = EVENT_BARRIER_RELEASE,
                                       .cycle = sm->now,
                                       .warp = -1,
                                       .block_slot = (int)slot});
}

static void wait_at_barrier(struct sm *sm, int warp)
{
    uint32_t slot = sm->warp[warp].block_slot;
    sm->table.at_barrier |= BIT(warp);
    sm->block[slot].warps_at_barrier++;
    sm_event(sm, &(struct sched_event){.type = EVENT_BARRIER_WAIT,
                                       .cycle = sm->now,
                                       .warp = warp,
                                       .block_slot = (int)slot});
    issue_release_barrier(sm, slot);
}

static void open_branch(struct sm *sm, int warp, const struct step *s)
{
    sm_event(sm,
             &(struct sched_event){.type = EVENT_BRANCH,
                                   .cycle = sm->now,
                                   .warp = warp,
                                   .block_slot = (int)sm->warp[warp].block_slot,
                                   .inst = &sm->kernel->inst[s->inst],
                                   .inst_index = s->inst,
                                   .mask = s->mask,
                                   .taken_mask = s->taken_mask});
    if (sm->gpu->fetch.branch_latency == 0)
        return;
    sm->table.branch_wait |= BIT(warp);
    sm_schedule(sm, sm->now + (uint64_t)sm->gpu->fetch.branch_latency,
                DONE_BRANCH, warp, 0);
}

/* Send the instruction on its way to its unit. */
static void send(struct sm *sm, int scheduler, int warp, const struct step *s)
{
    struct warp *w = &sm->warp[warp];
    const struct inst *i = &sm->kernel->inst[s->inst];
    int unit = sm->machine->decoded[s->inst].unit;
    if (unit == UNIT_MEM) {
        bool load = i->op != OP_STORE;
        *(load ? &w->loads : &w->stores) += 1;
        mark_pending(w, i, i->space != SPACE_SHARED);
        sm_count_flying(sm, 0, 1);
        collect_allocate(sm, scheduler, warp, s->inst, unit,
                         ldst_prepare(sm, warp, s));
        return;
    }
    w->alu++;
    mark_pending(w, i, false);
    sm_count_flying(sm, 1, 0);
    collect_allocate(sm, scheduler, warp, s->inst, unit, 0);
}

/* Slots in which the instruction now issued could have gone: the first that it
 * could is no wait. */
static void count_wait(struct sm *sm, struct warp *w)
{
    uint64_t period = (uint64_t)sm->gpu->sm.issue_period;
    if (sm->now > w->ready_since) {
        uint64_t wait = (sm->now - w->ready_since) / period * period;
        w->sched_wait += wait;
        sm->counts.sched_wait += wait;
    }
    w->ready_since = sm->now + 1;
}

static void count_issue(struct sm *sm, struct warp *w, const struct step *s)
{
    const struct decoded *d = &sm->machine->decoded[s->inst];
    uint64_t lanes = (uint64_t)count_bits(s->mask);
    int op = sm->kernel->inst[s->inst].op;
    sm->counts.warp_insts++;
    sm->counts.thread_insts += lanes;
    sm->counts.insts_by_class[op]++;
    sm->counts.lanes_by_class[op] += lanes;
    sm->counts.register_reads += d->reads * lanes;
    sm->counts.register_writes += d->writes * lanes;
    sm->insts++;
    w->insts++;
    count_wait(sm, w);
    sm->table.block_insts[w->block_slot]++;
}

static void pop_head(struct sm *sm, struct warp *w)
{
    w->head = (uint8_t)(w->head + 1 == sm->buffer_size ? 0 : w->head + 1);
    w->buffered--;
}

/* A branch commits with its outcome, what needs no unit at once. */
static void tell_cpl(struct sm *sm, int warp, const struct step *s)
{
    const struct inst *i = &sm->kernel->inst[s->inst];
    cpl_issue(sm->cpl, &sm->table, warp, sm->now);
    if (i->op == OP_BRANCH)
        cpl_branch(sm->cpl, &sm->table, warp,
                   cpl_branch_insts(i, s->inst, s->mask, s->taken_mask),
                   sm->now);
    else if (sm->machine->decoded[s->inst].unit == EXEC_UNITS)
        cpl_commit(sm->cpl, &sm->table, warp, sm->now);
}

/* `scheduler` issues the next instruction of warp. */
static void issue(struct sm *sm, int scheduler, int warp)
{
    struct warp *w = &sm->warp[warp];
    const struct step *s = front_head(sm, warp);
    const struct inst *i = &sm->kernel->inst[s->inst];
    if (!pool_reserve(&sm->ops, &sm->op)) {
        sm->machine->out_of_memory = true;
        return;
    }
    count_issue(sm, w, s);
    if (sm->cpl != NULL)
        tell_cpl(sm, warp, s);
    if (sm->machine->decoded[s->inst].unit < EXEC_UNITS)
        send(sm, scheduler, warp, s);
    sm_event(sm, &(struct sched_event){.type = EVENT_ISSUE,
                                       .cycle = sm->now,
                                       .warp = warp,
                                       .block_slot = (int)w->block_slot,
                                       .inst = i,
                                       .inst_index = s->inst,
                                       .mask = s->mask});
    if (i->op == OP_BRANCH)
        open_branch(sm, warp, s);
    pop_head(sm, w);
    if (i->op == OP_BARRIER)
        wait_at_barrier(sm, warp);
    sm->active_cycle = true;
    if (w->buffered == 0 && w->done_fetching && !w->fetching)
        sm_leave_kernel(sm, warp);
    front_refresh(sm, warp);
    front_update_want(sm, warp);
}

/* ---- choosing ----------------------------------------------------------- */

/* Warps that could issue an instruction if their unit took it. */
static uint64_t candidates(const struct sm *sm, uint64_t among)
{
    const struct warp_table *t = &sm->table;
    return among & t->live & t->has_inst & ~t->at_barrier & ~t->branch_wait;
}

/* Warps whose next instruction's unit has no collector for scheduler s. */
static uint64_t refused(const struct sm *sm, int s)
{
    uint64_t mask = 0, owned = sm->scheduler[s].owned;
    for (int u = 0; u < EXEC_UNITS; u++)
        if ((sm->head_unit[u] & owned) != 0 && !collect_has_room(sm, s, u))
            mask |= sm->head_unit[u];
    return mask;
}

/* What an empty slot is put down to: the first of pipeline (`ready` warps,
 * which only want a unit), scoreboard (`waiting` ones) and idle that applies,
 * split by what blocks the oldest of them. */
static enum stall blame(const struct sm *sm, uint64_t ready, uint64_t waiting)
{
    const struct warp_table *t = &sm->table;
    if (ready != 0) {
        uint64_t bit = BIT(warp_oldest(t, ready));
        return sm->head_unit[UNIT_MEM] & bit ? STALL_PIPE_MEM : STALL_PIPE_ALU;
    }
    if (waiting == 0)
        return STALL_IDLE;
    return t->long_wait & BIT(warp_oldest(t, waiting)) ? STALL_SB_MEM
                                                       : STALL_SB_ALU;
}

/* The same as long as the warps and what they wait for are the same. */
static enum stall blame_again(const struct sm *sm, struct blamed *b,
                              uint64_t ready, uint64_t waiting)
{
    uint64_t ready_mem = ready & sm->head_unit[UNIT_MEM];
    uint64_t waiting_mem = waiting & sm->table.long_wait;
    if (b->ready != ready || b->waiting != waiting ||
        b->ready_mem != ready_mem || b->waiting_mem != waiting_mem)
        *b = (struct blamed){ready, waiting, ready_mem, waiting_mem,
                             blame(sm, ready, waiting)};
    return b->stall;
}

static void set_stall(struct sm *sm, struct scheduler *s, enum stall stall)
{
    sm->stalls[s->stall] += sm->now - s->since;
    s->stall = stall;
    s->since = sm->now;
}

/* Further instructions of the warp just issued, as far as the slot is wide. */
static void issue_more(struct sm *sm, int s, int warp, int first_unit)
{
    const struct gpu *g = sm->gpu;
    for (int n = 1; n < g->sm.issue_width; n++) {
        uint64_t bit = BIT(warp);
        if ((candidates(sm, bit) & sm->table.hazard_free) == 0)
            return;
        int unit = sm->machine->decoded[front_head(sm, warp)->inst].unit;
        if (g->sm.dual_distinct && unit == first_unit && unit < EXEC_UNITS)
            return;
        if ((refused(sm, s) & bit) != 0)
            return;
        issue(sm, s, warp);
    }
}

/* ---- warp sharing ------------------------------------------------------- */

/* Scheduler `index`, before it issues, shows what it has collectors for, which
 * of its warps want nothing but one, and whether it issues none. */
static void show(struct sm *sm, int index, uint64_t stalled, bool idle)
{
    struct share *s = &sm->share;
    s->idle |= (uint32_t)idle << index;
    for (int u = 0; u < EXEC_UNITS; u++) {
        if (!collect_is_own(sm, u))
            continue;
        s->unit_warps[u] |= sm->head_unit[u] & stalled;
        s->room[u] |= (uint32_t)collect_has_room(sm, index, u) << index;
    }
}

static void lend(struct sm *sm)
{
    for (int r = 0; r < sm->table.schedulers; r++) {
        int warp = share_pick(&sm->share, &sm->table, r);
        if (warp < 0)
            continue;
        set_stall(sm, &sm->scheduler[r], STALL_ISSUED);
        sm->counts.lent_insts++;
        issue(sm, r, warp);
    }
}

/* ---- a cycle ------------------------------------------------------------ */

static void schedule(struct sm *sm, int index)
{
    struct scheduler *s = &sm->scheduler[index];
    const struct warp_policy *p = sm->machine->policies->warp.warp;
    uint64_t allowed = s->owned;
    if (p->eligible != NULL)
        allowed &= p->eligible(s->state, &sm->table, sm->now);
    uint64_t decoded = candidates(sm, s->owned);
    uint64_t free = decoded & allowed & sm->table.hazard_free;
    uint64_t ready = free == 0 ? 0 : free & ~refused(sm, index);
    int warp = ready == 0 ? -1 : p->pick(s->state, &sm->table, ready, sm->now);
    if (sm->shares_warps)
        show(sm, index, free & ~ready, warp < 0);
    if (warp < 0) {
        set_stall(sm, s,
                  blame_again(sm, &s->blamed, free,
                              decoded & ~sm->table.hazard_free));
        return;
    }
    assert(ready & BIT(warp));
    int unit = sm->machine->decoded[front_head(sm, warp)->inst].unit;
    set_stall(sm, s, STALL_ISSUED);
    issue(sm, index, warp);
    issue_more(sm, index, warp, unit);
}

void issue_cycle(struct sm *sm)
{
    if (sm->now % (uint64_t)sm->gpu->sm.issue_period != 0)
        return;
    if (sm->shares_warps)
        sm->share = (struct share){.idle = 0};
    /* Where they share registers the schedulers go first in turn. */
    int n = sm->table.schedulers;
    int first = sm->gpu->stage.registers ? (int)(sm->now % (uint64_t)n) : 0;
    for (int s = 0; s < n; s++)
        schedule(sm, (first + s) % n);
    if (sm->shares_warps)
        lend(sm);
}
