/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/style.h"
#include "chart/svg.h"

#define CLASS 32

void plot_spans(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        char name[CLASS];
        if (!frame_shows(f, v) || !scale_shows(&f->x, v->end))
            continue;
        style_class(name, sizeof(name), p, "fill", v->series);
        svg_box(out, scale_place(&f->x, v->x), scale_place(&f->y, v->low),
                scale_place(&f->x, v->end), scale_place(&f->y, v->high), name,
                NULL);
    }
}
