/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The warp sharing of kaws alone: always the oldest warp. */
#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/table.h"

static const struct warp_policy *acts_as(const double *param, int warps,
                                         bool lent)
{
    (void)param, (void)warps;
    return lent ? NULL : &warp_old;
}

const struct warp_policy warp_kaws_s = {
    .info = {.name = "kaws-s",
             .summary = "old, where schedulers share warps",
             .paper = "kaws Sec. 3, Fig. 3"},
    .traits = {.family = FAMILY_GREEDY},
    .warp_sharing = true,
    .pick = warp_old_pick,
    .acts_as = acts_as,
};
