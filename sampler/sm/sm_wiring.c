/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the parts of an SM are joined: each is given those below it, and what it
 * is to call when something goes up. */
#include "sampler/sm/sm.h"

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

static void on_line_event(void *user, const struct sched_event *e)
{
    struct sm *sm = user;
    sm->up.line_event(sm->up.user, sm, e);
}

/* ---- life --------------------------------------------------------------- */

/* Give every part the parts below it and the way up: from memory .. */
static void join_memory(struct sm *sm, const struct sm_setup *s)
{
    struct sm_core *core = &sm->core;
    sm->port = (struct port){.core = core, .memory = s->memory};
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
                             .l1_queue = &sm->l1_queue,
                             .copier = &sm->copier};
    sm->copier = (struct copier){.core = core, .ops = &sm->ops, .l1 = &sm->l1};
    sm->collectors.core = core;
    sm->collectors.ldst = &sm->ldst;
}

/* .. over instructions and warps .. */
static void join_warps(struct sm *sm, const struct sm_setup *s)
{
    struct sm_core *core = &sm->core;
    sm->icache.core = core;
    sm->icache.port = &sm->port;
    sm->frontend =
        (struct frontend){.core = core,
                          .icache = &sm->icache,
                          .scoreboard = &sm->scoreboard,
                          .needs_loaded = s->policies->warp.warp->needs_loaded,
                          .needs_open = s->policies->warp.warp->needs_open,
                          .ended = on_stream_end,
                          .user = sm};
    sm->blocks = (struct blocks){.core = core,
                                 .frontend = &sm->frontend,
                                 .scoreboard = &sm->scoreboard,
                                 .slots = s->block_slots,
                                 .ended = on_block_end,
                                 .user = sm};
}

/* .. to issue and write-back. */
static void join_pipeline(struct sm *sm, const struct sm_setup *s)
{
    struct sm_core *core = &sm->core;
    sm->writeback = (struct writeback){.core = core,
                                       .ops = &sm->ops,
                                       .scoreboard = &sm->scoreboard,
                                       .banks = &sm->collectors.banks,
                                       .frontend = &sm->frontend,
                                       .blocks = &sm->blocks};
    sm->issue = (struct issue){.core = core,
                               .frontend = &sm->frontend,
                               .scoreboard = &sm->scoreboard,
                               .collectors = &sm->collectors,
                               .ldst = &sm->ldst,
                               .ops = &sm->ops,
                               .blocks = &sm->blocks};
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
    struct criticality_setup setup = {
        .period = s->criticality_period,
        .is_signed = choice_param(&s->policies->warp, ROLE_CPL_SIGNED, 1) != 0,
        .keep_lines = s->criticality,
    };
    sm->criticality = criticality_new(&sm->core, &setup);
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
    if (sm->up.line_event != NULL)
        core_observe(&sm->core,
                     &(struct observer){.events = EVENT_L1_HIT | EVENT_L1_MISS |
                                                  EVENT_L1_EVICT,
                                        .user = sm,
                                        .tell = on_line_event});
    return collectors > 0 && blocks_init(&sm->blocks) &&
           frontend_init(&sm->frontend) && icache_init(&sm->icache) &&
           l1_init(&sm->l1, &s->policies->l1) && l1_queue_init(&sm->l1_queue) &&
           ldst_init(&sm->ldst, collectors);
}

bool sm_init(struct sm *sm, const struct sm_setup *s)
{
    sm->core.gpu = s->gpu;
    sm->core.exec = s->exec;
    sm->core.id = s->id;
    sm->core.error = s->error;
    sm->core.table.slots = s->gpu->sm.max_warps;
    sm->core.table.schedulers = s->gpu->sm.schedulers;
    sm->up = s->up;
    sm->wake = s->wake;
    *sm->wake = UINT64_MAX;
    join_memory(sm, s);
    join_warps(sm, s);
    join_pipeline(sm, s);
    return init_parts(sm, s) || error_no_memory(s->error);
}

void sm_free(struct sm *sm)
{
    schedulers_free(&sm->schedulers);
    writeback_free(&sm->writeback);
    blocks_free(&sm->blocks);
    ldst_free(&sm->ldst);
    copier_free(&sm->copier);
    l1_queue_free(&sm->l1_queue);
    l1_free(&sm->l1);
    frontend_free(&sm->frontend);
    icache_free(&sm->icache);
    memory_ops_free(&sm->ops);
    wheel_free(&sm->core.wheel);
    criticality_free(sm->criticality);
}
