/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/steady.h"

#include <math.h>

static double rate_between(const struct mark *a, const struct mark *b)
{
    return (double)(b->cycle - a->cycle) / (double)(b->insts - a->insts);
}

static void set_parts(struct steady *out, const struct mark *mark,
                      size_t intervals)
{
    for (size_t i = 0; i < STEADY_PARTS; i++)
        out->part[i] =
            intervals < STEADY_PARTS
                ? 0
                : rate_between(&mark[i * intervals / STEADY_PARTS],
                               &mark[(i + 1) * intervals / STEADY_PARTS]);
}

/* Standard error of the mean rate, as a share of it. */
static double error_of(const struct steady *s)
{
    double squares = 0;
    for (size_t i = 0; i < STEADY_PARTS && s->part[i] > 0; i++) {
        double apart = s->part[i] / s->cycles_per_inst - 1;
        squares += apart * apart;
    }
    return sqrt(squares / (STEADY_PARTS - 1) / STEADY_PARTS);
}

bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle, double end)
{
    size_t from = 0;
    while (count > 1 && (double)mark[count - 2].insts >= end)
        count--;
    while (from < count && (double)mark[from].insts < settle)
        from++;
    if (from >= count || mark[count - 1].cycle <= mark[from].cycle ||
        mark[count - 1].insts <= mark[from].insts)
        return false;
    out->end_cycle = (double)mark[count - 1].cycle;
    out->begun = (double)mark[count - 1].insts;
    out->insts = (double)(mark[count - 1].insts - mark[from].insts);
    out->cycles_per_inst = rate_between(&mark[from], &mark[count - 1]);
    set_parts(out, &mark[from], count - 1 - from);
    out->error = error_of(out);
    return true;
}

double steady_ratio_error(const struct steady *a, const struct steady *b)
{
    double sum = 0, squares = 0;
    if (fabs(log(a->insts / b->insts)) > STEADY_ALIKE)
        return INFINITY;
    for (size_t i = 0; i < STEADY_PARTS; i++) {
        double ratio = log(a->part[i] / b->part[i]);
        if (a->part[i] <= 0 || b->part[i] <= 0)
            return INFINITY;
        sum += ratio;
        squares += ratio * ratio;
    }
    double spread = fmax(0, squares - sum * sum / STEADY_PARTS);
    return sqrt(spread / (STEADY_PARTS - 1) / STEADY_PARTS);
}
