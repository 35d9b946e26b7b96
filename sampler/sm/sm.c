/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/sm.h"

#include "sampler/sm/collectors_plain.h"
#include "sampler/sm/collectors_staged.h"
#include "sampler/sm/l1_coherence.h"

#include <stdio.h>
#include <string.h>

/* ---- a cycle ------------------------------------------------------------ */

static void complete(struct sm *sm, struct wheel_entry e)
{
    switch ((enum completion)e.kind) {
    case DONE_ALU:
        writeback_alu(&sm->writeback, e.warp, e.subject);
        break;
    case DONE_MEMORY:
        writeback_memory(&sm->writeback, e.subject);
        break;
    case DONE_ANSWER:
        writeback_queue(&sm->writeback, e.subject);
        break;
    case DONE_FETCH:
        frontend_decoded(&sm->frontend, e.warp);
        break;
    case DONE_BRANCH:
        frontend_branch_done(&sm->frontend, e.warp);
        break;
    case DONE_START:
        blocks_start(&sm->blocks, e.subject);
        schedulers_warps_started(&sm->schedulers);
        break;
    }
    sm->core.active_cycle = true;
}

static uint64_t collectors_wake(struct sm *sm)
{
    return sm->collectors.staged ? collectors_staged_wake(&sm->collectors)
                                 : collectors_plain_wake(&sm->collectors);
}

/* When this SM has work again. */
static uint64_t next_wake(struct sm *sm)
{
    uint64_t now = sm->core.now, next = now + 1;
    uint64_t period = (uint64_t)sm->core.gpu->sm.issue_period;
    if (sm->core.active_cycle || frontend_has_work(&sm->frontend) ||
        writeback_has_work(&sm->writeback))
        return next;
    uint64_t wake = wheel_next(&sm->core.wheel, now);
    wake = earliest(wake, schedulers_wake(&sm->schedulers));
    wake = earliest(wake, collectors_wake(sm));
    if (now % period != 0)
        wake = earliest(wake, now + period - now % period);
    return earliest(wake, ldst_wake(&sm->ldst));
}

bool sm_tick(struct sm *sm, uint64_t now)
{
    struct sm_core *core = &sm->core;
    core->now = now;
    core->active_cycle = false;
    for (uint32_t due = wheel_due(&core->wheel, now); due != NO_RECORD;)
        complete(sm, wheel_take(&core->wheel, &due));
    writeback_cycle(&sm->writeback);
    ldst_cycle(&sm->ldst);
    if (sm->collectors.staged)
        collectors_staged_cycle(&sm->collectors);
    else
        collectors_plain_cycle(&sm->collectors);
    schedulers_cycle(&sm->schedulers);
    if (frontend_has_work(&sm->frontend))
        frontend_fetch(&sm->frontend);
    sm->wake = next_wake(sm);
    return !core->failed;
}

/* ---- from outside ------------------------------------------------------- */

bool sm_reply(struct sm *sm, const struct request *r, uint64_t now)
{
    sm->core.now = now;
    sm->wake = now;
    if (r->kind == REQUEST_FILL) {
        l1_fill(&sm->l1, r);
        ldst_filled(&sm->ldst);
    } else if (r->kind == REQUEST_READ && r->owner >= CODE_OWNER) {
        icache_fill(&sm->icache, r);
    } else {
        writeback_answer(&sm->writeback, r->owner);
    }
    return !sm->core.failed;
}

void sm_credit(struct sm *sm, uint64_t now)
{
    if (ldst_credit(&sm->ldst))
        sm->wake = now;
}

const struct block_slot *sm_launch(struct sm *sm, uint64_t id, uint64_t now,
                                   struct error *e)
{
    sm->core.now = now;
    sm->wake = earliest(
        sm->wake, now + latest(1, (uint64_t)sm->core.gpu->launch.block_cycles));
    const struct block_slot *slot = blocks_launch(&sm->blocks, id, e);
    return sm->core.failed ? NULL : slot;
}

void sm_tell_last_block(struct sm *sm, uint64_t now)
{
    sm->core.now = now;
    core_block_event(&sm->core, EVENT_LAST_BLOCK, -1);
}

void sm_settle(struct sm *sm, uint64_t now)
{
    sm->core.now = now;
    core_settle_in_flight(&sm->core);
    schedulers_settle(&sm->schedulers);
}

void sm_rest(struct sm *sm, uint64_t now)
{
    sm->core.now = now;
    core_settle_in_flight(&sm->core);
    schedulers_rest(&sm->schedulers);
}

uint64_t sm_block_insts(const struct sm *sm, const struct block_slot *slot)
{
    return sm->core.table.block_insts[slot - sm->core.block];
}

uint64_t sm_insts(const struct sm *sm)
{
    return sm->core.counts.warp_insts - sm->insts_before;
}

static const char *waits_for(const struct warp_table *t, int warp)
{
    if (t->at_barrier & BIT(warp))
        return "a barrier";
    if (!(t->has_inst & BIT(warp)))
        return "an instruction";
    if (t->long_wait & BIT(warp))
        return "memory";
    return t->hazard_free & BIT(warp) ? "its scheduler" : "a register";
}

void sm_describe_stuck(const struct sm *sm, char *out, size_t size)
{
    const struct warp_table *t = &sm->core.table;
    uint64_t live = t->live;
    size_t used = 0;
    if (size > 0)
        out[0] = '\0';
    for (int n = 0; live != 0 && n < 4; n++) {
        int w = take_bit(&live);
        int wrote =
            snprintf(out + used, size - used,
                     "%sSM %d warp %d (block %llu) waits for %s",
                     n == 0 ? "" : ", ", sm->core.id, w,
                     (unsigned long long)t->block_id[w], waits_for(t, w));
        used += wrote > 0 ? (size_t)wrote : 0;
        if (used >= size)
            return;
    }
}

/* ---- what goes up ------------------------------------------------------- */

static void on_answer(void *user, uint32_t op)
{
    struct sm *sm = user;
    writeback_answer(&sm->writeback, op);
}

static void on_looked_up(void *user, uint32_t op)
{
    struct sm *sm = user;
    writeback_served(&sm->writeback, op);
}

static void on_stream_end(void *user, int warp)
{
    struct sm *sm = user;
    blocks_warp_exits(&sm->blocks, warp);
}

static void on_block_end(void *user, const struct block_slot *slot)
{
    struct sm *sm = user;
    sm->up.block_ended(sm->up.user, sm, slot);
}

static void on_warp_end(void *user, const struct sched_event *e)
{
    struct sm *sm = user;
    sm->up.warp_ended(sm->up.user, sm, e->warp);
}

/* ---- life --------------------------------------------------------------- */

/* Give every part the parts below it and the way up. */
static void join(struct sm *sm, const struct sm_setup *s)
{
    struct sm_core *core = &sm->core;
    sm->port = (struct port){core, s->memory};
    sm->icache.core = core;
    sm->icache.port = &sm->port;
    sm->frontend =
        (struct frontend){.core = core,
                          .icache = &sm->icache,
                          .scoreboard = &sm->scoreboard,
                          .needs_loaded = s->policies->warp.warp->needs_loaded,
                          .ended = on_stream_end,
                          .user = sm};
    sm->l1 = (struct l1){.core = core,
                         .port = &sm->port,
                         .ops = &sm->ops,
                         .answer = on_answer,
                         .user = sm};
    sm->l1_queue = (struct l1_queue){.core = core,
                                     .ops = &sm->ops,
                                     .l1 = &sm->l1,
                                     .answer = on_looked_up,
                                     .user = sm};
    sm->ldst = (struct ldst){.core = core,
                             .ops = &sm->ops,
                             .port = &sm->port,
                             .l1 = &sm->l1,
                             .l1_queue = &sm->l1_queue};
    sm->collectors.core = core;
    sm->collectors.ldst = &sm->ldst;
    sm->blocks = (struct blocks){.core = core,
                                 .frontend = &sm->frontend,
                                 .scoreboard = &sm->scoreboard,
                                 .slots = s->block_slots,
                                 .ended = on_block_end,
                                 .user = sm};
    sm->writeback = (struct writeback){.core = core,
                                       .ops = &sm->ops,
                                       .scoreboard = &sm->scoreboard,
                                       .banks = &sm->collectors.banks,
                                       .frontend = &sm->frontend,
                                       .blocks = &sm->blocks};
    sm->issue = (struct issue){
        core,      &sm->frontend, &sm->scoreboard, &sm->collectors,
        &sm->ldst, &sm->ops,      &sm->blocks};
    sm->schedulers = (struct schedulers){.core = core,
                                         .frontend = &sm->frontend,
                                         .collectors = &sm->collectors,
                                         .issue = &sm->issue,
                                         .choice = &s->policies->warp};
}

/* The criticality predictor, where a policy or the caller asks for it. */
static bool init_criticality(struct sm *sm, const struct sm_setup *s)
{
    if (!s->criticality && !s->policies->warp.warp->needs_criticality &&
        !s->policies->l1.cache->needs_criticality)
        return true;
    sm->criticality =
        criticality_new(&sm->core, s->criticality_period, s->criticality);
    return sm->criticality != NULL;
}

static bool init_parts(struct sm *sm, const struct sm_setup *s)
{
    bool shares_warps = s->policies->warp.warp->warp_sharing;
    int collectors = collectors_init(&sm->collectors, shares_warps);
    /* Observers are told in this order. */
    if (!init_criticality(sm, s) || !schedulers_init(&sm->schedulers))
        return false;
    if (sm->up.warp_ended != NULL)
        core_observe(&sm->core, &(struct observer){.events = EVENT_WARP_END,
                                                   .user = sm,
                                                   .tell = on_warp_end});
    return collectors > 0 && blocks_init(&sm->blocks) &&
           frontend_init(&sm->frontend) && icache_init(&sm->icache) &&
           l1_init(&sm->l1, &s->policies->l1) && l1_queue_init(&sm->l1_queue) &&
           ldst_init(&sm->ldst, collectors);
}

bool sm_init(struct sm *sm, const struct sm_setup *s)
{
    memset(sm, 0, sizeof(*sm));
    sm->core.gpu = s->gpu;
    sm->core.exec = s->exec;
    sm->core.id = s->id;
    sm->core.error = s->error;
    sm->core.table.slots = s->gpu->sm.max_warps;
    sm->core.table.schedulers = s->gpu->sm.schedulers;
    sm->up = s->up;
    sm->wake = UINT64_MAX;
    join(sm, s);
    return init_parts(sm, s) || error_no_memory(s->error);
}

bool sm_start_kernel(struct sm *sm, const struct sm_kernel *next)
{
    struct sm_core *core = &sm->core;
    const struct kernel *before = core->kernel;
    if (before != NULL && strcmp(before->name, next->kernel->name) != 0)
        icache_forget(&sm->icache);
    core->kernel = next->kernel;
    core->decoded = next->decoded;
    core->kernel_index = next->index;
    sm->insts_before = core->counts.warp_insts;
    if (!blocks_start_kernel(&sm->blocks))
        return false;
    schedulers_start_kernel(
        &sm->schedulers,
        &(struct warp_context){.warp_cycles = next->warp_cycles,
                               .first_block = next->first_block});
    l1_start_kernel(&sm->l1, next->read_only);
    ldst_start_kernel(&sm->ldst);
    return true;
}

bool sm_end_kernel(struct sm *sm, uint64_t now)
{
    sm->core.now = now;
    l1_end_kernel(&sm->l1);
    return !sm->core.failed;
}

void sm_free(struct sm *sm)
{
    schedulers_free(&sm->schedulers);
    writeback_free(&sm->writeback);
    blocks_free(&sm->blocks);
    ldst_free(&sm->ldst);
    l1_queue_free(&sm->l1_queue);
    l1_free(&sm->l1);
    frontend_free(&sm->frontend);
    icache_free(&sm->icache);
    memory_ops_free(&sm->ops);
    wheel_free(&sm->core.wheel);
    criticality_free(sm->criticality);
}
