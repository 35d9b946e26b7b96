/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run tells while it goes on: its SMs at regular moments, and what their
 * warps do from cycle to cycle. */
#ifndef SAMPLER_TIMELINE_H
#define SAMPLER_TIMELINE_H

#include "sampler/sampler.h"
#include "sampler/sm/sm.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: nothing is told. */
struct timeline {
    const struct sampler_options *options;
    uint64_t next;            /* cycle of the next moment, UINT64_MAX: none */
    uint32_t *warps_in_phase; /* scratch */
    uint32_t phases;          /* of the kernel */
    uint64_t told;            /* cycle up to which the watch was told */
    uint32_t *insts; /* [sms * MAX_WARP_SLOTS] that the slot's warp had issued
                      * then; NULL: nobody watches */
};

/* Begin a kernel at cycle `now` on so many SMs. False when memory is out. */
bool timeline_start(struct timeline *t, const struct sampler_options *options,
                    uint32_t phases, int sms, uint64_t now);
void timeline_free(struct timeline *t);
/* Tell the moments up to now, and what the watch has not heard from before it:
 * between two steps nothing changes. False: the watch stops the run. */
bool timeline_tell(struct timeline *t, const struct sm *sm, int sms,
                   uint64_t now);

#endif
