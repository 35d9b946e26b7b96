/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/dispatch.h"

#include "base/bits.h"

#include <math.h>
#include <stdlib.h>

static void tell(struct dispatch *d, struct sm *sm, enum block_event_type type,
                 const struct block_slot *slot, uint64_t now)
{
    if (d->blocks.policy->event != NULL)
        sm_settle(sm, now);
    block_scheduler_event(
        &d->blocks,
        &(struct block_event){
            .type = type,
            .cycle = now,
            .sm = sm->core.id,
            .block = slot != NULL ? slot->id - d->first_block : 0,
            .block_insts = slot != NULL ? sm_block_insts(sm, slot) : 0,
            .sm_insts = sm_insts(sm),
            .stalls = sm->schedulers.stalls});
}

uint64_t dispatch_sample(struct dispatch *d, uint64_t now)
{
    uint64_t soonest = UINT64_MAX;
    if (d->blocks.policy->sample_at == NULL)
        return soonest;
    for (int i = 0; i < d->gpu->sms; i++) {
        uint64_t due = block_scheduler_sample_at(&d->blocks, i);
        if (due <= now) {
            tell(d, &d->sm[i], BLOCK_EVENT_SAMPLE, NULL, now);
            d->pending = true;
            due = block_scheduler_sample_at(&d->blocks, i);
        }
        soonest = earliest(soonest, due);
    }
    return soonest;
}

/* ---- handing out -------------------------------------------------------- */

static bool launch(struct dispatch *d, struct sm *sm, uint64_t block,
                   uint64_t now, struct error *e)
{
    uint64_t blocks = d->blocks.context.blocks;
    if (block >= blocks)
        return error_set(
            e, STATUS_FAILED,
            "thread-block scheduler %s: gave SM %d block %llu of a "
            "grid of %llu",
            d->blocks.policy->info.name, sm->core.id, (unsigned long long)block,
            (unsigned long long)blocks);
    const struct block_slot *slot =
        sm_launch(sm, d->first_block + block, now, e);
    if (slot == NULL)
        return false;
    if (block < d->underway.of.blocks)
        underway_add(&d->underway, sm, slot, block);
    tell(d, sm, BLOCK_EVENT_START, slot, now);
    if (block_scheduler_left(&d->blocks) == 0)
        for (int i = 0; i < d->gpu->sms; i++)
            sm_tell_last_block(&d->sm[i], now);
    return true;
}

/* Give sm a block if its policy has one for it. */
static bool hand_out(struct dispatch *d, struct sm *sm, uint64_t now,
                     bool *gave, struct error *e)
{
    int id = sm->core.id;
    *gave = false;
    if (block_scheduler_left(&d->blocks) == 0 ||
        sm->blocks.resident >= block_scheduler_limit(&d->blocks, id))
        return true;
    int64_t block = block_scheduler_next(&d->blocks, id);
    *gave = block >= 0;
    return !*gave || launch(d, sm, (uint64_t)block, now, e);
}

/* The SM to be served first, or -1 with e set. */
static int first_sm(struct dispatch *d, struct error *e)
{
    int sms = d->gpu->sms, first = block_scheduler_first_sm(&d->blocks);
    if (first >= 0 && first < sms)
        return first;
    error_set(e, STATUS_FAILED,
              "thread-block scheduler %s: SM %d is to be first of %d",
              d->blocks.policy->info.name, first, sms);
    return -1;
}

/* Blocks that begin in their middle are all there at once: one on each SM after
 * the other. Measured: on any SM, so that the places of its blocks are not
 * spread as evenly, windows of the development half err by 0.85 % in place of
 * 0.77. */
static bool hand_out_underway(struct dispatch *d, uint64_t now, struct error *e)
{
    bool gave, first = d->blocks.context.handed_out == 0;
    uint64_t sms = (uint64_t)d->gpu->sms;
    for (uint64_t i = 0; first && i < d->underway.of.blocks; i++)
        if (!hand_out(d, &d->sm[i % sms], now, &gave, e))
            return false;
    return true;
}

/* At most one block an SM and cycle, launch.block_period cycles apart; it stays
 * pending while another round may find room. */
static bool hand_out_round(struct dispatch *d, uint64_t now, struct error *e)
{
    double period = d->gpu->launch.block_period;
    int sms = d->gpu->sms, first = d->pending ? first_sm(d, e) : 0;
    bool any = false;
    if (first < 0)
        return false;
    for (int i = 0; d->pending && i < sms; i++) {
        if (period > 0 && d->due > (double)now)
            return true;
        bool gave;
        if (!hand_out(d, &d->sm[(first + i) % sms], now, &gave, e))
            return false;
        any |= gave;
        /* Due in this cycle: the fraction of a period is not lost. */
        bool in_time = d->due > (double)now - 1;
        if (gave)
            d->due = (in_time ? d->due : (double)now) + period;
    }
    d->pending = any && block_scheduler_left(&d->blocks) > 0;
    return true;
}

/* As other runs have it, too, where nothing has run yet. */
static bool forward(struct dispatch *d, struct error *e)
{
    struct underway *u = &d->underway;
    bool first = d->blocks.context.handed_out == u->count;
    bool ok =
        d->warmed != NULL && first
            ? warmed_forward(d->warmed, &d->before, u, d->kernel, d->memory, e)
            : underway_forward(u, d->kernel, d->memory, e);
    underway_done(u);
    return ok;
}

bool dispatch_cycle(struct dispatch *d, uint64_t now, struct error *e)
{
    return hand_out_underway(d, now, e) && hand_out_round(d, now, e) &&
           forward(d, e);
}

uint64_t dispatch_wake(const struct dispatch *d, uint64_t now)
{
    if (!d->pending || block_scheduler_left(&d->blocks) == 0)
        return UINT64_MAX;
    return latest((uint64_t)ceil(d->due), now + 1);
}

void dispatch_block_ended(struct dispatch *d, struct sm *sm,
                          const struct block_slot *slot, uint64_t now)
{
    d->pending = true;
    tell(d, sm, BLOCK_EVENT_END, slot, now);
}

/* ---- accounts ----------------------------------------------------------- */

void dispatch_explain(const struct dispatch *d, FILE *out)
{
    for (int i = 0; i < d->gpu->sms; i++)
        block_scheduler_explain(&d->blocks, i, out);
}

struct sampler_search dispatch_search(const struct dispatch *d)
{
    struct sampler_search s = {0};
    for (int i = 0; i < d->gpu->sms; i++) {
        s.blocks += (double)block_scheduler_limit(&d->blocks, i) / d->gpu->sms;
        s.settled += block_scheduler_settled(&d->blocks, i);
    }
    return s;
}

/* ---- life --------------------------------------------------------------- */

bool dispatch_init(struct dispatch *d, const struct choice *policy)
{
    return block_scheduler_init(&d->blocks, policy, d->gpu->sms);
}

void dispatch_free(struct dispatch *d)
{
    block_scheduler_free(&d->blocks);
    underway_free(&d->underway);
}

bool dispatch_set_underway(struct dispatch *d,
                           const struct sampler_underway *underway,
                           const struct warm_blocks *before)
{
    underway_free(&d->underway);
    d->before = *before;
    return underway_init(&d->underway, underway, d->first_block, d->gpu->sms);
}

void dispatch_start_kernel(struct dispatch *d, const struct kernel *k,
                           int index, uint64_t blocks, int max_blocks,
                           uint64_t now)
{
    block_scheduler_start(&d->blocks,
                          &(struct block_context){.max_blocks = max_blocks,
                                                  .blocks = blocks,
                                                  .grid_x = k->grid.x,
                                                  .grid_y = k->grid.y,
                                                  .grid_z = k->grid.z,
                                                  .kernel_index = index});
    d->kernel = k;
    d->pending = true;
    d->due = (double)now;
}
