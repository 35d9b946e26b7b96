/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_plain.h"

void collectors_plain_cycle(struct collectors *c)
{
    int kept = 0;
    for (int i = 0; i < c->active_count; i++) {
        uint8_t id = c->active[i];
        struct collector *of = &c->collector[id];
        if (of->left > 0)
            collectors_read(c, of, 0);
        if (of->left > 0 || !collectors_dispatch(c, of)) {
            c->active[kept++] = id;
            continue;
        }
        c->pool_free[of->pool]++;
        collectors_release(c, id);
    }
    c->active_count = kept;
}

uint64_t collectors_plain_wake(struct collectors *c)
{
    uint64_t wake = UINT64_MAX;
    for (int i = 0; i < c->active_count; i++) {
        const struct collector *of = &c->collector[c->active[i]];
        if (of->left > 0)
            return c->core->now + 1;
        wake = earliest(wake, collectors_unit_wake(c, of));
    }
    return wake;
}
