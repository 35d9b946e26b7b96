/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/style.h"

#include "chart/chart.h"

#include <math.h>

/* Okabe and Ito, Color Universal Design, 2008. */
static const char *const on_light[STYLE_COLOURS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7",
    "#e69f00", "#56b4e9", "#4d4d4d", "#f0e442"};
/* The same hues, brighter. */
static const char *const on_dark[STYLE_COLOURS] = {
    "#4aa3df", "#f58442", "#2fc79c", "#e5a3c8",
    "#f2b632", "#9ad7f7", "#d9d9d9", "#f0e442"};
static const char *const dashes[STYLE_COLOURS] = {
    "none", "7 3", "2 2", "9 3 2 3", "5 5", "12 3", "3 5", "1 3"};

/* Viridis (van der Walt and Smith, 2015) at every quarter. */
static const double ramp_colours[5][3] = {
    {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

static void write_series(FILE *out, const char *const *colour)
{
    for (int i = 0; i < STYLE_COLOURS; i++)
        fprintf(out,
                "svg.chart .fill.s%d{fill:%s}svg.chart .line.s%d,"
                "svg.chart .dots.s%d{stroke:%s}\n",
                i, colour[i], i, i, colour[i]);
}

static void write_ramp(FILE *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double at = count > 1 ? 4.0 * (double)i / (double)(count - 1) : 0;
        int from = (int)fmin(floor(at), 3), rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = (int)lround(ramp_colours[from][c] +
                                 (at - from) * (ramp_colours[from + 1][c] -
                                                ramp_colours[from][c]));
        fprintf(out,
                "svg.chart .fill.r%zu{fill:#%02x%02x%02x}"
                "svg.chart .line.r%zu{stroke:#%02x%02x%02x}\n",
                i, rgb[0], rgb[1], rgb[2], i, rgb[0], rgb[1], rgb[2]);
    }
}

/* Everything but the series' colours, in ink on paper. */
static void write_inks(FILE *out, const char *ink, const char *paper,
                       const char *grey, const char *grid)
{
    fprintf(out,
            "svg.chart text{fill:%s}svg.chart .note{fill:%s}\n"
            "svg.chart .missing{fill:%s}svg.chart .paper{fill:%s}\n"
            "svg.chart .axis,svg.chart .origin,svg.chart .whisker{stroke:%s}\n"
            "svg.chart .grid{stroke:%s}svg.chart .guide{stroke:%s}\n"
            "svg.chart .mark{fill:%s;stroke:%s}svg.chart .fill{stroke:%s}\n",
            ink, grey, grey, paper, ink, grid, grey, paper, ink, paper);
}

void style_write(FILE *out, size_t ramp)
{
    fprintf(out,
            "<style>\n"
            "svg.chart text{font:%gpx sans-serif}\n"
            "svg.chart .title{font-size:%gpx;font-weight:bold}\n"
            "svg.chart .note{font-size:%gpx}\n"
            "svg.chart .missing{font-style:italic}\n"
            "svg.chart .line{fill:none;stroke-width:1.8}\n"
            "svg.chart .dots{fill:none;stroke-width:5;stroke-linecap:round}\n"
            "svg.chart .fill{stroke-width:.4}svg.chart path.fill{stroke:none}\n"
            "svg.chart .origin{"
            "stroke-width:1.2}\n"
            "svg.chart .guide{stroke-dasharray:4 3}svg.chart .mark{"
            "stroke-width:1.4}\n",
            FONT_SIZE, TITLE_SIZE, NOTE_SIZE);
    for (int i = 1; i < STYLE_COLOURS; i++)
        fprintf(out, "svg.chart .line.s%d{stroke-dasharray:%s}\n", i,
                dashes[i]);
    write_inks(out, "#1a1a1a", "#ffffff", "#595959", "#e0e0e0");
    write_series(out, on_light);
    write_ramp(out, ramp);
    fputs("@media (prefers-color-scheme:dark){\n", out);
    write_inks(out, "#ececec", "#15181b", "#b0b0b0", "#3a3f44");
    write_series(out, on_dark);
    fputs("}\n</style>\n", out);
}

void style_class(char *out, size_t size, const struct chart_panel *p,
                 const char *what, size_t series)
{
    snprintf(out, size, "%s %c%zu", what, p->ramp ? 'r' : 's',
             p->ramp ? series : series % STYLE_COLOURS);
}
