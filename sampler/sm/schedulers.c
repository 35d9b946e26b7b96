/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/schedulers.h"

#include "base/bits.h"
#include "sampler/policy/warp/order.h"

#include <assert.h>
#include <stdlib.h>

/* ---- who may issue ------------------------------------------------------ */

/* Warps that could issue an instruction if their unit took it. */
static uint64_t candidates(const struct sm_core *core, uint64_t among)
{
    const struct warp_table *t = &core->table;
    return among & t->live & t->has_inst & ~t->at_barrier & ~t->branch_wait;
}

/* Of `warps` those whose next instruction finds no collector with scheduler
 * `index`. */
static uint64_t refused(const struct schedulers *s, int index, uint64_t warps)
{
    const uint64_t *head_unit = s->frontend->head_unit;
    uint64_t mask = 0;
    for (int u = 0; s->collectors->full > 0 && u < EXEC_UNITS; u++)
        if ((head_unit[u] & warps) != 0 &&
            !collectors_have_room(s->collectors, index, u))
            mask |= head_unit[u];
    if (s->core->results_ahead[index] == RESULTS_AHEAD)
        mask |= head_unit[UNIT_TENSOR];
    return mask & warps;
}

/* ---- stall attribution -------------------------------------------------- */

static const struct attribution no_warps = {.stall = STALL_IDLE};

/* The first of pipeline (`ready` warps, which only want a unit), scoreboard
 * (`waiting` ones) and idle that applies, split by what blocks the oldest of
 * them. */
static enum stall attribute(const struct schedulers *s, uint64_t ready,
                            uint64_t waiting)
{
    const struct warp_table *t = &s->core->table;
    if (ready != 0) {
        uint64_t bit = BIT(warp_oldest(t, ready));
        return s->frontend->head_unit[UNIT_MEM] & bit ? STALL_PIPE_MEM
                                                      : STALL_PIPE_ALU;
    }
    if (waiting == 0)
        return STALL_IDLE;
    return t->long_wait & BIT(warp_oldest(t, waiting)) ? STALL_SB_MEM
                                                       : STALL_SB_ALU;
}

/* The same as long as the warps and what they wait for are the same. */
static enum stall attribute_again(const struct schedulers *s,
                                  struct attribution *a, uint64_t ready,
                                  uint64_t waiting)
{
    uint64_t ready_mem = ready & s->frontend->head_unit[UNIT_MEM];
    uint64_t waiting_mem = waiting & s->core->table.long_wait;
    if (a->ready != ready || a->waiting != waiting ||
        a->ready_mem != ready_mem || a->waiting_mem != waiting_mem)
        *a = (struct attribution){ready, waiting, ready_mem, waiting_mem,
                                  attribute(s, ready, waiting)};
    return a->stall;
}

static void set_stall(struct schedulers *s, struct scheduler *of,
                      enum stall stall)
{
    s->stalls[of->stall] += s->core->now - of->since;
    of->stall = stall;
    of->since = s->core->now;
}

void schedulers_warps_started(struct schedulers *s)
{
    s->first_cycle = earliest(s->first_cycle, s->core->now);
    s->held.known = false;
    for (int i = 0; i < s->core->table.schedulers; i++)
        s->scheduler[i].latest = no_warps;
}

void schedulers_settle(struct schedulers *s)
{
    for (int i = 0; i < s->core->table.schedulers; i++)
        set_stall(s, &s->scheduler[i], s->scheduler[i].stall);
}

void schedulers_rest(struct schedulers *s)
{
    s->held.known = false;
    for (int i = 0; i < s->core->table.schedulers; i++)
        set_stall(s, &s->scheduler[i], STALL_IDLE);
}

/* ---- warp sharing ------------------------------------------------------- */

/* Scheduler `index`, before it issues, offers what it has collectors for, which
 * of its warps lack nothing but one, and whether it issues none. */
static void offer(struct schedulers *s, int index, uint64_t stalled, bool idle)
{
    struct share *share = &s->share;
    share->idle |= (uint32_t)idle << index;
    for (int u = 0; u < EXEC_UNITS; u++) {
        if (!collectors_are_own(s->collectors, u))
            continue;
        share->unit_warps[u] |= s->frontend->head_unit[u] & stalled;
        share->room[u] |=
            (uint32_t)collectors_have_room(s->collectors, index, u) << index;
    }
}

/* Schedulers that issued nothing borrow warps of others. */
static void borrow(struct schedulers *s)
{
    for (int i = 0; i < s->core->table.schedulers; i++) {
        int warp = share_pick(&s->share, &s->core->table, i);
        if (warp < 0)
            continue;
        set_stall(s, &s->scheduler[i], STALL_ISSUED);
        s->core->counts.lent_insts++;
        issue_next(s->issue, i, warp);
    }
}

/* ---- a cycle ------------------------------------------------------------ */

/* The policy's choice among the ready warps, or -1. A choice of any other warp
 * ends the run. */
static int pick(const struct schedulers *s, struct scheduler *of,
                uint64_t ready)
{
    struct sm_core *core = s->core;
    const struct warp_policy *p = s->choice->warp;
    if (ready == 0)
        return -1;
    int warp = p->pick(of->state, &core->table, ready, core->now);
    if (warp < 0 || (warp < MAX_WARP_SLOTS && (ready & BIT(warp)) != 0))
        return warp;
    core_fail(core,
              "warp scheduler %s: picked warp %d of SM %d in cycle %llu, which "
              "is not ready",
              p->info.name, warp, core->id, (unsigned long long)core->now);
    return -1;
}

/* Further instructions of the warp just issued, as far as the slot is wide. */
static void issue_more(struct schedulers *s, int index, int warp,
                       int first_unit)
{
    const struct sm_core *core = s->core;
    const struct gpu *g = core->gpu;
    for (int n = 1; n < g->sm.issue_width; n++) {
        uint64_t bit = BIT(warp);
        if ((candidates(core, bit) & core->table.hazard_free) == 0)
            return;
        int unit = core->decoded[frontend_head(s->frontend, warp)->inst].unit;
        if (g->sm.dual_distinct && unit == first_unit && unit < EXEC_UNITS)
            return;
        if (refused(s, index, bit) != 0)
            return;
        issue_next(s->issue, index, warp);
    }
}

static void schedule(struct schedulers *s, int index)
{
    struct sm_core *core = s->core;
    struct scheduler *of = &s->scheduler[index];
    const struct warp_policy *p = s->choice->warp;
    uint64_t allowed = of->owned;
    if (p->eligible != NULL)
        allowed &= p->eligible(of->state, &core->table, core->now);
    uint64_t decoded = candidates(core, of->owned);
    uint64_t free = decoded & allowed & core->table.hazard_free;
    uint64_t ready = free == 0 ? 0 : free & ~refused(s, index, free);
    if (ready != 0 || core->results_ahead[index] == RESULTS_AHEAD)
        s->held.known = false;
    int warp = pick(s, of, ready);
    if (s->collectors->shares_warps)
        offer(s, index, free & ~ready, warp < 0);
    if (warp < 0) {
        uint64_t waiting = decoded & ~core->table.hazard_free;
        set_stall(s, of, attribute_again(s, &of->latest, free, waiting));
        return;
    }
    int unit = core->decoded[frontend_head(s->frontend, warp)->inst].unit;
    set_stall(s, of, STALL_ISSUED);
    issue_next(s->issue, index, warp);
    issue_more(s, index, warp, unit);
}

/* Whether no warp can issue, for what held them in the slots before: the stalls
 * found then go on. */
static bool still_held(struct schedulers *s)
{
    const struct warp_table *t = &s->core->table;
    const struct held before = s->held;
    uint64_t warps = candidates(s->core, UINT64_MAX);
    uint64_t free = warps & t->hazard_free;
    bool steady = s->choice->warp->eligible == NULL &&
                  (free == 0 || !s->collectors->shares_warps);
    s->held = (struct held){steady, warps, free, warps & t->long_wait,
                            s->collectors->freed};
    return before.known && before.warps == warps && before.free == free &&
           before.waiting_mem == s->held.waiting_mem &&
           (free == 0 || before.freed == s->held.freed);
}

void schedulers_cycle(struct schedulers *s)
{
    const struct sm_core *core = s->core;
    if (modulo(core->now, (uint64_t)core->gpu->sm.issue_period) != 0 ||
        still_held(s))
        return;
    bool shares = s->collectors->shares_warps;
    if (shares)
        s->share = (struct share){.idle = 0};
    /* Where they share registers the schedulers go first in turn. */
    int n = core->table.schedulers;
    uint64_t turn = core->now - s->first_cycle;
    int first = core->gpu->stage.registers ? (int)(turn % (uint64_t)n) : 0;
    for (int i = 0; i < n; i++) {
        schedule(s, first);
        first = first + 1 == n ? 0 : first + 1;
    }
    if (shares)
        borrow(s);
}

uint64_t schedulers_wake(const struct schedulers *s)
{
    const struct warp_policy *p = s->choice->warp;
    uint64_t wake = UINT64_MAX;
    for (int i = 0; p->next_change != NULL && i < s->core->table.schedulers;
         i++)
        wake = earliest(wake, p->next_change(s->scheduler[i].state));
    return latest(wake, s->core->now + 1);
}

/* ---- the policy --------------------------------------------------------- */

/* A policy hears of the warps of its scheduler and of the SM's blocks. */
static void tell_policy(void *user, const struct sched_event *event)
{
    struct schedulers *s = user;
    const struct sm_core *core = s->core;
    const struct warp_policy *p = s->choice->warp;
    for (int i = 0; i < core->table.schedulers; i++)
        if (event->warp < 0 || p->whole_sm ||
            warp_scheduler(core, event->warp) == i)
            p->event(s->scheduler[i].state, &core->table, event);
}

bool schedulers_departed(const struct schedulers *s)
{
    const struct warp_policy *p = s->choice->warp;
    bool departed = s->departed;
    for (int i = 0; p->departed != NULL && i < s->core->table.schedulers; i++)
        departed |= p->departed(s->scheduler[i].state);
    return departed;
}

void schedulers_start_kernel(struct schedulers *s,
                             const struct warp_context *context)
{
    struct warp_context own = *context;
    s->departed = schedulers_departed(s);
    own.issue_period = s->core->gpu->sm.issue_period;
    own.param = s->choice->param;
    own.warps_per_block = s->core->kernel->warps_per_block;
    for (int i = 0; i < s->core->table.schedulers; i++) {
        own.index = i;
        own.owned = s->scheduler[i].owned;
        warp_policy_start(s->choice->warp, s->scheduler[i].state, &own);
    }
}

bool schedulers_init(struct schedulers *s)
{
    const struct warp_policy *p = s->choice->warp;
    int n = s->core->table.schedulers;
    assert(n <= MAX_SCHEDULERS);
    s->first_cycle = UINT64_MAX;
    for (int i = 0; i < n; i++) {
        struct scheduler *of = &s->scheduler[i];
        of->stall = STALL_IDLE;
        of->latest = no_warps;
        for (int w = i; w < s->core->gpu->sm.max_warps; w += n)
            of->owned |= BIT(w);
        of->state = calloc(1, p->state_size > 0 ? p->state_size : 1);
        if (of->state == NULL)
            return false;
    }
    if (p->event != NULL)
        core_observe(s->core, &(struct observer){.events = p->events,
                                                 .user = s,
                                                 .tell = tell_policy});
    return true;
}

void schedulers_free(struct schedulers *s)
{
    for (int i = 0; i < MAX_SCHEDULERS; i++)
        free(s->scheduler[i].state);
}
