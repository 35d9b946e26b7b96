/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/range.h"

#include <math.h>

static void reach(struct range *r, double v, bool log)
{
    if (!isfinite(v) || (log && !(v > 0)))
        return;
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
}

static bool on_top(const struct chart_panel *p)
{
    return p->kind == CHART_STACK || p->kind == CHART_AREAS;
}

/* The values are of one stack. */
static bool same_stack(const struct chart_panel *p, const struct chart_value *a,
                       const struct chart_value *b)
{
    return p->kind == CHART_STACK ? a->subject == b->subject : a->x == b->x;
}

double range_base(const struct chart_panel *p, size_t i)
{
    const struct chart_value *v = &p->value[i];
    double sum = 0;
    for (size_t j = 0; j < p->values; j++) {
        const struct chart_value *o = &p->value[j];
        if (o->series < v->series && isfinite(o->y) && same_stack(p, o, v) &&
            (o->y < 0) == (v->y < 0))
            sum += o->y;
    }
    return sum;
}

struct range range_of_y(const struct chart_panel *p)
{
    struct range r = {INFINITY, -INFINITY};
    bool log = p->y.log;
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (!isfinite(v->y) || (log && !(v->y > 0)))
            continue;
        double base = on_top(p) ? range_base(p, i) : 0;
        reach(&r, base + v->y, log);
        reach(&r, base + v->low, log);
        reach(&r, base + v->high, log);
        reach(&r, v->mark, log);
    }
    return r;
}

static void reach_x(struct range *r, const struct chart_panel *p,
                    const struct chart_value *v)
{
    reach(r, v->x, p->x.log);
    if (p->kind == CHART_SPANS)
        reach(r, v->end, p->x.log);
}

struct range range_of_x(const struct chart_panel *p)
{
    struct range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < p->values; i++)
        if (isfinite(p->value[i].y))
            reach_x(&r, p, &p->value[i]);
    return r;
}
