/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>

#define STALLS 6

void html_stack(FILE *f, const struct html_group *g)
{
    static const char *const series[STALLS] = {
        "issued",          "waits for memory",    "waits for arithmetic",
        "memory pipeline", "other pipeline full", "idle"};
    struct html_axes x;
    static const size_t most = 24;
    char label[24][64];
    const char *subject[24];
    struct chart_value value[24 * STALLS];
    size_t n = 0, subjects = 0;
    html_group_axes(&x, g);
    for (size_t i = 0; g->best != NULL && i < x.policies && i < most; i++) {
        const struct estimate_point *p =
            html_group_find(g, g->best->tb, x.policy[i]);
        struct stall_row s;
        if (p == NULL || isnan(p->stall.issued))
            continue;
        html_policy_text(label[subjects], sizeof(label[0]), p);
        subject[subjects] = label[subjects];
        for (size_t k = 0; explanation_stall(&s, p, k); k++)
            value[n++] = chart_bar(k, subjects, 100 * s.share);
        subjects++;
    }
    const struct chart_panel panel = {
        .kind = CHART_STACK,
        .y = {.title = "issue slots", .unit = "%"},
        .subject = subject,
        .subjects = subjects,
        .series = series,
        .serieses = STALLS,
        .value = value,
        .values = n,
        .height = 220,
        .empty = "no point was finished"};
    const struct chart c = {
        .title = "Where the issue slots go",
        .description = "A stacked bar for each scheduler at the best number of "
                       "resident blocks; the shares stand in the table below.",
        .panel = &panel,
        .panels = 1};
    html_chart(f, &c);
}
