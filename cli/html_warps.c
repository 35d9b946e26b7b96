/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS  360 /* moments at which warps are looked at */
#define PHASES   7   /* with a colour of their own, those that take most time */
#define NAME_MAX 24

/* Phases with a colour, in their order in the code; the others have one
 * together. */
struct colours {
    uint32_t phase[PHASES];
    size_t phases;
    bool others;
    char name[PHASES + 1][NAME_MAX];
    const char *series[PHASES + 1];
    size_t serieses;
};

static uint32_t phases_of(const struct warps *w)
{
    uint32_t most = 0;
    for (size_t i = 0; i < w->spans; i++)
        most = w->span[i].phase >= most ? w->span[i].phase + 1 : most;
    return most;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* time: [phases], is used up. */
static void choose_heaviest(struct colours *c, uint64_t *time, uint32_t phases)
{
    for (; c->phases < PHASES; c->phases++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < phases; i++)
            most = time[i] > time[most] ? i : most;
        if (time[most] == 0)
            return;
        c->phase[c->phases] = most;
        time[most] = 0;
    }
    for (uint32_t i = 0; i < phases; i++)
        c->others |= time[i] > 0;
}

static void name_colours(struct colours *c)
{
    qsort(c->phase, c->phases, sizeof(c->phase[0]), ascending);
    for (size_t i = 0; i < c->phases; i++)
        snprintf(c->name[i], NAME_MAX, "phase %" PRIu32, c->phase[i]);
    if (c->others)
        snprintf(c->name[c->phases], NAME_MAX, "other phases");
    c->serieses = c->phases + c->others;
    for (size_t i = 0; i < c->serieses; i++)
        c->series[i] = c->name[i];
}

static bool choose_colours(struct colours *c, const struct warps *w)
{
    uint32_t phases = phases_of(w);
    uint64_t *time = calloc(phases + 1, sizeof(*time));
    *c = (struct colours){.phases = 0};
    if (time == NULL)
        return false;
    for (size_t i = 0; i < w->spans; i++)
        time[w->span[i].phase] += w->span[i].to - w->span[i].from;
    choose_heaviest(c, time, phases);
    name_colours(c);
    free(time);
    return true;
}

static size_t colour_of(const struct colours *c, uint32_t phase)
{
    for (size_t i = 0; i < c->phases; i++)
        if (c->phase[i] == phase)
            return i;
    return c->phases;
}

/* A page's spans are fewer: those between whose ends no column lies are left
 * out, and neighbours of a colour are one. series[slot][column] is 1 more than
 * the series, 0: no warp. */
static void fill_columns(unsigned char (*series)[COLUMNS],
                         const struct warps *w, const struct colours *c)
{
    uint64_t cycles = w->end - w->begin;
    for (size_t i = 0; i < w->spans; i++) {
        const struct warp_span *s = &w->span[i];
        uint64_t from = (s->from - w->begin) * COLUMNS / cycles;
        uint64_t to = (s->to - w->begin) * COLUMNS / cycles;
        for (uint64_t at = from; at < to && at < COLUMNS; at++)
            series[s->slot][at] = (unsigned char)(1 + colour_of(c, s->phase));
    }
}

/* The first column behind `at` with another series. */
static size_t stretch_end(const unsigned char row[COLUMNS], size_t at)
{
    size_t end = at + 1;
    while (end < COLUMNS && row[end] == row[at])
        end++;
    return end;
}

static size_t list_spans(struct chart_value *out,
                         unsigned char (*series)[COLUMNS],
                         const struct warps *w)
{
    double width = (double)(w->end - w->begin) / COLUMNS;
    double begin = (double)w->begin;
    size_t n = 0;
    for (int slot = 0; slot < w->slots; slot++)
        for (size_t at = 0, end; at < COLUMNS; at = end) {
            end = stretch_end(series[slot], at);
            if (series[slot][at] > 0)
                out[n++] = chart_span(series[slot][at] - 1u, slot,
                                      begin + (double)at * width,
                                      begin + (double)end * width);
        }
    return n;
}

static void put_spans(FILE *f, const struct warps *w, const struct colours *c,
                      struct chart_value *value, size_t values)
{
    const struct chart_panel panel = {.kind = CHART_SPANS,
                                      .x = {.title = "core cycles"},
                                      .y = {.title = "warp slot"},
                                      .series = c->series,
                                      .serieses = c->serieses,
                                      .value = value,
                                      .values = values,
                                      .height = 80 + 4.0 * w->slots,
                                      .empty = "no warp came to SM 0"};
    const struct chart chart = {
        .title = "Warps of SM 0, cycle by cycle",
        .description = "A row for each warp slot of an SM, coloured by the "
                       "phase of the warp's next instruction; a gap: no warp.",
        .note = w->whole ? "Until the warps that came first have left."
                         : "The beginning only: the warps that came first stay "
                           "longer than this.",
        .panel = &panel,
        .panels = 1};
    html_chart(f, &chart);
}

void html_warps(FILE *f, const struct warps *w)
{
    struct colours c;
    if (w == NULL || w->spans == 0 || w->end <= w->begin ||
        !choose_colours(&c, w))
        return;
    unsigned char(*series)[COLUMNS] = calloc(WARP_SLOTS_MAX, sizeof(*series));
    struct chart_value *value =
        calloc((size_t)w->slots * COLUMNS, sizeof(*value));
    if (series != NULL && value != NULL) {
        fill_columns(series, w, &c);
        put_spans(f, w, &c, value, list_spans(value, series, w));
    }
    free(series);
    free(value);
}
