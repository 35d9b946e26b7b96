/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/l1/rrip.h"

static void grow(uint8_t *value, int first, int end, int by)
{
    for (int way = first; way < end; way++) {
        int grown = value[way] + by;
        value[way] = (uint8_t)(grown < RRIP_DISTANT ? grown : RRIP_DISTANT);
    }
}

int rrip_victim(struct rrip *r, int set, const uint8_t *locked, int first,
                int end)
{
    uint8_t *value = &r->value[line_index(set, 0, r->ways)];
    int victim = -1;
    for (int way = first; way < end; way++)
        if (!locked[way] && (victim < 0 || value[way] > value[victim]))
            victim = way;
    if (victim >= 0)
        grow(value, first, end, RRIP_DISTANT - value[victim]);
    return victim;
}
