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

/* After so many parts they are at the same place of the next wave: of two or
 * three whole waves. 1: all are alike. */
static int parts_of_wave(double waves)
{
    for (int n = 2; n <= 3; n++)
        if (fabs(waves / n - 1) <= STEADY_ALIKE)
            return STEADY_PARTS / n;
    return 1;
}

/* Standard error of the mean of all, of which each differs from the mean of
 * those `apart` from each other. */
static double error_of(const double value[STEADY_PARTS], int apart)
{
    double squares = 0;
    for (int first = 0; first < apart; first++) {
        double sum = 0;
        for (int i = first; i < STEADY_PARTS; i += apart)
            sum += value[i];
        double mean = sum * apart / STEADY_PARTS;
        for (int i = first; i < STEADY_PARTS; i += apart)
            squares += (value[i] - mean) * (value[i] - mean);
    }
    return sqrt(squares / (STEADY_PARTS - apart) / STEADY_PARTS);
}

bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle, double end, double wave)
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
    out->error = error_of(out->part, parts_of_wave(out->insts / wave)) /
                 out->cycles_per_inst;
    return true;
}

/* Sums over intervals between marks from one on. */
struct tail {
    double n, sum, squares;
};

static void take_interval(struct tail *t, const struct mark *from)
{
    double rate = rate_between(from, from + 1);
    t->n++;
    t->sum += rate;
    t->squares += rate * rate;
}

/* Variance of their mean. */
static double variance(const struct tail *t)
{
    double mean = t->sum / t->n;
    return fmax(0, t->squares / t->n - mean * mean) / t->n;
}

double steady_from(const struct mark *mark, size_t count, double settle)
{
    struct tail behind = {0};
    double best = INFINITY, from = settle;
    double last = count > 0 ? (double)mark[count - 1].insts : settle;
    for (size_t i = count; i-- > 1 && (double)mark[i - 1].insts >= settle;) {
        double insts = (double)mark[i - 1].insts;
        take_interval(&behind, &mark[i - 1]);
        if (insts > (settle + last) / 2 || variance(&behind) > best)
            continue;
        best = variance(&behind);
        from = insts;
    }
    return from;
}

void steady_scale(struct steady *s, double times)
{
    s->insts *= times;
    s->begun *= times;
    s->cycles_per_inst /= times;
    for (int i = 0; i < STEADY_PARTS; i++)
        s->part[i] /= times;
}

double steady_ratio_error(const struct steady *a, const struct steady *b,
                          double wave)
{
    double ratio[STEADY_PARTS];
    if (fabs(log(a->insts / b->insts)) > STEADY_ALIKE)
        return INFINITY;
    for (int i = 0; i < STEADY_PARTS; i++) {
        if (a->part[i] <= 0 || b->part[i] <= 0)
            return INFINITY;
        ratio[i] = log(a->part[i] / b->part[i]);
    }
    return error_of(ratio, parts_of_wave(a->insts / wave));
}

double steady_pair_error(const struct steady *a, const struct steady *a_planned,
                         const struct steady *b, const struct steady *b_planned,
                         double wave)
{
    double error = steady_ratio_error(a, b, wave);
    if (isfinite(error))
        return error;
    double all = a->cycles_per_inst / b->cycles_per_inst;
    double planned = a_planned->cycles_per_inst / b_planned->cycles_per_inst;
    return hypot(steady_ratio_error(a_planned, b_planned, wave),
                 log(all / planned));
}
