/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_drawn.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"
#include "cli/page.h"
#include "cli/verdict.h"

#include <stdlib.h>
#include <string.h>

/* What the table's verdicts print, a paragraph each line. */
static void put_lines(FILE *f, const struct report *r,
                      void (*put)(const struct page *page,
                                  const struct report *r, size_t which),
                      size_t which)
{
    char *text = NULL;
    size_t size;
    FILE *m = open_memstream(&text, &size);
    if (m == NULL)
        return;
    const struct page page = {.f = m, .width = HTML_TEXT_MAX};
    put(&page, r, which);
    fclose(m);
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        html_paragraph(f, "lead", line);
    free(text);
}

static void put_of_all(const struct page *page, const struct report *r,
                       size_t which)
{
    (void)which;
    put_launch_verdicts(page, r);
    put_totals(page, r);
}

/* "1.81 M +-5 % cycles (1395 us), limited by dram". */
static void best_text(char *out, size_t size, const struct html_group *g)
{
    char cycles[256], time[FIGURE_MAX];
    html_group_cycles_text(cycles, sizeof(cycles), g, g->best);
    time_text(time, g->best);
    int n = snprintf(out, size, "%s cycles (%s)", cycles, time);
    if (g->best->limiter[0] != '\0' && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", limited by %s",
                 g->best->limiter);
}

/* Under a verdict: what it is about. */
static void put_fewest(FILE *f, const struct html_group *g)
{
    char best[512], text[1024];
    if (g->best == NULL)
        return;
    best_text(best, sizeof(best), g);
    if (html_group_count(g) > 1)
        snprintf(text, sizeof(text), "The fewest of %zu points: %s.",
                 html_group_count(g), best);
    else
        snprintf(text, sizeof(text), "%s.", best);
    html_paragraph(f, "", text);
}

static void put_cases(FILE *f, const struct html_page *p)
{
    const struct report *r = p->report;
    html_drawn_note(f, p->drawn);
    for (size_t i = 0; i < r->cases; i++) {
        bool any = r->at[i].rows > 0;
        if (any && !p->drawn->begins[r->at[i].first_row])
            continue;
        put_lines(f, r, put_verdict, i);
        if (!any)
            continue;
        const struct html_group g = html_group_at(p, r->at[i].first_row);
        put_fewest(f, &g);
    }
    put_lines(f, r, put_of_all, 0);
}

/* Of a file, which does not say what was the default. */
static void put_group(FILE *f, const struct html_group *g)
{
    char label[HTML_TEXT_MAX], policy[256], best[512], text[2 * HTML_TEXT_MAX];
    html_group_text(label, sizeof(label), g);
    if (g->best == NULL) {
        snprintf(text, sizeof(text), "%s: no point was finished", label);
    } else {
        html_policy_text(policy, sizeof(policy), g->best);
        best_text(best, sizeof(best), g);
        snprintf(text, sizeof(text),
                 "%s: tb=%d %s is the fastest of %zu points: %s", label,
                 g->best->tb, policy, html_group_count(g), best);
    }
    html_paragraph(f, "lead", text);
}

static void put_groups(FILE *f, const struct html_page *p)
{
    html_drawn_note(f, p->drawn);
    for (size_t i = 0; i < p->points; i++) {
        if (!p->drawn->begins[i])
            continue;
        const struct html_group g = html_group_at(p, i);
        put_group(f, &g);
    }
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
    if (designs)
        put_front_size(f, p->report);
    else if (p->report != NULL)
        put_cases(f, p);
    if (p->report == NULL)
        put_groups(f, p);
    fputs("<p class=\"grey\">To repeat it: <code>", f);
    put_command(f, p->options);
    fputs("</code></p></section>\n", f);
}
