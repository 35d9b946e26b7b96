/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-aware order of kaws, with and without warp sharing. */
#ifndef SAMPLER_POLICY_WARP_KAWS_H
#define SAMPLER_POLICY_WARP_KAWS_H

#include "sampler/policy/warp/warp_policy.h"

struct kaws {
    bool last_block; /* the kernel's last block was issued somewhere */
};

int kaws_pick(void *state, const struct warp_table *table, uint64_t ready,
              uint64_t cycle);
/* EVENT_LAST_BLOCK */
void kaws_event(void *state, const struct warp_table *table,
                const struct sched_event *event);
/* From the order of the oldest. */
bool kaws_departed(const void *state);

#endif
