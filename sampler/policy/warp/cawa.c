/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coordinated: gcaws together with the cacp policy of the L1. */
#include "sampler/policy/l1/table.h"
#include "sampler/policy/warp/gcaws.h"
#include "sampler/policy/warp/greedy.h"

const struct warp_policy warp_cawa = {
    .info = {.name = "cawa",
             .summary = "gcaws with the cacp L1 policy",
             .paper = "cawa Sec. 3",
             .param = CPL_PARAM},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct greedy),
    .events = EVENT_WARP_LAUNCH,
    .needs_criticality = true,
    .l1 = &cache_cacp,
    .init = greedy_init,
    .pick = gcaws_pick,
    .event = greedy_event,
};
