/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/stuck.h"

#include <stdio.h>

static const char *waits_for(const struct warp_table *t, int warp)
{
    if (t->at_barrier & BIT(warp))
        return "a barrier";
    if (!(t->has_inst & BIT(warp)))
        return "an instruction";
    if (t->long_wait & BIT(warp))
        return "memory";
    return t->hazard_free & BIT(warp) ? "its scheduler" : "a register";
}

void stuck_describe(const struct sm_core *core, char *out, size_t size)
{
    const struct warp_table *t = &core->table;
    uint64_t live = t->live;
    size_t used = 0;
    if (size > 0)
        out[0] = '\0';
    for (int n = 0; live != 0 && n < 4; n++) {
        int w = take_bit(&live);
        int wrote = snprintf(
            out + used, size - used,
            "%sSM %d warp %d (block %llu) waits for %s", n == 0 ? "" : ", ",
            core->id, w, (unsigned long long)t->block_id[w], waits_for(t, w));
        used += wrote > 0 ? (size_t)wrote : 0;
        if (used >= size)
            return;
    }
}
