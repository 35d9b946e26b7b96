/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_plain.h"

void collectors_plain_cycle(struct collectors *c)
{
    struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        uint8_t id = list->id[i];
        struct collector *of = &c->collector[id];
        if (of->left > 0)
            collectors_read(c, of, 0);
        if (of->left > 0 || !collectors_dispatch(c, of)) {
            list->id[kept++] = id;
            continue;
        }
        c->pool_free[of->pool]++;
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
