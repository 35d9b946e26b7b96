/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/register_banks.h"

void register_banks_init(struct register_banks *b, const struct gpu *g)
{
    int sub_cores = g->sm.sub_core ? g->sm.schedulers : 1;
    int count = g->collector.banks / sub_cores;
    *b = (struct register_banks){
        .schedulers = g->sm.schedulers,
        .sub_cores = sub_cores,
        .count = count > 0 ? count : 1,
        .ports = g->collector.ports,
        .accesses = g->stage.registers ? 1 : g->collector.ports};
}

void register_banks_write(struct register_banks *b, int warp,
                          const struct inst *i, uint64_t now)
{
    for (int r = 0; r < i->dst_count; r++)
        register_bank_write(b, warp, i, r, now);
}
