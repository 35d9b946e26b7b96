/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/course.h"

#include <math.h>

/* Marks of a wave. Chosen: of fewer an even pace is as good. */
#define ENOUGH_MARKS 4

/* Between two marks at which so much is reached, the share of the way. */
static double way(double from, double to, double at)
{
    return to > from ? (at - from) / (to - from) : 0;
}

/* The cycle in which so many instructions were issued, *i the mark before. */
static double cycle_of(const struct mark *mark, size_t *i, double insts)
{
    while ((double)mark[*i + 1].insts < insts)
        ++*i;
    const struct mark *a = &mark[*i], *b = &mark[*i + 1];
    return (double)a->cycle +
           (double)(b->cycle - a->cycle) *
               way((double)a->insts, (double)b->insts, insts);
}

static double insts_by(const struct mark *mark, size_t *i, double cycle)
{
    while ((double)mark[*i + 1].cycle < cycle)
        ++*i;
    const struct mark *a = &mark[*i], *b = &mark[*i + 1];
    return (double)a->insts +
           (double)(b->insts - a->insts) *
               way((double)a->cycle, (double)b->cycle, cycle);
}

void course_of(struct course *out, const struct mark *mark, size_t count,
               double wave)
{
    double last = count > 1 ? (double)mark[count - 1].insts : 0;
    double end = floor(last / wave) * wave, begin = end - wave;
    if (count < 2 || begin < (double)mark[0].insts)
        return;
    size_t first = 0;
    double from = cycle_of(mark, &first, begin);
    size_t past = first;
    double to = cycle_of(mark, &past, end);
    out->known = past - first >= ENOUGH_MARKS;
    for (int p = 0; out->known && p <= COURSE_PARTS; p++) {
        double at = fmin(to, from + (to - from) * p / COURSE_PARTS);
        out->issued[p] = (insts_by(mark, &first, at) - begin) / wave;
    }
}
