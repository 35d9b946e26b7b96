/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_sections.h"
#include "cli/html_style.h"
#include "cli/html_text.h"

#include <math.h>

/* Steps of a quarter: 0, up to 2 %, 5 %, 10 %, 25 %, 100 %, more. */
static int heat_class(double ratio)
{
    static const double steps[HTML_HEAT_CLASSES - 1] = {1.005, 1.02, 1.05,
                                                        1.1,   1.25, 2};
    int i = 0;
    while (i < HTML_HEAT_CLASSES - 1 && ratio > steps[i])
        i++;
    return i;
}

static void put_heat_cell(FILE *f, const struct html_group *g,
                          const struct estimate_point *p)
{
    char number[FIGURE_MAX], half[FIGURE_MAX];
    if (p == NULL || isnan(p->cycles) || g->best == NULL) {
        fputs("<td>-</td>", f);
        return;
    }
    bool best = p == g->best, tie = !best && html_group_ties(g, p);
    figure_text(number, &g->unit, p->cycles);
    half_width_text(half, half_width_pct(p));
    fprintf(f, "<td class=\"h%d%s%s\">%s%s%s <small>",
            heat_class(p->cycles / g->best->cycles), best ? " best" : "",
            tie ? " tie" : "", number, p->sampled ? " &#8226;" : "",
            p->partial ? "?" : "");
    html_text(f, half);
    fprintf(f, "</small>%s</td>",
            best  ? "<span class=\"sr\"> the best</span>"
            : tie ? "<span class=\"sr\"> a tie</span>"
                  : "");
}

/* Above the table, which is often narrower. */
static void put_caption(FILE *f, const struct html_group *g, const char *label)
{
    fputs("<p class=\"grey\">", f);
    html_text(f, label);
    fprintf(f,
            ": cycles%s%s with their intervals; &#8226;: the point itself was "
            "sampled</p>\n",
            g->unit.name[0] != '\0' ? " in " : "", g->unit.name);
}

/* What colours mean, in the order of heat_class(). */
static void put_key(FILE *f)
{
    static const char *const up_to[HTML_HEAT_CLASSES] = {
        "0.5", "2", "5", "10", "25", "100", "more"};
    fputs("<p class=\"key\"><span class=\"cell h0 best\">best</span> "
          "<span class=\"cell h3 tie\">a tie</span> its interval and the "
          "best's overlap. Slower by up to, %: ",
          f);
    for (int i = 0; i < HTML_HEAT_CLASSES; i++)
        fprintf(f, "<span class=\"cell h%d\">%s</span>", i, up_to[i]);
    fputs("</p>\n", f);
}

static void put_rows(FILE *f, const struct html_group *g,
                     const struct html_axes *x)
{
    for (size_t n = 0; n < x->policies; n++) {
        char policy[256];
        html_policy_text(policy, sizeof(policy), x->policy[n]);
        fputs("<tr><th class=\"t\" scope=\"row\">", f);
        html_text(f, policy);
        fputs("</th>", f);
        for (size_t i = 0; i < x->tbs; i++)
            put_heat_cell(f, g, html_group_find(g, x->tb[i], x->policy[n]));
        fputs("</tr>\n", f);
    }
}

void html_heat(FILE *f, const struct html_group *g)
{
    struct html_axes x;
    char label[HTML_TEXT_MAX];
    html_group_axes(&x, g);
    html_group_text(label, sizeof(label), g);
    put_caption(f, g, label);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"heat map\"><table class=\"heat\" aria-label=\"",
          f);
    html_text(f, label);
    fputs("\">\n", f);
    fputs("<thead><tr><th class=\"t\" scope=\"col\">scheduler</th>", f);
    for (size_t i = 0; i < x.tbs; i++)
        fprintf(f, "<th scope=\"col\">tb=%d</th>", x.tb[i]);
    fputs("</tr></thead><tbody>\n", f);
    put_rows(f, g, &x);
    fputs("</tbody></table></div>\n", f);
    put_key(f);
}
