/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-aware order (kaws_order.c), where schedulers share warps. */
#include "sampler/policy/warp/kaws.h"

#include "sampler/policy/warp/table.h"

static const struct warp_policy *acts_as(const double *param, int warps,
                                         bool lent)
{
    (void)param, (void)warps;
    return lent ? NULL : &warp_kaws_k;
}

const struct warp_policy warp_kaws = {
    .info = {.name = "kaws",
             .summary = "least advanced block first at the kernel's end; "
                        "schedulers share warps",
             .paper = "kaws Sec. 3"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct kaws),
    .events = EVENT_LAST_BLOCK,
    .warp_sharing = true,
    .pick = kaws_pick,
    .event = kaws_event,
    .acts_as = acts_as,
    .base = &warp_kaws_s,
    .departed = kaws_departed,
};
