/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

void html_phases(FILE *f, const struct explanation *x)
{
    static const char *const series[] = {"share of a warp's time"};
    static const size_t most = 40;
    char label[40][24];
    const char *subject[40];
    struct chart_value value[40];
    size_t n = x->phases < most ? x->phases : most;
    for (size_t i = 0; i < n; i++) {
        snprintf(label[i], sizeof(label[i]), "phase %zu", i);
        subject[i] = label[i];
        value[i] = chart_bar(0, i, 100 * x->phase_share[i]);
    }
    const struct chart_panel panel = {
        .kind = CHART_BARS,
        .y = {.title = "of a warp's time", .unit = "%"},
        .subject = subject,
        .subjects = n,
        .series = series,
        .serieses = 1,
        .value = value,
        .values = n,
        .height = 160,
        .empty = "the kernel has no phases"};
    const struct chart c = {
        .title = "Time of a warp, phase by phase",
        .description = "The share of its time that a warp spends in each phase "
                       "when no other holds it up.",
        .panel = &panel,
        .panels = 1};
    html_chart(f, &c);
}
