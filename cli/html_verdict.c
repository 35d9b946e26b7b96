/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_sections.h"
#include "cli/html_text.h"
#include "cli/page.h"
#include "cli/verdict.h"

#include <stdlib.h>
#include <string.h>

/* The verdicts as the table has them, one a paragraph. */
static void put_report_verdicts(FILE *f, const struct report *r)
{
    char *text = NULL;
    size_t size;
    FILE *m = open_memstream(&text, &size);
    if (m == NULL)
        return;
    const struct page page = {.f = m, .width = HTML_TEXT_MAX};
    for (size_t i = 0; i < r->cases; i++)
        put_verdict(&page, r, i);
    put_launch_verdicts(&page, r);
    put_totals(&page, r);
    fclose(m);
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        html_paragraph(f, "lead", line);
    free(text);
}

static void put_fastest(FILE *f, const struct html_group *g)
{
    char label[HTML_TEXT_MAX], policy[256], cycles[256],
        text[2 * HTML_TEXT_MAX];
    html_group_text(label, sizeof(label), g);
    if (g->best == NULL) {
        snprintf(text, sizeof(text), "%s: no point was finished", label);
    } else {
        html_policy_text(policy, sizeof(policy), g->best);
        html_group_cycles_text(cycles, sizeof(cycles), g, g->best);
        snprintf(text, sizeof(text),
                 "%s: tb=%d %s takes the fewest cycles of %zu points: %s "
                 "(%.4g us), limited by %s",
                 label, g->best->tb, policy, html_group_count(g), cycles,
                 g->best->time_us, g->best->limiter);
    }
    html_paragraph(f, "lead", text);
}

/* The command line that was given. */
static void put_command(FILE *f, const struct options *o)
{
    fputs("estimate", f);
    for (int i = 1; i < o->argc; i++) {
        bool quoted = strpbrk(o->argv[i], " '\"*?()<>&|;$") != NULL;
        fputs(quoted ? " '" : " ", f);
        html_text(f, o->argv[i]);
        fputs(quoted ? "'" : "", f);
    }
}

static void put_front_size(FILE *f, const struct report *r)
{
    char text[256];
    size_t front = 0;
    for (size_t i = 0; i < r->designs->count; i++)
        front += r->designs->front[i];
    snprintf(text, sizeof(text),
             "%zu of %zu designs are on the front: each of the others is no "
             "better than one of them in anything, and worse in something.",
             front, r->designs->made);
    html_paragraph(f, "lead", text);
}

void html_verdicts(FILE *f, const struct html_page *p)
{
    bool designs = p->report != NULL && p->report->designs != NULL;
    html_section(f, "verdict", "Verdict");
    for (size_t i = 0; !designs && i < p->points;) {
        const struct html_group g = html_group_at(p, i);
        put_fastest(f, &g);
        i = g.end;
    }
    if (designs)
        put_front_size(f, p->report);
    else if (p->report != NULL)
        put_report_verdicts(f, p->report);
    fputs("<p class=\"grey\">To repeat it: <code>", f);
    put_command(f, p->options);
    fputs("</code></p></section>\n", f);
}
