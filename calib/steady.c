/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/steady.h"

#include <math.h>

/* Parts whose rates are compared. Chosen: half a wave each of windows of the
 * default length, which shows blocks that are in step. */
#define PARTS 6

static double rate_between(const struct mark *a, const struct mark *b)
{
    return (double)(b->cycle - a->cycle) / (double)(b->insts - a->insts);
}

/* Standard error of the mean rate, as a share of it. */
static double error_of(const struct mark *mark, size_t intervals, double mean)
{
    double squares = 0;
    if (intervals < PARTS)
        return 0;
    for (size_t i = 0; i < PARTS; i++) {
        const struct mark *from = &mark[i * intervals / PARTS];
        const struct mark *to = &mark[(i + 1) * intervals / PARTS];
        double apart = rate_between(from, to) / mean - 1;
        squares += apart * apart;
    }
    return sqrt(squares / (PARTS - 1) / PARTS);
}

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
    out->cycles_per_inst = rate_between(&mark[from], &mark[count - 1]);
    out->error = error_of(&mark[from], count - 1 - from, out->cycles_per_inst);
    return true;
}
