/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/sm.h"

#include "base/bits.h"
#include "sampler/sm/collectors_plain.h"
#include "sampler/sm/collectors_staged.h"
#include "sampler/sm/l1_coherence.h"

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
    case DONE_FILL:
        l1_release(&sm->l1, e.subject);
        ldst_filled(&sm->ldst);
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
    wake = earliest(wake, copier_wake(&sm->copier));
    return earliest(wake, ldst_wake(&sm->ldst));
}

bool sm_tick(struct sm *sm, uint64_t now)
{
    struct sm_core *core = &sm->core;
    core->now = now;
    core->active_cycle = false;
    for (uint32_t due = wheel_due(&core->wheel, now); due != NO_RECORD;)
        complete(sm, wheel_take(&core->wheel, &due));
    if (writeback_has_work(&sm->writeback))
        writeback_cycle(&sm->writeback);
    ldst_cycle(&sm->ldst);
    if (copier_has_work(&sm->copier))
        copier_cycle(&sm->copier);
    if (sm->collectors.staged)
        collectors_staged_cycle(&sm->collectors);
    else
        collectors_plain_cycle(&sm->collectors);
    schedulers_cycle(&sm->schedulers);
    if (frontend_has_work(&sm->frontend))
        frontend_fetch(&sm->frontend);
    *sm->wake = next_wake(sm);
    return !core->failed;
}

/* ---- from outside ------------------------------------------------------- */

bool sm_reply(struct sm *sm, const struct request *r, uint64_t now)
{
    sm->core.now = now;
    *sm->wake = now;
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
    bool copies = copier_credit(&sm->copier);
    if (ldst_credit(&sm->ldst) || copies)
        *sm->wake = now;
}

const struct block_slot *sm_launch(struct sm *sm, uint64_t id, uint64_t now,
                                   struct error *e)
{
    sm->core.now = now;
    *sm->wake =
        earliest(*sm->wake,
                 now + latest(1, (uint64_t)sm->core.gpu->launch.block_cycles));
    const struct block_slot *slot = blocks_launch(&sm->blocks, id, e);
    return sm->core.failed ? NULL : slot;
}

void sm_raise(struct sm *sm, const struct block_slot *slot, uint32_t count)
{
    blocks_raise(&sm->blocks, (uint32_t)(slot - sm->core.block), count);
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

uint64_t sm_resident_cycles(const struct sm *sm, uint64_t now)
{
    uint64_t cycles = 0;
    for (uint64_t left = sm->core.table.live; left != 0;)
        cycles += now - sm->core.warp[take_bit(&left)].launched;
    return cycles;
}

uint64_t sm_insts(const struct sm *sm)
{
    return sm->core.counts.warp_insts - sm->insts_before;
}

/* ---- kernels ------------------------------------------------------------ */

bool sm_start_kernel(struct sm *sm, const struct sm_kernel *next)
{
    struct sm_core *core = &sm->core;
    const struct kernel *before = core->kernel;
    bool other =
        before != NULL && strcmp(before->name, next->kernel->name) != 0;
    core->kernel = next->kernel;
    core->decoded = next->decoded;
    core->kernel_index = next->index;
    icache_start_kernel(&sm->icache, other);
    sm->insts_before = core->counts.warp_insts;
    if (!blocks_start_kernel(&sm->blocks))
        return false;
    schedulers_start_kernel(
        &sm->schedulers,
        &(struct warp_context){.warp_cycles = next->warp_cycles,
                               .first_block = next->first_block});
    l1_start_kernel(&sm->l1, next->read_only);
    return ldst_start_kernel(&sm->ldst);
}

bool sm_end_kernel(struct sm *sm, uint64_t now)
{
    sm->core.now = now;
    l1_end_kernel(&sm->l1);
    return !sm->core.failed;
}
