/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/share.h"

#include "sampler/policy/warp/order.h"

int share_pick(const struct share *s, const struct warp_table *t, int receiver)
{
    uint32_t self = UINT32_C(1) << receiver;
    uint64_t offered = 0;
    if ((s->idle & self) == 0)
        return -1;
    for (int unit = 0; unit < EXEC_UNITS; unit++)
        if (s->room[unit] == self)
            offered |= s->unit_warps[unit];
    return offered == 0 ? -1 : warp_oldest(t, offered);
}
