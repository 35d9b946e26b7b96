/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-aware order of kaws alone. */
#include "sampler/policy/warp/kaws.h"
#include "sampler/policy/warp/table.h"

const struct warp_policy warp_kaws_k = {
    .info = {.name = "kaws-k",
             .summary = "kaws without warp sharing",
             .paper = "kaws Sec. 3, Fig. 2"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct kaws),
    .events = EVENT_LAST_BLOCK,
    .pick = kaws_pick,
    .event = kaws_event,
    .base = &warp_old,
    .departed = kaws_departed,
};
