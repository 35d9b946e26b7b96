/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/course.h"

#include <math.h>

/* Marks of a wave. Chosen: of fewer an even pace is as good. */
#define ENOUGH_MARKS 4

enum axis { CYCLE, INSTS };

static double on(enum axis axis, const struct mark *m)
{
    return (double)(axis == CYCLE ? m->cycle : m->insts);
}

/* Where the line through the marks is on `axis` when it is at x on the other;
 * *i: the mark before, from which on it is looked for. */
static double along(const struct mark *mark, size_t *i, enum axis axis,
                    double x)
{
    enum axis other = axis == CYCLE ? INSTS : CYCLE;
    while (on(other, &mark[*i + 1]) < x)
        ++*i;
    const struct mark *a = &mark[*i], *b = &mark[*i + 1];
    double step = on(other, b) - on(other, a);
    double share = step > 0 ? (x - on(other, a)) / step : 0;
    return on(axis, a) + (on(axis, b) - on(axis, a)) * share;
}

bool course_of(double out[COURSE_PARTS + 1], const struct mark *mark,
               size_t count, double wave)
{
    if (count < 2)
        return false;
    double end = floor((double)mark[count - 1].insts / wave) * wave;
    double begin = end - wave;
    if (begin < (double)mark[0].insts)
        return false;
    size_t first = 0;
    double from = along(mark, &first, CYCLE, begin);
    size_t past = first;
    double to = along(mark, &past, CYCLE, end);
    if (past - first < ENOUGH_MARKS)
        return false;
    for (int p = 0; p <= COURSE_PARTS; p++) {
        double at = fmin(to, from + (to - from) * p / COURSE_PARTS);
        out[p] = (along(mark, &first, INSTS, at) - begin) / wave;
    }
    return true;
}

double course_cycle(const struct mark *mark, size_t count, double insts)
{
    size_t first = 0;
    if (count == 0)
        return 0;
    if (insts >= (double)mark[count - 1].insts)
        return (double)mark[count - 1].cycle;
    if (insts <= (double)mark[0].insts)
        return (double)mark[0].cycle *
               (mark[0].insts > 0 ? insts / (double)mark[0].insts : 1);
    return along(mark, &first, CYCLE, insts);
}
