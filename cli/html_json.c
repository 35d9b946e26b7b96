/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * { "schema_version": 1, "metadata": {...}, "same": {column: value},
 * "results": [{column: value}] }: what --format json has, but what all points
 * have alike once. */
#include "cli/formats.h"
#include "cli/html_sections.h"

#include <stdlib.h>
#include <string.h>

/* Without zeros at the end of a fraction; empty is not known. */
static void put_number(FILE *f, const char *text)
{
    size_t n = strlen(text);
    if (strchr(text, '.') != NULL && strpbrk(text, "eE") == NULL) {
        while (text[n - 1] == '0')
            n--;
        n -= text[n - 1] == '.';
    }
    fprintf(f, "%.*s", n > 0 ? (int)n : 4, n > 0 ? text : "null");
}

static void put_value(FILE *f, const struct html_page *p,
                      const struct html_column *c, size_t point)
{
    char buffer[COLUMN_VALUE_MAX];
    const char *text = html_column_text(buffer, c, p, point);
    if (c->text)
        put_json_text(f, text);
    else
        put_number(f, text);
}

/* What tells a point from others stands with each, whatever they share. */
static bool is_of_all(const struct html_column *c)
{
    static const char *const each[] = {"kernel", "gpu", "tb", "sched",
                                       "cycles"};
    for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
        if (strcmp(c->name, each[i]) == 0)
            return false;
    return c->same;
}

/* Of a point, those of which all points have one value or the others. */
static void put_row(FILE *f, const struct html_page *p, bool of_all,
                    size_t point)
{
    const char *before = "{";
    for (size_t i = 0; i < p->columns->count; i++) {
        const struct html_column *c = &p->columns->at[i];
        if (is_of_all(c) != of_all)
            continue;
        fputs(before, f);
        put_json_text(f, c->name);
        fputc(':', f);
        put_value(f, p, c, point);
        before = ",";
    }
    fputs(before[0] == '{' ? "{}" : "}", f);
}

static void put_all(FILE *f, const struct html_page *p)
{
    fprintf(f, "{\n\"schema_version\": %d,\n", JSON_SCHEMA_VERSION);
    if (p->report != NULL)
        put_json_metadata(f, p->report, p->report->designs == NULL);
    fputs("\"same\": ", f);
    put_row(f, p, true, 0);
    for (size_t i = 0; i < p->points; i++) {
        fputs(i > 0 ? ",\n" : ",\n\"results\": [\n", f);
        put_row(f, p, false, i);
    }
    fputs("]}\n", f);
}

/* Inside a script only "</" and "<!" could end it: every '<' is escaped. */
void html_json(FILE *f, const struct html_page *p)
{
    char *text = NULL;
    size_t size;
    FILE *m = open_memstream(&text, &size);
    if (m == NULL)
        return;
    put_all(m, p);
    fclose(m);
    fputs("<script type=\"application/json\" id=\"results\">", f);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '<')
            fputs("\\u003c", f);
        else
            fputc(*c, f);
    fputs("</script>\n", f);
    free(text);
}
