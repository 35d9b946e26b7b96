/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the classes of a chart look, on light and dark screens.
 * Classes: "title", "label", "note" and "missing" of texts; "paper", "axis",
 * "grid", "origin", "whisker", "mark" and "guide"; "fill", "line" or "dots"
 * with "s0" to "s7" for the series, or "r0" and up where they have an order. */
#ifndef CHART_STYLE_H
#define CHART_STYLE_H

#include <stddef.h>
#include <stdio.h>

#define FONT_SIZE     13.0
#define TITLE_SIZE    15.0
#define NOTE_SIZE     11.5
#define STYLE_COLOURS 8

/* With the classes of a ramp of so many colours. */
void style_write(FILE *out, size_t ramp);

struct chart_panel;
/* "fill s2" and the like; `what` is "fill", "line" or "dots". */
void style_class(char *out, size_t size, const struct chart_panel *p,
                 const char *what, size_t series);

#endif
