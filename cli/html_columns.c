/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_columns.h"

#include <stdlib.h>
#include <string.h>

#define ADDED 4 /* columns behind the library's and the swept ones */

static const struct plan_case *case_of(const struct html_page *p, size_t point)
{
    return p->report->row[point].at;
}

static const char *swept_value(char buffer[COLUMN_VALUE_MAX],
                               const struct html_page *p, size_t point,
                               size_t key, bool *text)
{
    *text = plan_column_text(buffer, COLUMN_VALUE_MAX, p->report->plan,
                             case_of(p, point), key);
    return buffer;
}

const char *html_column_text(char buffer[COLUMN_VALUE_MAX],
                             const struct html_column *c,
                             const struct html_page *p, size_t point)
{
    const struct plan_case *at = c->of == HTML_OF_POINT || c->of == HTML_OF_FILE
                                     ? NULL
                                     : case_of(p, point);
    bool text;
    switch (c->of) {
    case HTML_OF_POINT:
        return column_value(buffer, c->column, p->point[point]);
    case HTML_SWEPT:
        return swept_value(buffer, p, point, c->number, &text);
    case HTML_LAUNCHES:
        snprintf(buffer, COLUMN_VALUE_MAX, "%zu", at->stands->launches);
        break;
    case HTML_TIMES:
        snprintf(buffer, COLUMN_VALUE_MAX, "%.4f", at->stands->times);
        break;
    case HTML_COST:
        snprintf(buffer, COLUMN_VALUE_MAX, "%.10g",
                 p->report->designs->cost[at->variant->number]);
        break;
    case HTML_FRONT:
        snprintf(buffer, COLUMN_VALUE_MAX, "%d",
                 p->report->designs->front[at->variant->number]);
        break;
    case HTML_OF_FILE:
        return table_file_cell(p->table, point + 1, (int)c->number);
    }
    return buffer;
}

static bool is_same(const struct html_column *c, const struct html_page *p)
{
    char first[COLUMN_VALUE_MAX], other[COLUMN_VALUE_MAX];
    const char *text = html_column_text(first, c, p, 0);
    for (size_t i = 1; i < p->points; i++)
        if (strcmp(text, html_column_text(other, c, p, i)) != 0)
            return false;
    return true;
}

static void add(struct html_columns *out, const struct html_page *p,
                struct html_column c)
{
    c.same = is_same(&c, p);
    out->at[out->count++] = c;
}

/* ---- of results ----------------------------------------------------------
 */

static void add_swept(struct html_columns *out, const struct html_page *p)
{
    const struct plan *plan = p->report->plan;
    char buffer[COLUMN_VALUE_MAX];
    for (size_t k = 0; k < plan_columns(plan); k++) {
        struct html_column c = {.of = HTML_SWEPT,
                                .name = plan_column_name(plan, k),
                                .number = k,
                                .swept = true};
        swept_value(buffer, p, 0, k, &c.text);
        add(out, p, c);
    }
}

static void add_named(struct html_columns *out, const struct html_page *p,
                      enum html_column_of of, const char *name)
{
    add(out, p, (struct html_column){.of = of, .name = name});
}

static size_t results_columns(const struct html_page *p)
{
    size_t most = 0;
    while (estimate_column(most) != NULL)
        most++;
    return most + plan_columns(p->report->plan) + ADDED;
}

static void of_results(struct html_columns *out, const struct html_page *p)
{
    const struct report *r = p->report;
    const struct estimate_column *c;
    for (size_t i = 0; (c = estimate_column(i)) != NULL; i++) {
        add(out, p,
            (struct html_column){.of = HTML_OF_POINT,
                                 .name = estimate_column_name(c),
                                 .column = c,
                                 .text = estimate_column_type(c) ==
                                         ESTIMATE_COLUMN_TEXT});
        if (i + 1 == SWEPT_AFTER)
            add_swept(out, p);
    }
    if (r->options->representatives) {
        add_named(out, p, HTML_LAUNCHES, "launches");
        add_named(out, p, HTML_TIMES, "times");
    }
    if (r->designs != NULL && r->designs->cost != NULL)
        add_named(out, p, HTML_COST, "cost");
    if (r->designs != NULL && r->options->pareto.count > 0)
        add_named(out, p, HTML_FRONT, "pareto");
}

/* ---- of a file -----------------------------------------------------------
 */

static const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* As JSON has it, or not known. */
static bool is_number(const char *text)
{
    if (*text == '\0')
        return true;
    text += *text == '-';
    const char *end = *text == '0' ? text + 1 : skip_digits(text);
    bool digits = end > text;
    if (*end == '.') {
        text = end + 1;
        end = skip_digits(text);
        digits &= end > text;
    }
    if (*end == 'e' || *end == 'E') {
        text = end + 1 + (end[1] == '-' || end[1] == '+');
        end = skip_digits(text);
        digits &= end > text;
    }
    return digits && *end == '\0';
}

/* What is not a point's is a swept key, but for what is derived. */
static bool names_swept(const char *name)
{
    static const char *const derived[] = {"launches", "times", "cost",
                                          "pareto"};
    for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
        if (strcmp(name, derived[i]) == 0)
            return false;
    return estimate_column_find(name) == NULL;
}

static void of_file(struct html_columns *out, const struct html_page *p)
{
    for (size_t i = 0; i < p->table->columns; i++) {
        struct html_column c = {.of = HTML_OF_FILE,
                                .name = table_file_cell(p->table, 0, (int)i),
                                .number = i};
        c.swept = names_swept(c.name);
        for (size_t row = 1; row <= p->points; row++)
            c.text |= !is_number(table_file_cell(p->table, row, (int)i));
        add(out, p, c);
    }
}

bool html_columns_create(struct html_columns *out, const struct html_page *p)
{
    size_t most = p->table != NULL ? p->table->columns : results_columns(p);
    *out = (struct html_columns){.at = calloc(most, sizeof(*out->at))};
    if (out->at == NULL)
        return false;
    (p->table != NULL ? of_file : of_results)(out, p);
    return true;
}

void html_columns_free(struct html_columns *c)
{
    free(c->at);
}

const struct html_column *html_columns_find(const struct html_columns *c,
                                            const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->at[i].name, name) == 0)
            return &c->at[i];
    return NULL;
}
