/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_designs.h"

#include "cli/designs.h"
#include "cli/html_design_table.h"
#include "cli/html_text.h"

#include <stdlib.h>

/* Of more designs those far from the front are shown as a density. */
#define DOTS_MAX 5000
/* Less than so much worse than one of the front in both: near it. */
#define NEAR 1.02

enum kind { DESIGN, FRONT, NEAR_FRONT, KINDS };

static const char *title_of(const struct designs *d, int objective)
{
    static const char *const title[OBJECTIVES] = {
        [OBJECTIVE_CYCLES] = "core cycles",
        [OBJECTIVE_TIME] = "microseconds",
        [OBJECTIVE_ENERGY] = "microjoules",
        [OBJECTIVE_COST] = "cost"};
    return title[d->by.of[objective]];
}

static const double *values_of(const struct designs *d, size_t i)
{
    return &d->value[i * (size_t)d->by.count];
}

static bool is_near_front(const struct designs *d, size_t i)
{
    const double *v = values_of(d, i);
    for (size_t n = 0; n < d->count; n++) {
        const double *of_front = values_of(d, n);
        if (d->front[n] && v[0] < NEAR * of_front[0] &&
            v[1] < NEAR * of_front[1])
            return true;
    }
    return false;
}

/* All by kind, those on the front last and so on top. */
static size_t list_designs(struct chart_value *out, const struct designs *d,
                           const enum kind *kind)
{
    static const enum kind order[KINDS] = {DESIGN, NEAR_FRONT, FRONT};
    size_t n = 0;
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < d->count; i++)
            if (kind[i] == order[k])
                out[n++] = chart_point(order[k], values_of(d, i)[1],
                                       values_of(d, i)[0]);
    return n;
}

static void put_panel(FILE *f, const struct designs *d, const enum kind *kind,
                      struct chart_value *value)
{
    static const char *const series[] = {"designs", "on the front",
                                         "within 2 % of the front"};
    bool many = d->made > DOTS_MAX;
    const struct chart_panel panel = {.kind = CHART_SCATTER,
                                      .x = {.title = title_of(d, 1)},
                                      .y = {.title = title_of(d, 0)},
                                      .series = series,
                                      .serieses = many ? KINDS : NEAR_FRONT,
                                      .dense = many ? 1 : 0,
                                      .value = value,
                                      .values = list_designs(value, d, kind),
                                      .height = 260,
                                      .empty = "no design was estimated"};
    html_chart(
        f, &(struct chart){
               .title = "Designs: less is better both ways",
               .description = "Each design by two objectives; none beats "
                              "those on the front in all of them.",
               .note = many ? "The darker, the more designs are there." : NULL,
               .panel = &panel,
               .panels = 1});
}

static void put_scatter(FILE *f, const struct designs *d)
{
    struct chart_value *value = calloc(d->count + 1, sizeof(*value));
    enum kind *kind = calloc(d->count + 1, sizeof(*kind));
    for (size_t i = 0; value != NULL && kind != NULL && i < d->count; i++)
        kind[i] = d->front[i]                                 ? FRONT
                  : d->made > DOTS_MAX && is_near_front(d, i) ? NEAR_FRONT
                                                              : DESIGN;
    if (value != NULL && kind != NULL)
        put_panel(f, d, kind, value);
    free(value);
    free(kind);
}

void html_designs(FILE *f, const struct report *r)
{
    html_section(f, "designs", "Designs");
    if (r->designs->by.count > 1)
        put_scatter(f, r->designs);
    html_design_table(f, r);
    html_elasticities(f, r);
    fputs("</section>\n", f);
}
