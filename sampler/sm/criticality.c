/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/criticality.h"

#include <stdlib.h>

bool criticality_is_critical(const struct criticality *c, int warp)
{
    const struct sm_core *core = c->core;
    const struct block_slot *b = &core->block[core->warp[warp].block_slot];
    return cpl_critical(&core->table, warp, b->warps & core->table.live);
}

/* ---- instructions ------------------------------------------------------- */

/* What needs no unit commits at once; a branch does with its outcome. */
static void issued(struct criticality *c, const struct sched_event *e)
{
    struct warp_table *t = &c->core->table;
    cpl_issue(&c->cpl, t, e->warp, e->cycle);
    bool no_unit = c->core->decoded[e->inst_index].unit == EXEC_UNITS;
    if (no_unit && e->inst->op != OP_BRANCH)
        cpl_commit(&c->cpl, t, e->warp, e->cycle);
}

static void branched(struct criticality *c, const struct sched_event *e)
{
    uint64_t insts =
        cpl_branch_insts(e->inst, e->inst_index, e->mask, e->taken_mask);
    cpl_branch(&c->cpl, &c->core->table, e->warp, insts, e->cycle);
}

static void committed(struct criticality *c, const struct sched_event *e)
{
    if (e->inst->op != OP_BRANCH)
        cpl_commit(&c->cpl, &c->core->table, e->warp, e->cycle);
}

/* ---- the L1 ------------------------------------------------------------- */

static void hit(struct criticality *c, const struct sched_event *e)
{
    struct sampler_counts *n = &c->core->counts;
    n->l1_critical_accesses += e->critical;
    n->l1_critical_hits += e->critical;
    n->l1_critical_found += e->critical && !e->reused;
}

static void missed(struct criticality *c, const struct sched_event *e)
{
    struct sampler_counts *n = &c->core->counts;
    n->l1_critical_accesses += e->critical;
    if (e->critical && !e->present)
        n->l1_critical_lost += line_set_has(&c->evicted, e->line);
}

static void evicted(struct criticality *c, const struct sched_event *e)
{
    struct sampler_counts *n = &c->core->counts;
    n->l1_critical_evictions += e->critical;
    n->l1_critical_evictions_unused += e->critical && !e->reused;
    if (c->keep_lines && !line_set_add(&c->evicted, e->line))
        core_no_memory(c->core);
}

/* ---- life --------------------------------------------------------------- */

static void tell(void *user, const struct sched_event *e)
{
    struct criticality *c = user;
    switch ((int)e->type) {
    case EVENT_WARP_LAUNCH:
        cpl_launch(&c->cpl, &c->core->table, e->warp, e->cycle);
        break;
    case EVENT_ISSUE:
        issued(c, e);
        break;
    case EVENT_BRANCH:
        branched(c, e);
        break;
    case EVENT_COMMIT:
        committed(c, e);
        break;
    case EVENT_WARP_END:
        cpl_end(&c->cpl, &c->core->table, e->warp, e->cycle);
        c->ended = e->warp;
        break;
    case EVENT_BLOCK_END:
        cpl_block_end(&c->cpl, e->block_slot, c->ended, &c->core->counts);
        break;
    case EVENT_L1_HIT:
        hit(c, e);
        break;
    case EVENT_L1_MISS:
        missed(c, e);
        break;
    case EVENT_L1_EVICT:
        evicted(c, e);
        break;
    }
}

struct criticality *criticality_new(struct sm_core *core,
                                    const struct criticality_setup *s)
{
    const uint64_t default_period = 1000; /* cawa is silent on it */
    struct criticality *c = calloc(1, sizeof(*c));
    if (c == NULL)
        return NULL;
    c->core = core;
    c->keep_lines = s->keep_lines;
    cpl_init(&c->cpl, s->period > 0 ? s->period : default_period, s->is_signed);
    core->criticality = c;
    core_observe(core,
                 &(struct observer){
                     .events = EVENT_WARP_LAUNCH | EVENT_ISSUE | EVENT_BRANCH |
                               EVENT_COMMIT | EVENT_WARP_END | EVENT_BLOCK_END |
                               EVENT_L1_HIT | EVENT_L1_MISS | EVENT_L1_EVICT,
                     .user = c,
                     .tell = tell});
    return c;
}

void criticality_free(struct criticality *c)
{
    if (c != NULL)
        line_set_free(&c->evicted);
    free(c);
}
