/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/units.h"

void units_init(struct units *u, const struct gpu *g,
                const struct exec_table *t)
{
    int schedulers = g->sm.schedulers;
    *u = (struct units){.results = g->unit.results};
    for (int i = 0; i < EXEC_UNITS; i++) {
        bool own = g->sm.sub_core && t->unit[i].count >= schedulers;
        u->count[i] = t->unit[i].count;
        u->stride[i] = own ? schedulers : 1;
    }
}

bool units_take_result(struct units *u, uint64_t end)
{
    if (u->results == 0)
        return true;
    uint64_t at = end % RESULT_CYCLES;
    if (u->result_cycle[at] != end) {
        u->result_cycle[at] = end;
        u->result_used[at] = 0;
    }
    if (u->result_used[at] >= u->results)
        return false;
    u->result_used[at]++;
    return true;
}
