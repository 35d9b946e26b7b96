/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run tells while it goes on: its SMs at regular moments. */
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
};

/* Begin a kernel at cycle `now`. False when memory is out. */
bool timeline_start(struct timeline *t, const struct sampler_options *options,
                    uint32_t phases, uint64_t now);
void timeline_free(struct timeline *t);
/* Tell the moments up to now: between two steps nothing changes. */
void timeline_tell(struct timeline *t, const struct sm *sm, int sms,
                   uint64_t now);

#endif
