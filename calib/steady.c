/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/steady.h"

#include "calib/course.h"

#include <math.h>

static double rate_between(const struct mark *a, const struct mark *b)
{
    return (double)(b->cycle - a->cycle) / (double)(b->insts - a->insts);
}

/* Where the run is at so many warp instructions. */
static struct mark mark_at(const struct mark *mark, size_t count, double insts)
{
    return (struct mark){(uint64_t)llround(course_cycle(mark, count, insts)),
                         (uint64_t)llround(insts)};
}

/* What is measured: from `first` over marks to `last`. */
struct stretch {
    struct mark first, last;
    const struct mark *mark; /* the first of them is at `first` or behind */
    size_t intervals;        /* between them, the last of which `last` ends */
};

static const struct mark *border(const struct stretch *s, size_t part)
{
    if (part == 0)
        return &s->first;
    return part == STEADY_PARTS ? &s->last
                                : &s->mark[part * s->intervals / STEADY_PARTS];
}

static void set_parts(struct steady *out, const struct stretch *s)
{
    for (size_t i = 0; i < STEADY_PARTS; i++)
        out->part[i] = s->intervals < STEADY_PARTS
                           ? 0
                           : rate_between(border(s, i), border(s, i + 1));
}

int steady_parts_of_wave(double waves)
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

/* False where there are not two marks for it. */
static bool stretch_of(struct stretch *out, const struct mark *mark,
                       size_t count, double settle, double end)
{
    size_t from = 0;
    while (count > 1 && (double)mark[count - 2].insts >= end)
        count--;
    while (from < count && (double)mark[from].insts < settle)
        from++;
    if (from >= count)
        return false;
    const struct mark *last = &mark[count - 1];
    *out = (struct stretch){.first = mark[from],
                            .last = *last,
                            .mark = &mark[from],
                            .intervals = count - 1 - from};
    bool fine = out->intervals >= STEADY_PARTS;
    if (fine && from > 0)
        out->first = mark_at(mark, count, settle);
    if (fine && (double)last->insts > end)
        out->last = mark_at(mark, count, end);
    return out->last.cycle > out->first.cycle &&
           out->last.insts > out->first.insts;
}

bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle, double end, double wave)
{
    struct stretch s;
    if (!stretch_of(&s, mark, count, settle, end))
        return false;
    out->end_cycle = (double)s.last.cycle;
    out->begun = (double)s.last.insts;
    out->insts = (double)(s.last.insts - s.first.insts);
    out->cycles_per_inst = rate_between(&s.first, &s.last);
    set_parts(out, &s);
    out->error = error_of(out->part, steady_parts_of_wave(out->insts / wave)) /
                 out->cycles_per_inst;
    return true;
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
    return error_of(ratio, steady_parts_of_wave(a->insts / wave));
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
