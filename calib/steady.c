/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/steady.h"

bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle)
{
    size_t from = 0;
    while (from < count && (double)mark[from].insts < settle)
        from++;
    if (from >= count || mark[count - 1].cycle <= mark[from].cycle ||
        mark[count - 1].insts <= mark[from].insts)
        return false;
    out->end_cycle = (double)mark[count - 1].cycle;
    out->begun = (double)mark[count - 1].insts;
    out->insts = (double)(mark[count - 1].insts - mark[from].insts);
    out->cycles_per_inst =
        (double)(mark[count - 1].cycle - mark[from].cycle) / out->insts;
    return true;
}
