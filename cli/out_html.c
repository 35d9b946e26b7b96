/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_html.h"

#include "cli/formats.h"
#include "cli/header.h"
#include "cli/html_columns.h"
#include "cli/html_designs.h"
#include "cli/html_drawn.h"
#include "cli/html_sections.h"
#include "cli/html_style.h"
#include "cli/html_text.h"
#include "cli/html_what_if.h"

#include <stdlib.h>

static void put_groups(FILE *f, const struct html_page *p, const char *id,
                       const char *title,
                       void (*put)(FILE *f, const struct html_group *g))
{
    html_section(f, id, title);
    html_drawn_note(f, p->drawn);
    for (size_t i = 0; i < p->points; i++) {
        if (!p->drawn->begins[i])
            continue;
        const struct html_group g = html_group_at(p, i);
        char label[HTML_TEXT_MAX];
        if (g.first > 0 || g.end < p->points) {
            html_group_text(label, sizeof(label), &g);
            fputs("<h3>", f);
            html_text(f, label);
            fputs("</h3>\n", f);
        }
        put(f, &g);
    }
    fputs("</section>\n", f);
}

static void put_explained(FILE *f, const struct html_page *p)
{
    const struct explanation *x = p->explained;
    const char *why = "Not known here: a page of one kernel on one GPU, made "
                      "from its input, has it.";
    html_section(f, "phases", "Phases");
    if (x != NULL) {
        html_phases(f, x);
        html_warps(f, p->warps);
    } else
        html_paragraph(f, "grey", why);
    fputs("</section>\n", f);
    html_section(f, "changes", "What would change it");
    if (x == NULL) {
        html_paragraph(f, "grey", why);
        fputs("</section>\n", f);
        return;
    }
    char text[256];
    snprintf(text, sizeof(text),
             "Of the point tb=%d %s, which is limited by %s.", x->point->tb,
             x->point->sched, x->point->limiter);
    html_paragraph(f, "", text);
    html_what_if(f, &x->what_if);
    fputs("<ul>\n", f);
    for (size_t i = 0; i < x->advices; i++) {
        char advice[HTML_TEXT_MAX];
        explanation_advice(advice, sizeof(advice), x, i);
        fputs("<li>", f);
        html_text(f, advice);
        fputs("</li>\n", f);
    }
    if (x->advices == 0)
        fputs("<li>No rule of advice applies.</li>\n", f);
    fputs("</ul></section>\n", f);
}

static void put_head(FILE *f, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\">\n<title>",
          f);
    html_text(f, title);
    fprintf(
        f,
        "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s"
        "</style></head>\n<body><a class=\"skip\" href=\"#verdict\">Skip to "
        "the verdict</a>\n<main>\n<h1>",
        html_style);
    html_text(f, title);
    fputs("</h1>\n", f);
}

/* Links to the sections, which stand in this order. */
static void put_contents(FILE *f, bool designs)
{
    static const struct {
        const char *id, *name;
        bool of_points, of_designs;
    } section[] = {{"verdict", "Verdict", true, true},
                   {"heat", "Heat map", true, false},
                   {"stack", "Cycle stack", true, false},
                   {"roofline", "Roofline", true, false},
                   {"phases", "Phases", true, false},
                   {"changes", "Changes", true, false},
                   {"accuracy", "Accuracy", true, false},
                   {"designs", "Designs", false, true},
                   {"data", "Data", true, true}};
    fputs("<nav aria-label=\"sections\">", f);
    for (size_t i = 0; i < sizeof(section) / sizeof(section[0]); i++)
        if (designs ? section[i].of_designs : section[i].of_points)
            fprintf(f, "<a href=\"#%s\">%s</a>\n", section[i].id,
                    section[i].name);
    fputs("</nav>\n", f);
}

static void put_facts(FILE *f, const struct html_page *p)
{
    char facts[512];
    if (p->explained == NULL)
        return;
    case_facts(facts, sizeof(facts), p->explained->at);
    html_paragraph(f, "grey", facts);
}

/* Of points that are not designs to be compared. */
static void put_points(FILE *f, const struct html_page *p)
{
    put_groups(f, p, "heat", "Heat map: block counts and schedulers",
               html_heat);
    put_groups(f, p, "stack", "Cycle stack", html_stack);
    put_groups(f, p, "roofline", "Roofline", html_roofline);
    put_explained(f, p);
    html_accuracy(f, p);
}

static void page_title(char *out, size_t size, const struct html_page *p)
{
    const struct html_group first = html_group_at(p, 0);
    const struct designs *d = p->report != NULL ? p->report->designs : NULL;
    if (d != NULL)
        snprintf(out, size, "%s%s: %zu designs",
                 html_group_point(&first, 0)->kernel,
                 p->report->plan->kernels > 1 ? " and others" : "", d->made);
    else if (first.end < p->points)
        snprintf(out, size, "%zu points", p->points);
    else
        html_group_text(out, size, &first);
}

static void put_page(FILE *f, const struct html_page *p)
{
    char title[HTML_TEXT_MAX];
    page_title(title, sizeof(title), p);
    put_head(f, title);
    put_facts(f, p);
    bool designs = p->report != NULL && p->report->designs != NULL;
    put_contents(f, designs);
    html_verdicts(f, p);
    if (designs)
        html_designs(f, p->report);
    else
        put_points(f, p);
    html_data(f, p);
    fprintf(f, "</main>\n<script>\n%s</script>\n</body></html>\n", html_script);
}

void html_write(FILE *f, const struct html_page *page)
{
    struct html_page p = *page;
    struct html_columns columns;
    struct html_drawn drawn = {.groups = 0};
    if (p.points == 0) {
        put_head(f, "No point was finished");
        fputs("</main></body></html>\n", f);
        return;
    }
    if (html_columns_create(&columns, &p)) {
        p.columns = &columns;
        p.drawn = &drawn;
        if (html_drawn_create(&drawn, &p))
            put_page(f, &p);
    }
    html_drawn_free(&drawn);
    html_columns_free(&columns);
}

void write_html(FILE *f, const struct report *r)
{
    const struct estimate_point **point = calloc(r->rows + 1, sizeof(*point));
    if (point == NULL)
        return;
    for (size_t i = 0; i < r->rows; i++)
        point[i] = r->row[i].point;
    html_write(f, &(struct html_page){.point = point,
                                      .points = r->rows,
                                      .report = r,
                                      .explained = r->explained,
                                      .warps = r->warps,
                                      .options = r->options});
    free(point);
}
