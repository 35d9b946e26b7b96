/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run tells while it goes on: the SMs at regular moments, and the lives
 * of warps. */
#include "sampler/machine.h"

#include <stdlib.h>
#include <string.h>

static void tell_moment(struct machine *m, const struct sm *sm)
{
    uint64_t live = sm->table.live;
    struct sampler_moment now = {.cycle = m->next_moment,
                                 .sm = sm->id,
                                 .active_warps =
                                     (uint32_t)__builtin_popcountll(live),
                                 .alu_in_flight = sm->alu_flying,
                                 .mem_in_flight = sm->mem_flying,
                                 .warps_in_phase = m->warps_in_phase,
                                 .phase_count = m->kernel->phase_count};
    memset(m->warps_in_phase, 0, now.phase_count * sizeof(*m->warps_in_phase));
    while (live != 0) {
        uint32_t phase = sm->warp[take_bit(&live)].phase;
        if (phase < now.phase_count)
            m->warps_in_phase[phase]++;
    }
    m->options->moment(m->options->user, &now);
}

void timeline_tell(struct machine *m)
{
    for (; m->next_moment <= m->now;
         m->next_moment += m->options->timeline_period)
        for (int i = 0; i < m->sms; i++)
            tell_moment(m, &m->sm[i]);
}

bool timeline_start(struct machine *m)
{
    const struct sampler_options *o = m->options;
    bool wanted = o->moment != NULL && o->timeline_period > 0;
    m->next_moment = wanted ? m->now : NO_EVENT;
    size_t phases = m->kernel->phase_count + 1;
    free(m->warps_in_phase);
    m->warps_in_phase = calloc(phases, sizeof(*m->warps_in_phase));
    return m->warps_in_phase != NULL;
}

void machine_warp_done(const struct machine *m, const struct sm *sm, int warp)
{
    const struct warp *w = &sm->warp[warp];
    struct sampler_warp life = {.block = sm->block[w->block_slot].id,
                                .warp = w->in_block,
                                .sm = sm->id,
                                .start = w->launched,
                                .end = sm->now,
                                .insts = w->insts,
                                .sched_wait = w->sched_wait};
    if (m->oracle != NULL && m->oracle->recording)
        oracle_record(m->oracle, m->blocks.context.kernel_index,
                      m->kernel->warps_per_block, &life);
    if (m->options->warp_done != NULL)
        m->options->warp_done(m->options->user, &life);
}
