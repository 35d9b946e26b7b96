/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/issue.h"

#include "base/bits.h"

static void open_branch(const struct issue *u, int warp, const struct step *s)
{
    struct sm_core *core = u->core;
    int latency = core->gpu->fetch.branch_latency;
    core_step_event(core, EVENT_BRANCH, warp, s);
    if (latency == 0)
        return;
    core->table.branch_wait |= BIT(warp);
    core_schedule(core, core->now + (uint64_t)latency, DONE_BRANCH, warp, 0);
}

/* Shared memory and the constant cache answer as soon as arithmetic does; a
 * warp does not leave for them (GPGPU-Sim, Scoreboard::reserveRegisters: long
 * operations are loads of global and local memory and of textures). */
static bool takes_long(const struct inst *i)
{
    return i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL ||
           i->space == SPACE_TEXTURE;
}

/* Send the instruction on its way to its unit. */
static void send(const struct issue *u, int scheduler, int warp,
                 const struct step *s)
{
    struct sm_core *core = u->core;
    struct warp *w = &core->warp[warp];
    const struct inst *i = &core->kernel->inst[s->inst];
    bool memory = core->decoded[s->inst].unit == UNIT_MEM;
    uint16_t entry = 0;
    if (memory) {
        *(s->form == ADDR_BOX ? &w->copies
          : i->op != OP_STORE ? &w->loads
                              : &w->stores) += 1;
        entry = ldst_prepare(u->ldst, warp, s);
        if (i->sync != SYNC_NONE)
            u->ops->op[u->ldst->entry[entry].op].signal = s->signal;
    } else {
        w->alu++;
    }
    scoreboard_issue(u->scoreboard, warp, i, takes_long(i));
    core_count_in_flight(core, !memory, memory);
    if (i->sync == SYNC_RESULT) {
        w->result_count = s->signal;
        collectors_book(u->collectors, scheduler, warp, s->inst);
    } else {
        collectors_take(u->collectors, scheduler, warp, s->inst, entry);
    }
}

/* Slots in which the instruction now issued could have gone: the first that it
 * could is no wait. */
static void count_wait(struct sm_core *core, struct warp *w)
{
    uint64_t period = (uint64_t)core->gpu->sm.issue_period;
    if (core->now > w->ready_since) {
        uint64_t wait = core->now - w->ready_since;
        wait -= modulo(wait, period);
        w->sched_wait += wait;
        core->counts.sched_wait += wait;
    }
    w->ready_since = core->now + 1;
}

static void count(struct sm_core *core, struct warp *w, const struct step *s)
{
    const struct decoded *d = &core->decoded[s->inst];
    struct sampler_counts *c = &core->counts;
    uint64_t lanes = (uint64_t)count_bits(s->mask);
    int op = core->kernel->inst[s->inst].op;
    c->warp_insts++;
    c->thread_insts += lanes;
    c->insts_by_class[op]++;
    c->lanes_by_class[op] += lanes;
    c->register_reads += d->reads * lanes;
    c->register_writes += d->writes * lanes;
    w->insts++;
    count_wait(core, w);
    core->table.block_insts[w->block_slot]++;
}

/* The step is issued: memory operations raise counts when they are complete. */
static void synchronise(const struct issue *u, int warp, const struct step *s)
{
    const struct sm_core *core = u->core;
    const struct inst *i = &core->kernel->inst[s->inst];
    bool memory = core->decoded[s->inst].unit == UNIT_MEM;
    uint32_t slot = core->warp[warp].block_slot;
    if (i->op == OP_BARRIER && (i->sync == SYNC_NONE || s->signal == 0))
        blocks_wait_at_barrier(u->blocks, warp);
    if (i->sync == SYNC_NONE || i->sync == SYNC_RESULT)
        return;
    if (i->sync == SYNC_RAISE && s->await != 0) {
        blocks_raise_after(u->blocks, slot, s);
        return;
    }
    if (s->signal != 0 && !memory)
        blocks_raise(u->blocks, slot, s->signal);
    if (s->await != 0)
        blocks_await(u->blocks, warp, s);
}

void issue_next(const struct issue *u, int scheduler, int warp)
{
    struct sm_core *core = u->core;
    const struct step *s = frontend_head(u->frontend, warp);
    int op = core->kernel->inst[s->inst].op;
    uint8_t unit = core->decoded[s->inst].unit;
    if (unit == UNIT_MEM && !memory_ops_reserve(u->ops)) {
        core_no_memory(core);
        return;
    }
    count(core, &core->warp[warp], s);
    if (unit < EXEC_UNITS)
        send(u, scheduler, warp, s);
    core_step_event(core, EVENT_ISSUE, warp, s);
    if (op == OP_BRANCH)
        open_branch(u, warp, s);
    bool last = frontend_pop(u->frontend, warp);
    synchronise(u, warp, s);
    core->active_cycle = true;
    if (last)
        blocks_warp_exits(u->blocks, warp);
    frontend_issued(u->frontend, warp);
}
