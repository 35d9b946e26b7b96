/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_plain.h"

_Static_assert(MAX_POOLS <= 64, "latches are kept as bits of a mask");

void collectors_plain_cycle(struct collectors *c)
{
    struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    uint64_t refused = 0; /* latches whose memory instructions cannot go on */
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        uint8_t id = list->id[i];
        struct collector *of = &c->collector[id];
        if (of->left > 0)
            collectors_read(c, of, 0);
        bool goes = of->left == 0 && (refused & BIT(of->latch)) == 0;
        if (!goes || !collectors_dispatch(c, of)) {
            if (goes && of->unit == UNIT_MEM)
                refused |= BIT(of->latch);
            list->id[kept++] = id;
            continue;
        }
        c->pool_free[of->pool]++;
        c->freed++;
        collectors_release(c, id);
    }
    list->count = kept;
}

uint64_t collectors_plain_wake(struct collectors *c)
{
    const struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    uint64_t wake = UINT64_MAX;
    for (int i = 0; i < list->count; i++) {
        const struct collector *of = &c->collector[list->id[i]];
        if (of->left > 0)
            return c->core->now + 1;
        wake = earliest(wake, collectors_unit_wake(c, of));
    }
    return wake;
}
