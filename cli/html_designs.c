/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_designs.h"

#include "chart/chart.h"
#include "chart/svg.h"
#include "cli/designs.h"
#include "cli/html_text.h"
#include "cli/out_designs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of many designs so many that are not on the front are dots. */
#define DOTS_MAX 5000

static const char *title_of(const struct designs *d, int objective)
{
    static const char *const title[OBJECTIVES] = {
        [OBJECTIVE_CYCLES] = "core cycles",
        [OBJECTIVE_TIME] = "microseconds",
        [OBJECTIVE_ENERGY] = "microjoules",
        [OBJECTIVE_COST] = "cost"};
    return title[d->by.of[objective]];
}

/* Designs that are not on the front, then those that are. */
static size_t list_dots(struct chart_value *out, const struct designs *d)
{
    size_t n = 0, others = 0, of_all = 0;
    for (size_t i = 0; i < d->count; i++)
        of_all += !d->front[i];
    for (size_t i = 0, seen = 0; i < d->count; i++) {
        const double *v = &d->value[i * (size_t)d->by.count];
        if (d->front[i])
            continue;
        /* Evenly, where they are too many. */
        if (seen++ * DOTS_MAX >= others * of_all && others < DOTS_MAX) {
            out[n++] = chart_point(0, v[1], v[0]);
            others++;
        }
    }
    for (size_t i = 0; i < d->count; i++) {
        const double *v = &d->value[i * (size_t)d->by.count];
        if (d->front[i])
            out[n++] = chart_point(1, v[1], v[0]);
    }
    return n;
}

static void put_scatter(FILE *f, const struct designs *d)
{
    static const char *const series[] = {"designs", "on the front"};
    struct chart_value *value = calloc(d->count + 1, sizeof(*value));
    if (value == NULL)
        return;
    const struct chart_panel panel = {.kind = CHART_SCATTER,
                                      .x = {.title = title_of(d, 1)},
                                      .y = {.title = title_of(d, 0)},
                                      .series = series,
                                      .serieses = 2,
                                      .value = value,
                                      .values = list_dots(value, d),
                                      .height = 260,
                                      .empty = "no design was estimated"};
    const struct chart c = {
        .title = "Designs: less is better both ways",
        .description = "Each design by two objectives; none beats those on "
                       "the front in all of them.",
        .panel = &panel,
        .panels = 1};
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"designs\">",
          f);
    chart_write(f, &c);
    fputs("</div>\n", f);
    free(value);
}

static void put_table(FILE *f, const struct report *r)
{
    char *text = NULL;
    size_t size;
    FILE *m = open_memstream(&text, &size);
    if (m == NULL)
        return;
    write_designs(m, r);
    fclose(m);
    fputs("<pre class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"table of designs\">",
          f);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        svg_escape(f, line);
        fputc('\n', f);
    }
    fputs("</pre>\n", f);
    free(text);
}

void html_designs(FILE *f, const struct report *r)
{
    html_section(f, "designs", "Designs");
    if (r->designs->by.count > 1)
        put_scatter(f, r->designs);
    put_table(f, r);
    fputs("</section>\n", f);
}
