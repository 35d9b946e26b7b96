/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOF_DOTS 81
#define BEYOND    5 /* times the points and the ridge that the roof reaches */

struct roof {
    double peak;  /* 1e9 warp instructions a second */
    double bytes; /* 1e9 bytes a second */
};

/* Of the GPU that a point is of. */
static struct roof roof_of(const struct estimate_point *p,
                           const struct estimate_gpu *gpu)
{
    struct roof r = {NAN, NAN};
    struct estimate_use use;
    double clock =
        estimate_gpu_get(gpu, estimate_key_find("clock.core_mhz", NULL));
    double sms = estimate_gpu_get(gpu, estimate_key_find("sms", NULL));
    for (size_t i = 0; estimate_point_use(&use, sizeof(use), p, gpu, i); i++)
        if (strcmp(use.resource, "issue") == 0)
            r.peak = use.peak * sms * clock * 1e-3;
        else if (strcmp(use.resource, "dram") == 0)
            r.bytes = use.peak;
    return r;
}

static double intensity(const struct estimate_point *p)
{
    return p->warp_insts / (p->dram_gbps * 1e3 * p->time_us);
}

struct plot {
    struct chart_value *value; /* [ROOF_DOTS + points] */
    size_t count;
    char dram[64], issue[64], best[300];
};

/* The roof's dot nearest to x. */
static size_t label_at(double low, double high, double x)
{
    return (size_t)lround((ROOF_DOTS - 1) * log(x / low) / log(high / low));
}

static void add_roof(struct plot *l, const struct roof *roof)
{
    double ridge = roof->peak / roof->bytes, low = ridge, high = ridge;
    for (size_t i = 0; i < l->count; i++) {
        low = fmin(low, l->value[i].x);
        high = fmax(high, l->value[i].x);
    }
    low /= BEYOND;
    high *= BEYOND;
    snprintf(l->dram, sizeof(l->dram), "DRAM %.4g GB/s", roof->bytes);
    snprintf(l->issue, sizeof(l->issue), "issue %.3g billion/s", roof->peak);
    for (int i = 0; i < ROOF_DOTS; i++) {
        double x = low * pow(high / low, (double)i / (ROOF_DOTS - 1));
        l->value[l->count++] =
            chart_point(0, x, fmin(roof->peak, x * roof->bytes));
    }
    l->value[l->count - ROOF_DOTS + label_at(low, high, ridge / 3)].label =
        l->dram;
    l->value[l->count - ROOF_DOTS + label_at(low, high, ridge * 1.2)].label =
        l->issue;
}

static void add_point(struct plot *l, const struct estimate_point *p, bool best)
{
    char policy[256];
    struct chart_value v = chart_point(best ? 2 : 1, intensity(p),
                                       p->warp_insts / (p->time_us * 1e3));
    if (!(p->dram_gbps > 0))
        return;
    if (best) {
        html_policy_text(policy, sizeof(policy), p);
        snprintf(l->best, sizeof(l->best), "tb=%d %s", p->tb, policy);
        v.label = l->best;
    }
    l->value[l->count++] = v;
}

static void put_plot(FILE *f, const struct plot *l)
{
    static const char *const series[] = {"roof", "points", "best"};
    const struct chart_panel panel = {
        .kind = CHART_SCATTER,
        .x = {.title = "warp instructions a byte of DRAM", .log = true},
        .y = {.title = "warp instructions a second",
              .unit = "billions",
              .log = true},
        .series = series,
        .serieses = 3,
        .joined = 1,
        .value = l->value,
        .values = l->count,
        .height = 240,
        .empty = "no point moves bytes from or to DRAM"};
    html_chart(f, &(struct chart){
                      .title = "Achieved, and what DRAM and issue slots allow",
                      .description =
                          "Each point by its instructions a byte and a "
                          "second; the roof is what DRAM and issue slots "
                          "allow.",
                      .panel = &panel,
                      .panels = 1});
}

void html_roofline(FILE *f, const struct html_group *g)
{
    struct plot l = {.count = 0};
    const struct report *r = g->page->report;
    l.value = calloc(ROOF_DOTS + html_group_count(g), sizeof(*l.value));
    if (l.value == NULL)
        return;
    for (size_t i = 0; i < html_group_count(g); i++)
        if (html_group_point(g, i) != g->best)
            add_point(&l, html_group_point(g, i), false);
    if (g->best != NULL)
        add_point(&l, g->best, true);
    if (r != NULL && l.count > 0) {
        const struct roof roof =
            roof_of(html_group_point(g, 0), r->row[g->first].at->variant->gpu);
        add_roof(&l, &roof);
    }
    put_plot(f, &l);
    free(l.value);
}
