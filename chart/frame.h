/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a panel's plotting area lies and how values map to it; axes, grid and
 * ticks around it. */
#ifndef CHART_FRAME_H
#define CHART_FRAME_H

#include "chart/chart.h"
#include "chart/range.h"
#include "chart/scale.h"

struct frame {
    const struct chart_panel *panel;
    double left, right, top, bottom; /* of the plotting area */
    double begin, end;               /* of the panel, across */
    double height;                   /* of the panel with title and axes */
    struct scale x, y;               /* x: not of bars and stacks */
    bool any;                        /* there is something to show */
};

/* Lay a panel out in a column from x to x + width, below y. y_range: what its y
 * axis covers. */
struct frame frame_of(const struct chart_panel *p, struct range y_range,
                      double x, double y, double width);
/* Everything but the values. */
void frame_draw(FILE *out, const struct frame *f);

/* Subjects stand side by side. */
bool frame_by_subject(const struct chart_panel *p);
/* Of subject i, across. */
double frame_slot(const struct frame *f, double i);
/* The panel can show this value's y (and x). */
bool frame_shows(const struct frame *f, const struct chart_value *v);

#endif
