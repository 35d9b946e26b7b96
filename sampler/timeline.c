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

void timeline_tell(struct timeline *t, const struct sm *sm, int sms,
                   uint64_t now)
{
    for (; t->next <= now; t->next += t->options->timeline_period)
        for (int i = 0; i < sms; i++)
            tell_moment(t, &sm[i].core);
}

bool timeline_start(struct timeline *t, const struct sampler_options *options,
                    uint32_t phases, uint64_t now)
{
    bool wanted = options->moment != NULL && options->timeline_period > 0;
    t->options = options;
    t->next = wanted ? now : UINT64_MAX;
    t->phases = phases;
    free(t->warps_in_phase);
    t->warps_in_phase = calloc((size_t)phases + 1, sizeof(*t->warps_in_phase));
    return t->warps_in_phase != NULL;
}

void timeline_free(struct timeline *t)
{
    free(t->warps_in_phase);
}
