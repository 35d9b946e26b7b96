/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loose round-robin: the first ready warp after the one issued last. */
#include "sampler/policy/warp/warp_policy.h"

struct lrr {
    int next; /* slot the search begins at */
};

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)table;
    (void)cycle;
    struct lrr *l = state;
    uint64_t after = ready & (~UINT64_C(0) << l->next);
    int warp = __builtin_ctzll(after != 0 ? after : ready);
    l->next = (warp + 1) % MAX_WARP_SLOTS;
    return warp;
}

const struct warp_policy warp_lrr = {
    .info = {.name = "lrr",
             .summary = "loose round-robin: first ready warp after the last",
             .paper = "paws Sec. I"},
    .traits = {.family = FAMILY_ROUND_ROBIN},
    .state_size = sizeof(struct lrr),
    .pick = pick,
};
