/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Criticality-aware with an oracle: the ready warp that took longest in a first
 * run, ties to the oldest. */
#include "sampler/policy/warp/warp_policy.h"

struct caws {
    const uint32_t *warp_cycles; /* NULL: all alike */
    uint64_t first_block;
    uint32_t warps_per_block;
};

static void init(void *state, const struct warp_context *context)
{
    *(struct caws *)state =
        (struct caws){.warp_cycles = context->warp_cycles,
                      .first_block = context->first_block,
                      .warps_per_block = context->warps_per_block};
}

static uint32_t cycles_of(const struct caws *c, const struct warp_table *t,
                          int w)
{
    if (c->warp_cycles == NULL)
        return 0;
    uint64_t block = t->block_id[w] - c->first_block;
    return c->warp_cycles[block * c->warps_per_block + t->warp_in_block[w]];
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    const struct caws *c = state;
    int best = __builtin_ctzll(ready);
    uint32_t longest = cycles_of(c, table, best);
    for (ready &= ready - 1; ready != 0; ready &= ready - 1) {
        int w = __builtin_ctzll(ready);
        uint32_t cycles = cycles_of(c, table, w);
        if (cycles < longest ||
            (cycles == longest && table->age[w] > table->age[best]))
            continue;
        best = w;
        longest = cycles;
    }
    return best;
}

const struct warp_policy warp_caws = {
    .info = {.name = "caws",
             .summary = "the warp that took longest in a first run under lrr",
             .paper = "Lee and Wu, PACT 2014; cawa Sec. 1 and 5.3"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct caws),
    .two_pass = true,
    .init = init,
    .pick = pick,
};
