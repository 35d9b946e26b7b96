/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phase-aware, single level: the ready warp nearest to the end of its phase,
 * ties to the oldest. */
#include "sampler/policy/warp/order.h"

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)state;
    (void)cycle;
    return warp_first(table, ready, warp_ends_phase_sooner);
}

const struct warp_policy warp_paws = {
    .info = {.name = "paws",
             .summary = "smallest phase distance first, ties to the oldest",
             .paper = "paws Sec. IV-B2"},
    .traits = {.family = FAMILY_PHASE},
    .pick = pick,
};
