/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_text.h"

#include "chart/svg.h"

#include <string.h>

#define PART_MAX 2048

/* The next +- or arrow, NULL: none. */
static const char *next_sign(const char *text)
{
    const char *half = strstr(text, "+-"), *arrow = strstr(text, "->");
    return half == NULL || (arrow != NULL && arrow < half) ? arrow : half;
}

void html_text(FILE *f, const char *text)
{
    const char *sign;
    char part[PART_MAX];
    while ((sign = next_sign(text)) != NULL) {
        snprintf(part, sizeof(part), "%.*s", (int)(sign - text), text);
        svg_escape(f, part);
        fputs(*sign == '+' ? "&#177;" : "&#8594;", f);
        text = sign + 2;
    }
    svg_escape(f, text);
}

void html_paragraph(FILE *f, const char *class_name, const char *text)
{
    fprintf(f, class_name[0] != '\0' ? "<p class=\"%s\">" : "<p>%s",
            class_name);
    html_text(f, text);
    fputs("</p>\n", f);
}

void html_section(FILE *f, const char *id, const char *title)
{
    fprintf(f, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

void html_chart(FILE *f, const struct chart *c)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"",
          f);
    html_text(f, c->title);
    fputs("\">", f);
    chart_write(f, c);
    fputs("</div>\n", f);
}
