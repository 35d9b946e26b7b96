/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_what_if.h"

#include "cli/html_text.h"

#include <math.h>

#define ROWS_MAX   12
#define ROWS_LEAST 6   /* also where they gain nothing */
#define NOTHING    0.5 /* percent */
/* Of a bar's drawing. */
#define WIDTH  200.0
#define HEIGHT 16

struct shown {
    const struct what_if *row[ROWS_MAX];
    size_t rows;
    double low, high; /* percent, all bars and intervals and 0 */
};

static void choose(struct shown *s, const struct what_if_list *l)
{
    *s = (struct shown){.rows = 0};
    for (size_t i = 0; i < l->count && s->rows < ROWS_MAX; i++) {
        const struct what_if *w = &l->item[i];
        if (isnan(w->pct) || (w->pct > -NOTHING && s->rows >= ROWS_LEAST))
            continue;
        s->row[s->rows++] = w;
        s->low = fmin(s->low, fmin(w->lo, w->pct));
        s->high = fmax(s->high, fmax(w->hi, w->pct));
    }
    if (s->high == s->low)
        s->high = s->low + 1;
}

static double place(const struct shown *s, double pct)
{
    return WIDTH * (pct - s->low) / (s->high - s->low);
}

static void put_bar(FILE *f, const struct shown *s, const struct what_if *w)
{
    double zero = place(s, 0), end = place(s, w->pct);
    fprintf(f,
            "<td><svg class=\"bar\" viewBox=\"-2 0 %.0f %d\" "
            "aria-hidden=\"true\"><rect class=\"%s\" x=\"%.1f\" y=\"3\" "
            "width=\"%.1f\" height=\"10\"/><path d=\"M%.1f 0V%d\"/>",
            WIDTH + 4, HEIGHT, w->tie ? "tie" : "gain", fmin(zero, end),
            fabs(end - zero), zero, HEIGHT);
    if (w->hi > w->lo)
        fprintf(f, "<path d=\"M%.1f 8H%.1fM%.1f 5v6M%.1f 5v6\"/>",
                place(s, w->lo), place(s, w->hi), place(s, w->lo),
                place(s, w->hi));
    fputs("</svg></td>", f);
}

static void put_row(FILE *f, const struct shown *s, const struct what_if *w)
{
    fputs("<tr><th class=\"t\" scope=\"row\">", f);
    html_text(f, w->change);
    fputs("</th>", f);
    fprintf(f, "<td>%+.1f&#8239;%%</td>", w->pct);
    put_bar(f, s, w);
    fputs("<td>", f);
    if (w->hi > w->lo)
        fprintf(f, "%+.1f to %+.1f", w->lo, w->hi);
    fprintf(f, "</td><td class=\"t\">%s</td></tr>\n", w->tie ? "tie" : "");
}

void html_what_if(FILE *f, const struct what_if_list *l)
{
    struct shown s;
    choose(&s, l);
    if (s.rows == 0) {
        fputs("<p class=\"grey\">No change was tried.</p>\n", f);
        return;
    }
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"what would change it\"><table class=\"what\">"
          "<caption>Time after against before; grey: a "
          "tie</caption><thead><tr><th class=\"t\" "
          "scope=\"col\">change</th><th scope=\"col\">time</th><th class=\"t\" "
          "scope=\"col\">below 0 it gains</th><th scope=\"col\">90&#8239;% "
          "interval</th><th scope=\"col\"><span class=\"sr\">tie</span></th>"
          "</tr></thead><tbody>\n",
          f);
    for (size_t i = 0; i < s.rows; i++)
        put_row(f, &s, s.row[i]);
    fputs("</tbody></table></div>\n", f);
}
