/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/sm.h"

#include "base/bits.h"
#include "sampler/machine.h"
#include "sampler/policy/l1/table.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/l1_coherence.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_COMPLETION UINT32_MAX

/* ---- the wheel ---------------------------------------------------------- */

static bool grow_completions(struct sm *sm)
{
    uint32_t old = sm->completion_capacity;
    uint32_t capacity = old == 0 ? 256 : 2 * old;
    struct completion *c = realloc(sm->completion, capacity * sizeof(*c));
    if (c == NULL)
        return false;
    for (uint32_t i = old; i < capacity; i++)
        c[i].next = i + 1 < capacity ? i + 1 : sm->free_completion;
    sm->completion = c;
    sm->completion_capacity = capacity;
    sm->free_completion = old;
    return true;
}

void sm_schedule(struct sm *sm, uint64_t time, enum completion_kind kind,
                 int warp, uint32_t inst)
{
    if (time <= sm->now)
        time = sm->now + 1;
    assert(time - sm->now < WHEEL_SIZE);
    if (sm->free_completion == NO_COMPLETION && !grow_completions(sm)) {
        sm->machine->out_of_memory = true;
        return;
    }
    uint32_t id = sm->free_completion;
    sm->free_completion = sm->completion[id].next;
    size_t at = time % WHEEL_SIZE;
    sm->completion[id] =
        (struct completion){sm->wheel[at], inst, (uint8_t)kind, (uint8_t)warp};
    sm->wheel[at] = id;
    sm->wheel_used[at / 64] |= BIT(at % 64);
    if (time < sm->wake)
        sm->wake = time;
}

/* Cycle of the next completion after now, NO_EVENT when there is none. */
static uint64_t wheel_next(const struct sm *sm)
{
    size_t start = (sm->now + 1) % WHEEL_SIZE;
    for (size_t n = 0; n <= WHEEL_SIZE / 64; n++) {
        size_t word = (start / 64 + n) % (WHEEL_SIZE / 64);
        uint64_t bits = sm->wheel_used[word];
        if (n == 0)
            bits &= ~UINT64_C(0) << (start % 64);
        else if (n == WHEEL_SIZE / 64)
            bits &= BIT(start % 64) - 1;
        if (bits == 0)
            continue;
        size_t at = word * 64 + (size_t)__builtin_ctzll(bits);
        return sm->now + 1 + (at + WHEEL_SIZE - start) % WHEEL_SIZE;
    }
    return NO_EVENT;
}

/* ---- blocks ------------------------------------------------------------- */

static const struct blamed nobody = {.stall = STALL_IDLE};

static void start_warp(struct sm *sm, uint32_t slot, uint32_t i)
{
    struct block_slot *b = &sm->block[slot];
    int warp = (int)(slot * sm->kernel->warps_per_block + i);
    struct warp *w = &sm->warp[warp];
    *w = (struct warp){.block_slot = slot,
                       .in_block = i,
                       .launched = sm->now,
                       .buffer = w->buffer};
    struct warp_table *t = &sm->table;
    if (sm->cpl != NULL)
        cpl_launch(sm->cpl, t, warp, sm->now);
    t->live |= BIT(warp);
    t->age[warp] = sm->ages++;
    sm->scheduler[warp_scheduler(sm, warp)].blamed = nobody;
    t->block_slot[warp] = slot;
    t->block_id[warp] = b->id;
    t->warp_in_block[warp] = i;
    b->warps |= BIT(warp);
    front_refresh(sm, warp);
    front_update_want(sm, warp);
    sm_event(sm, &(struct sched_event){.type = EVENT_WARP_LAUNCH,
                                       .cycle = sm->now,
                                       .warp = warp,
                                       .block_slot = (int)slot});
}

static void start_block(struct sm *sm, uint32_t slot)
{
    struct block_slot *b = &sm->block[slot];
    b->launched = sm->now;
    sm_event(sm, &(struct sched_event){.type = EVENT_BLOCK_LAUNCH,
                                       .cycle = sm->now,
                                       .warp = -1,
                                       .block_slot = (int)slot});
    for (uint32_t i = 0; i < sm->kernel->warps_per_block; i++)
        start_warp(sm, slot, i);
    sm->active_cycle = true;
}

uint64_t sm_block_insts(const struct sm *sm, const struct block_slot *slot)
{
    return sm->table.block_insts[slot - sm->block];
}

const struct block_slot *sm_launch(struct sm *sm, uint64_t id, uint64_t now,
                                   struct error *e)
{
    uint32_t slot = 0;
    while (sm->block[slot].used)
        slot++;
    assert(slot < (uint32_t)sm->block_slots);
    struct block_slot *b = &sm->block[slot];
    void *stream = b->stream;
    if (!sm->kernel->ops->open(sm->kernel, stream, id, e))
        return NULL;
    uint32_t warps = sm->kernel->warps_per_block;
    *b = (struct block_slot){.used = true,
                             .id = id,
                             .warps_running = warps,
                             .warps_left = warps,
                             .stream = stream};
    sm->resident++;
    sm->now = now;
    sm_schedule(sm, now + (uint64_t)sm->gpu->launch.block_cycles, DONE_START, 0,
                slot);
    sm->table.block_insts[slot] = 0;
    return b;
}

static void end_block(struct sm *sm, uint32_t slot)
{
    struct block_slot *b = &sm->block[slot];
    sm->kernel->ops->close(sm->kernel, b->stream);
    b->used = false;
    sm->resident--;
    sm_event(sm, &(struct sched_event){.type = EVENT_BLOCK_END,
                                       .cycle = sm->now,
                                       .warp = -1,
                                       .block_slot = (int)slot});
    machine_block_done(sm->machine, sm, b, sm->now);
}

bool sm_is_critical(const struct sm *sm, int warp)
{
    const struct block_slot *b = &sm->block[sm->warp[warp].block_slot];
    return sm->cpl != NULL &&
           cpl_critical(&sm->table, warp, b->warps & sm->table.live);
}

void sm_leave_kernel(struct sm *sm, int warp)
{
    struct warp *w = &sm->warp[warp];
    w->exited = true;
    sm->table.finished |= BIT(warp);
    sm_event(sm, &(struct sched_event){.type = EVENT_WARP_EXIT,
                                       .cycle = sm->now,
                                       .warp = warp,
                                       .block_slot = (int)w->block_slot});
    sm->block[w->block_slot].warps_running--;
    issue_release_barrier(sm, w->block_slot);
    sm_try_end_warp(sm, warp);
}

void sm_try_end_warp(struct sm *sm, int warp)
{
    struct warp *w = &sm->warp[warp];
    if (!w->exited || w->alu + w->loads + w->stores > 0 ||
        !(sm->table.live & BIT(warp)))
        return;
    if (sm->cpl != NULL)
        cpl_end(sm->cpl, &sm->table, sm->now);
    sm->table.live &= ~BIT(warp);
    sm->table.finished &= ~BIT(warp);
    front_refresh(sm, warp);
    front_update_want(sm, warp);
    sm->counts.warp_cycles_resident += sm->now - w->launched;
    machine_warp_done(sm->machine, sm, warp);
    sm_event(sm, &(struct sched_event){.type = EVENT_WARP_END,
                                       .cycle = sm->now,
                                       .warp = warp,
                                       .block_slot = (int)w->block_slot});
    if (--sm->block[w->block_slot].warps_left > 0)
        return;
    if (sm->cpl != NULL)
        cpl_block_end(sm->cpl, (int)w->block_slot, warp, &sm->counts);
    end_block(sm, w->block_slot);
}

/* ---- counting ----------------------------------------------------------- */

void sm_event(struct sm *sm, const struct sched_event *event)
{
    const struct warp_policy *p = sm->machine->policies->warp.warp;
    if ((p->events & event->type) == 0)
        return;
    for (int s = 0; s < sm->table.schedulers; s++)
        if (event->warp < 0 || p->whole_sm ||
            warp_scheduler(sm, event->warp) == s)
            p->event(sm->scheduler[s].state, &sm->table, event);
}

static void settle_flying(struct sm *sm)
{
    uint64_t dt = sm->now - sm->flying_since;
    sm->flying_since = sm->now;
    struct sampler_counts *c = &sm->counts;
    c->alu_in_flight += dt * sm->alu_flying;
    c->mem_in_flight += dt * sm->mem_flying;
    uint64_t *where[2][2] = {{&c->cycles_neither, &c->cycles_mem_only},
                             {&c->cycles_alu_only, &c->cycles_both}};
    *where[sm->alu_flying > 0][sm->mem_flying > 0] += dt;
}

void sm_count_flying(struct sm *sm, int alu, int mem)
{
    settle_flying(sm);
    sm->alu_flying += (uint32_t)alu;
    sm->mem_flying += (uint32_t)mem;
}

void sm_settle(struct sm *sm, uint64_t now)
{
    sm->now = now;
    settle_flying(sm);
    for (int i = 0; i < sm->table.schedulers; i++) {
        struct scheduler *s = &sm->scheduler[i];
        sm->stalls[s->stall] += now - s->since;
        s->since = now;
    }
}

/* ---- a cycle ------------------------------------------------------------ */

static void complete(struct sm *sm, const struct completion *c)
{
    switch ((enum completion_kind)c->kind) {
    case DONE_ALU:
        writeback_alu(sm, c->warp, c->inst);
        break;
    case DONE_MEMORY:
        writeback_memory(sm, c->inst);
        break;
    case DONE_ANSWER:
        writeback_queue(sm, c->inst);
        break;
    case DONE_FETCH:
        front_decoded(sm, c->warp);
        break;
    case DONE_BRANCH:
        sm->table.branch_wait &= ~BIT(c->warp);
        front_update_want(sm, c->warp);
        break;
    case DONE_START:
        start_block(sm, c->inst);
        break;
    }
    sm->active_cycle = true;
}

static void completions(struct sm *sm)
{
    size_t at = sm->now % WHEEL_SIZE;
    uint32_t list = sm->wheel[at], ordered = NO_COMPLETION;
    sm->wheel[at] = NO_COMPLETION;
    sm->wheel_used[at / 64] &= ~BIT(at % 64);
    while (list != NO_COMPLETION) { /* newest first: reverse */
        uint32_t next = sm->completion[list].next;
        sm->completion[list].next = ordered;
        ordered = list;
        list = next;
    }
    while (ordered != NO_COMPLETION) {
        struct completion c = sm->completion[ordered];
        sm->completion[ordered].next = sm->free_completion;
        sm->free_completion = ordered;
        ordered = c.next;
        complete(sm, &c);
    }
}

/* When a scheduler may let warps go that it held back. */
static uint64_t schedulers_wake(const struct sm *sm)
{
    const struct warp_policy *p = sm->machine->policies->warp.warp;
    uint64_t wake = NO_EVENT;
    for (int s = 0; p->next_change != NULL && s < sm->table.schedulers; s++)
        wake = earliest(wake, p->next_change(sm->scheduler[s].state));
    return wake > sm->now ? wake : sm->now + 1;
}

/* When this SM has work again. */
static uint64_t next_wake(const struct sm *sm)
{
    uint64_t next = sm->now + 1;
    uint64_t period = (uint64_t)sm->gpu->sm.issue_period;
    if (sm->active_cycle || front_has_work(sm))
        return next;
    uint64_t wake = earliest(wheel_next(sm), schedulers_wake(sm));
    wake = earliest(wake, collect_wake(sm));
    if (sm->now % period != 0)
        wake = earliest(wake, sm->now + period - sm->now % period);
    return earliest(wake, ldst_wake(sm));
}

void sm_tick(struct sm *sm, uint64_t now)
{
    sm->now = now;
    sm->active_cycle = false;
    completions(sm);
    ldst_cycle(sm);
    collect_cycle(sm);
    issue_cycle(sm);
    if (front_has_work(sm))
        front_fetch(sm);
    sm->wake = next_wake(sm);
}

void sm_reply(struct sm *sm, const struct request *r, uint64_t now)
{
    sm->now = now;
    ldst_reply(sm, r);
    sm->wake = now;
}

static const char *waits_for(const struct sm *sm, int warp)
{
    const struct warp_table *t = &sm->table;
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
    uint64_t live = sm->table.live;
    size_t used = 0;
    if (size > 0)
        out[0] = '\0';
    for (int n = 0; live != 0 && n < 4; n++) {
        int w = take_bit(&live);
        int wrote = snprintf(out + used, size - used,
                             "%sSM %d warp %d (block %llu) waits for %s",
                             n == 0 ? "" : ", ", sm->id, w,
                             (unsigned long long)sm->table.block_id[w],
                             waits_for(sm, w));
        used += wrote > 0 ? (size_t)wrote : 0;
        if (used >= size)
            return;
    }
}

/* ---- life --------------------------------------------------------------- */

static bool init_caches(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    const struct choice lru = choice_of(&cache_lru.info);
    double l1_kb = g->l1.size_kb > 0 ? g->l1.size_kb : 1;
    return cache_init(&sm->l1, l1_kb, g->l1.ways, g->l1.line_bytes,
                      g->l1.hashed != 0, &sm->machine->policies->l1) &&
           icache_init(sm) &&
           cache_init(&sm->constant, g->constant.size_kb, g->constant.ways,
                      g->constant.line_bytes, false, &lru) &&
           cache_init(&sm->texture, g->texture.size_kb, g->texture.ways,
                      g->texture.line_bytes, false, &lru);
}

static bool init_warps(struct sm *sm, int block_slots)
{
    sm->buffer_size = sm->gpu->fetch.buffer + 1;
    sm->buffers = calloc((size_t)(MAX_WARP_SLOTS * sm->buffer_size),
                         sizeof(*sm->buffers));
    sm->block = calloc((size_t)block_slots, sizeof(*sm->block));
    if (sm->buffers == NULL || sm->block == NULL)
        return false;
    for (int w = 0; w < MAX_WARP_SLOTS; w++)
        sm->warp[w].buffer = &sm->buffers[w * sm->buffer_size];
    return true;
}

static bool init_schedulers(struct sm *sm)
{
    const struct warp_policy *p = sm->machine->policies->warp.warp;
    for (int s = 0; s < sm->table.schedulers; s++) {
        struct scheduler *sched = &sm->scheduler[s];
        sched->stall = STALL_IDLE;
        sched->blamed = nobody;
        for (int w = s; w < MAX_WARP_SLOTS; w += sm->table.schedulers)
            sched->owned |= BIT(w);
        sched->state = calloc(1, p->state_size > 0 ? p->state_size : 1);
        if (sched->state == NULL)
            return false;
    }
    return true;
}

/* The criticality predictor, where a policy or the caller asks for it. */
static bool init_cpl(struct sm *sm)
{
    const uint64_t default_period = 1000; /* cawa is silent on it */
    const struct policy_set *p = sm->machine->policies;
    const struct sampler_options *o = sm->machine->options;
    if (!o->criticality && !p->warp.warp->needs_criticality &&
        !p->l1.cache->needs_criticality)
        return true;
    sm->cpl = malloc(sizeof(*sm->cpl));
    if (sm->cpl == NULL)
        return false;
    cpl_init(sm->cpl, o->criticality_period > 0 ? o->criticality_period
                                                : default_period);
    return true;
}

bool sm_init(struct sm *sm, struct machine *machine, int id, int block_slots)
{
    const struct gpu *g = machine->gpu;
    *sm = (struct sm){.machine = machine,
                      .gpu = g,
                      .id = id,
                      .block_slots = block_slots,
                      .free_completion = NO_COMPLETION,
                      .wake = NO_EVENT};
    sm->table.slots = g->sm.max_warps;
    sm->table.schedulers = g->sm.schedulers;
    for (int i = 0; i < WHEEL_SIZE; i++)
        sm->wheel[i] = NO_COMPLETION;
    return init_warps(sm, block_slots) && init_schedulers(sm) && init_cpl(sm) &&
           init_caches(sm) && collect_init(sm) && l1_init(sm) &&
           ldst_init(sm) && grow_completions(sm);
}

bool sm_start_kernel(struct sm *sm, const struct kernel *k)
{
    const struct machine *m = sm->machine;
    const struct oracle *oracle = m->oracle;
    bool known = oracle != NULL && !oracle->recording;
    if (sm->kernel != NULL && strcmp(sm->kernel->name, k->name) != 0)
        icache_forget(sm);
    sm->kernel = k;
    sm->insts = 0;
    for (int i = 0; i < sm->block_slots; i++) {
        free(sm->block[i].stream);
        size_t size = k->ops->state_size(k);
        sm->block[i].stream = malloc(size > 0 ? size : 1);
        if (sm->block[i].stream == NULL)
            return false;
    }
    for (int s = 0; s < sm->table.schedulers; s++)
        warp_policy_start(
            m->policies->warp.warp, sm->scheduler[s].state,
            &(struct warp_context){
                .index = s,
                .issue_period = sm->gpu->sm.issue_period,
                .owned = sm->scheduler[s].owned,
                .param = m->policies->warp.param,
                .warp_cycles =
                    known ? oracle->warp_cycles[m->blocks.context.kernel_index]
                          : NULL,
                .first_block = m->options->first_block,
                .warps_per_block = k->warps_per_block});
    l1_start_kernel(sm, &m->read_only);
    return true;
}

void sm_free(struct sm *sm)
{
    for (int s = 0; s < sm->table.schedulers; s++)
        free(sm->scheduler[s].state);
    for (int i = 0; sm->block != NULL && i < sm->block_slots; i++) {
        if (sm->block[i].used) /* the run was given up */
            sm->kernel->ops->close(sm->kernel, sm->block[i].stream);
        free(sm->block[i].stream);
    }
    free(sm->block);
    free(sm->buffers);
    free(sm->cpl);
    free(sm->completion);
    cache_free(&sm->l1);
    icache_free(sm);
    cache_free(&sm->constant);
    cache_free(&sm->texture);
    l1_free(sm);
    ldst_free(sm);
}
