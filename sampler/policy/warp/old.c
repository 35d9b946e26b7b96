/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Always the oldest ready warp. */
#include "sampler/policy/warp/order.h"

int warp_old_pick(void *state, const struct warp_table *table, uint64_t ready,
                  uint64_t cycle)
{
    (void)state;
    (void)cycle;
    return warp_oldest(table, ready);
}

const struct warp_policy warp_old = {
    .info = {.name = "old",
             .summary = "always the oldest ready warp",
             .paper = "paws Sec. IV-B2; kaws Sec. 3"},
    .traits = {.family = FAMILY_GREEDY},
    .pick = warp_old_pick,
};
