/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/timeline.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

static void tell_moment(const struct timeline *t, const struct sm_core *core)
{
    uint64_t live = core->table.live;
    struct sampler_moment now = {.cycle = t->next,
                                 .sm = core->id,
                                 .active_warps =
                                     (uint32_t)__builtin_popcountll(live),
                                 .alu_in_flight = core->alu_in_flight,
                                 .mem_in_flight = core->mem_in_flight,
                                 .warps_in_phase = t->warps_in_phase,
                                 .phase_count = t->phases};
    memset(t->warps_in_phase, 0, t->phases * sizeof(*t->warps_in_phase));
    while (live != 0) {
        uint32_t phase = core->warp[take_bit(&live)].phase;
        if (phase < t->phases)
            t->warps_in_phase[phase]++;
    }
    t->options->moment(t->options->user, &now);
}

/* The warps that have issued since the last call. */
static uint64_t issued_since(uint32_t *insts, const struct sm_core *core)
{
    uint64_t issued = 0;
    for (int w = 0; w < core->table.slots; w++) {
        if (core->warp[w].insts > insts[w])
            issued |= BIT(w);
        insts[w] = core->warp[w].insts;
    }
    return issued;
}

static bool tell_state(const struct timeline *t, const struct sm *sm,
                       uint32_t *insts, uint64_t now)
{
    const struct sm_core *core = &sm->core;
    const struct warp_table *table = &core->table;
    uint32_t phase[MAX_WARP_SLOTS];
    enum stall stalled[MAX_SCHEDULERS];
    uint64_t held = table->at_barrier | table->branch_wait;
    uint64_t next = table->live & table->has_inst & ~held;
    struct sampler_state s = {
        .from = t->told,
        .to = now,
        .sm = core->id,
        .kernel = core->kernel_index,
        .slots = table->slots,
        .schedulers = table->schedulers,
        .live = table->live,
        .issued = issued_since(insts, core),
        .at_barrier = table->live & table->at_barrier,
        .waits_memory = next & ~table->hazard_free & table->long_wait,
        .waits_alu = next & ~table->hazard_free & ~table->long_wait,
        .ready = next & table->hazard_free,
        .block = table->block_id,
        .warp = table->warp_in_block,
        .phase = phase,
        .criticality = core->criticality != NULL ? table->criticality : NULL,
        .stalled = stalled};
    for (int w = 0; w < table->slots; w++)
        phase[w] = core->warp[w].phase;
    for (int i = 0; i < table->schedulers; i++)
        stalled[i] = sm->schedulers.scheduler[i].stall;
    return t->options->watch(t->options->user, &s);
}

static bool tell_states(struct timeline *t, const struct sm *sm, int sms,
                        uint64_t now)
{
    int only = t->options->watched_sm;
    bool on = true;
    for (int i = 0; i < sms && t->told < now; i++)
        if (only < 0 || only == i)
            on &= tell_state(t, &sm[i], &t->insts[(size_t)i * MAX_WARP_SLOTS],
                             now);
    t->told = latest(t->told, now);
    return on;
}

bool timeline_tell(struct timeline *t, const struct sm *sm, int sms,
                   uint64_t now)
{
    for (; t->next <= now; t->next += t->options->timeline_period)
        for (int i = 0; i < sms; i++)
            tell_moment(t, &sm[i].core);
    return t->insts == NULL || tell_states(t, sm, sms, now);
}

bool timeline_start(struct timeline *t, const struct sampler_options *options,
                    uint32_t phases, int sms, uint64_t now)
{
    bool wanted = options->moment != NULL && options->timeline_period > 0;
    t->options = options;
    t->next = wanted ? now : UINT64_MAX;
    t->phases = phases;
    free(t->warps_in_phase);
    t->warps_in_phase = calloc((size_t)phases + 1, sizeof(*t->warps_in_phase));
    if (options->watch != NULL && t->insts == NULL) {
        t->insts = calloc((size_t)sms * MAX_WARP_SLOTS, sizeof(*t->insts));
        if (t->insts == NULL)
            return false;
    }
    return t->warps_in_phase != NULL;
}

void timeline_free(struct timeline *t)
{
    free(t->insts);
    free(t->warps_in_phase);
}
