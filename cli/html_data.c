/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/columns.h"
#include "cli/formats.h"
#include "cli/html_sections.h"
#include "cli/html_text.h"

#include <stdlib.h>

static const char *const shown[] = {
    "kernel",    "gpu",     "tb",      "sched",    "tb_sched", "l1_policy",
    "cycles",    "mode",    "time_us", "ipc",      "limiter",  "occupancy",
    "dram_gbps", "l1_miss", "l2_miss", "energy_uj"};
#define SHOWN             (sizeof(shown) / sizeof(shown[0]))
#define SWEPT_SHOWN_AFTER 2 /* the kernel and the GPU */

/* Swept keys and costs, which a result that was read back lacks. */
static void put_swept_heads(FILE *f, const struct report *r)
{
    for (size_t k = 0; k < plan_columns(r->plan); k++)
        fprintf(f, "<th scope=\"col\"><button type=\"button\">%s</button></th>",
                plan_column_name(r->plan, k));
    if (r->designs != NULL && r->designs->cost != NULL)
        fputs("<th scope=\"col\"><button type=\"button\">cost</button></th>",
              f);
}

static void put_swept_cells(FILE *f, const struct report *r,
                            const struct plan_case *c)
{
    for (size_t k = 0; k < plan_columns(r->plan); k++) {
        char text[COLUMN_VALUE_MAX];
        plan_column_text(text, sizeof(text), r->plan, c, k);
        fputs("<td>", f);
        html_text(f, text);
        fputs("</td>", f);
    }
    if (r->designs != NULL && r->designs->cost != NULL)
        fprintf(f, "<td>%.10g</td>", r->designs->cost[c->variant->number]);
}

static void put_data_row(FILE *f, const struct html_page *p, size_t row)
{
    fputs("<tr>", f);
    for (size_t i = 0; i < SHOWN; i++) {
        char buffer[COLUMN_VALUE_MAX];
        const struct estimate_column *c = estimate_column_find(shown[i]);
        bool text = estimate_column_type(c) == ESTIMATE_COLUMN_TEXT;
        fputs(text ? "<td class=\"t\">" : "<td>", f);
        html_text(f, column_value(buffer, c, p->point[row]));
        fputs("</td>", f);
        if (i + 1 == SWEPT_SHOWN_AFTER && p->report != NULL)
            put_swept_cells(f, p->report, p->report->row[row].at);
    }
    fputs("</tr>\n", f);
}

/* Inside a script only "</" and "<!" could end it: every '<' is escaped. */
static void put_json(FILE *f, const struct html_page *p)
{
    char *text = NULL;
    size_t size;
    FILE *m = p->report != NULL ? open_memstream(&text, &size) : NULL;
    if (m == NULL)
        return;
    write_json(m, p->report);
    fclose(m);
    fputs("<script type=\"application/json\" id=\"results\">\n", f);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            fputs("\\u003c", f);
        else
            fputc(*c, f);
    fputs("</script>\n", f);
    free(text);
}

static void put_heads(FILE *f, const struct html_page *p)
{
    for (size_t i = 0; i < SHOWN; i++) {
        const struct estimate_column *c = estimate_column_find(shown[i]);
        bool text = estimate_column_type(c) == ESTIMATE_COLUMN_TEXT;
        fprintf(f,
                "<th%s scope=\"col\"><button type=\"button\">%s</button></th>",
                text ? " class=\"t\"" : "", shown[i]);
        if (i + 1 == SWEPT_SHOWN_AFTER && p->report != NULL)
            put_swept_heads(f, p->report);
    }
}

void html_data(FILE *f, const struct html_page *p)
{
    html_section(f, "data", "Data");
    fprintf(
        f,
        "<p class=\"filter\"><label>Only rows with <input type=\"search\" "
        "size=\"16\"></label> <output>%zu points</output></p>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"data\"><table class=\"data\">\n<caption>All points; a "
        "heading sorts by its column</caption>\n<thead><tr>",
        p->points);
    put_heads(f, p);
    fputs("</tr></thead>\n<tbody>\n", f);
    for (size_t i = 0; i < p->points; i++)
        put_data_row(f, p, i);
    fputs("</tbody></table></div>\n", f);
    put_json(f, p);
    fputs("</section>\n", f);
}
