/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gain.h"
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
    figure_text(number, &g->unit, p->cycles);
    half_width_text(half, half_width_pct(p));
    fprintf(f, "<td class=\"h%d%s\">%s%s%s <small>",
            heat_class(p->cycles / g->best->cycles),
            p == g->best ? " best" : "", number, p->sampled ? " &#8226;" : "",
            p->partial ? "?" : "");
    html_text(f, half);
    fputs("</small></td>", f);
}

void html_heat(FILE *f, const struct html_group *g)
{
    struct html_axes x;
    char label[HTML_TEXT_MAX], policy[256];
    html_group_axes(&x, g);
    html_group_text(label, sizeof(label), g);
    fputs("<p class=\"grey\">", f);
    html_text(f, label);
    fprintf(f,
            ": cycles%s%s. The framed cell is the best, the darker a cell the "
            "closer to it; a dot: the point itself was sampled.</p>\n"
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"heat map\"><table>\n<thead><tr><th "
            "class=\"t\">scheduler</th>",
            g->unit.name[0] != '\0' ? " in " : "", g->unit.name);
    for (size_t i = 0; i < x.tbs; i++)
        fprintf(f, "<th>tb=%d</th>", x.tb[i]);
    fputs("</tr></thead><tbody>\n", f);
    for (size_t n = 0; n < x.policies; n++) {
        html_policy_text(policy, sizeof(policy), x.policy[n]);
        fputs("<tr><th class=\"t\">", f);
        html_text(f, policy);
        fputs("</th>", f);
        for (size_t i = 0; i < x.tbs; i++)
            put_heat_cell(f, g, html_group_find(g, x.tb[i], x.policy[n]));
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table></div>\n", f);
}
