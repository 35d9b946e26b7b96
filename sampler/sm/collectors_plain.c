/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/collectors_plain.h"

_Static_assert(MAX_POOLS <= 64, "latches are kept as bits of a mask");

/* Whether an instruction goes on to its unit; *refused: latches whose
 * instructions cannot in this cycle. */
static bool goes(struct collectors *c, struct collector *of, uint64_t *refused)
{
    if (of->left > 0)
        collectors_read(c, of, 0);
    if (of->left > 0 || (*refused & BIT(of->latch)) != 0)
        return false;
    enum dispatched how = collectors_dispatch(c, of);
    if (how == NONE_OF_THEM)
        *refused |= BIT(of->latch);
    return how == DISPATCHED;
}

/* None of them went on. */
static void stand_still(struct collectors *c)
{
    collectors_await(c, &c->in_stage[STAGE_COLLECTING], UINT64_MAX);
}

void collectors_plain_cycle(struct collectors *c)
{
    struct collector_list *list = &c->in_stage[STAGE_COLLECTING];
    uint64_t refused = 0;
    int kept = 0;
    if (collectors_stand_still(c))
        return;
    for (int i = 0; i < list->count; i++) {
        uint8_t id = list->id[i];
        struct collector *of = &c->collector[id];
        if (!goes(c, of, &refused)) {
            list->id[kept++] = id;
            continue;
        }
        collectors_give_room(c, &c->pool_free[of->pool]);
        collectors_release(c, id);
    }
    c->still_until = 0;
    if (kept == list->count)
        stand_still(c);
    list->count = kept;
}

uint64_t collectors_plain_wake(struct collectors *c)
{
    if (c->still_until == 0)
        stand_still(c);
    return latest(c->still_until, c->core->now + 1);
}
