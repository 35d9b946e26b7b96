/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>
#include <string.h>

#define CLASS   32
#define COLUMNS 60
#define ROWS    30
#define STEPS   5 /* of opacity */

struct cells {
    unsigned count[ROWS][COLUMNS];
    unsigned most;
};

/* Which of so many parts between from and to. */
static int part_of(double place, double from, double to, int parts)
{
    int i = (int)(parts * (place - from) / (to - from));
    return i < 0 ? 0 : i >= parts ? parts - 1 : i;
}

static void fill_cells(struct cells *c, const struct frame *f, size_t series)
{
    memset(c, 0, sizeof(*c));
    for (size_t i = 0; i < f->panel->values; i++) {
        const struct chart_value *v = &f->panel->value[i];
        if (v->series != series || !frame_shows(f, v))
            continue;
        unsigned *n =
            &c->count[part_of(scale_place(&f->y, v->y), f->top, f->bottom,
                              ROWS)][part_of(scale_place(&f->x, v->x), f->left,
                                             f->right, COLUMNS)];
        c->most += ++*n > c->most;
    }
}

/* Steps by powers: some cells have thousands of values, most a few. */
static int step_of(unsigned count, unsigned most)
{
    double share = most > 1 ? log(count) / log(most) : 1;
    return (int)fmin(STEPS - 1, floor(STEPS * share));
}

static void draw_step(FILE *out, const struct frame *f, const struct cells *c,
                      int step, const char *name)
{
    double width = (f->right - f->left) / COLUMNS;
    double height = (f->bottom - f->top) / ROWS;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            unsigned n = c->count[row][column];
            double x = f->left + column * width, y = f->top + row * height;
            char tip[CLASS];
            if (n == 0 || step_of(n, c->most) != step)
                continue;
            snprintf(tip, sizeof(tip), "%u", n);
            svg_box(out, x, y, x + width, y + height, name, tip);
        }
}

void plot_density(FILE *out, const struct frame *f, size_t series)
{
    struct cells c;
    char name[CLASS];
    fill_cells(&c, f, series);
    style_class(name, sizeof(name), f->panel, "fill", series);
    for (int step = 0; step < STEPS; step++) {
        fprintf(out, "<g fill-opacity='%.1f'>\n", (step + 1.0) / STEPS);
        draw_step(out, f, &c, step, name);
        fputs("</g>\n", out);
    }
}
