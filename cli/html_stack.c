/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <math.h>

#define STALLS   6
#define BARS     24
#define NAME_MAX 80

struct bars {
    char label[BARS][NAME_MAX];
    const char *subject[BARS];
    struct chart_value value[BARS * STALLS];
    size_t values, subjects;
};

/* The interval of its cycles is the last part's. */
static void add_bar(struct bars *b, const struct html_group *g,
                    const struct estimate_point *p)
{
    struct stall_row s;
    char policy[NAME_MAX - 16];
    double below = 0;
    html_policy_text(policy, sizeof(policy), p);
    snprintf(b->label[b->subjects], NAME_MAX, "%s%s", policy,
             p == g->best            ? ", best"
             : html_group_ties(g, p) ? ", tie"
                                     : "");
    for (size_t k = 0; explanation_stall(&s, p, k); k++) {
        struct chart_value v = chart_bar(k, b->subjects, s.share * p->cycles);
        if (k + 1 == STALLS && p->cycles_hi > p->cycles_lo) {
            v.low = p->cycles_lo - below;
            v.high = p->cycles_hi - below;
        }
        below += v.y;
        b->value[b->values++] = v;
    }
    b->subject[b->subjects] = b->label[b->subjects];
    b->subjects++;
}

static void put_bars(FILE *f, const struct html_group *g, const struct bars *b)
{
    static const char *const series[STALLS] = {
        "issued",          "waits for memory",    "waits for arithmetic",
        "memory pipeline", "other pipeline full", "idle"};
    char title[NAME_MAX];
    snprintf(title, sizeof(title), "Where the issue slots go at tb=%d",
             g->best != NULL ? g->best->tb : 0);
    const struct chart_panel panel = {
        .kind = CHART_STACK,
        .y = {.title = "core cycles"},
        .subject = b->subject,
        .subjects = b->subjects,
        .series = series,
        .serieses = STALLS,
        .value = b->value,
        .values = b->values,
        .height = 220,
        .empty = "no point tells where its issue slots went"};
    html_chart(
        f, &(struct chart){.title = title,
                           .description =
                               "A bar of cycles for each scheduler at the "
                               "best number of resident blocks, in parts by "
                               "what its issue slots did, with its 90 % "
                               "interval; those that tie with the best say "
                               "so.",
                           .panel = &panel,
                           .panels = 1});
}

void html_stack(FILE *f, const struct html_group *g)
{
    struct html_axes x;
    struct bars b = {.values = 0};
    html_group_axes(&x, g);
    for (size_t i = 0; g->best != NULL && i < x.policies && b.subjects < BARS;
         i++) {
        const struct estimate_point *p =
            html_group_find(g, g->best->tb, x.policy[i]);
        if (p != NULL && !isnan(p->stall.issued))
            add_bar(&b, g, p);
    }
    put_bars(f, g, &b);
}
