/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOF_DOTS 41

struct roof {
    double peak;  /* 1e9 warp instructions a second */
    double bytes; /* 1e9 bytes a second */
};

static struct roof roof_of(const struct explanation *x)
{
    struct roof r = {NAN, NAN};
    const struct estimate_gpu *gpu = x->at->variant->gpu;
    double clock =
        estimate_gpu_get(gpu, estimate_key_find("clock.core_mhz", NULL));
    double sms = estimate_gpu_get(gpu, estimate_key_find("sms", NULL));
    for (size_t i = 0; i < x->uses; i++)
        if (strcmp(x->use[i].resource, "issue") == 0)
            r.peak = x->use[i].peak * sms * clock * 1e-3;
        else if (strcmp(x->use[i].resource, "dram") == 0)
            r.bytes = x->use[i].peak;
    return r;
}

static double intensity(const struct estimate_point *p)
{
    return p->warp_insts / (p->dram_gbps * 1e3 * p->time_us);
}

void html_roofline(FILE *f, const struct html_group *g)
{
    static const char *const series[] = {"roof", "points", "best"};
    const struct explanation *x = g->page->explained;
    size_t most = ROOF_DOTS + html_group_count(g), n = 0;
    struct chart_value *value = calloc(most + 1, sizeof(*value));
    struct roof roof = {NAN, NAN};
    if (value == NULL)
        return;
    if (x != NULL)
        roof = roof_of(x);
    for (int i = 0; x != NULL && i < ROOF_DOTS; i++) {
        double ridge = roof.peak / roof.bytes;
        double at_x = ridge * pow(10, -2 + 4.0 * i / (ROOF_DOTS - 1));
        value[n++] = chart_point(0, at_x, fmin(roof.peak, at_x * roof.bytes));
    }
    for (size_t i = 0; i < html_group_count(g); i++) {
        const struct estimate_point *p = html_group_point(g, i);
        if (p->dram_gbps > 0 && p != g->best)
            value[n++] = chart_point(1, intensity(p),
                                     p->warp_insts / (p->time_us * 1e3));
    }
    if (g->best != NULL && g->best->dram_gbps > 0)
        value[n++] =
            chart_point(2, intensity(g->best),
                        g->best->warp_insts / (g->best->time_us * 1e3));
    const struct chart_panel panel = {
        .kind = CHART_SCATTER,
        .x = {.title = "warp instructions a byte of DRAM", .log = true},
        .y = {.title = "warp instructions a second",
              .unit = "billions",
              .log = true},
        .series = series,
        .serieses = 3,
        .joined = 1,
        .value = value,
        .values = n,
        .height = 240,
        .empty = "no point moves bytes from or to DRAM"};
    const struct chart c = {
        .title = "Achieved, and what DRAM and issue slots allow",
        .description = "Each point by its instructions a byte and a second; "
                       "the roof is what DRAM and issue slots allow.",
        .panel = &panel,
        .panels = 1};
    html_chart(f, &c);
    free(value);
}
