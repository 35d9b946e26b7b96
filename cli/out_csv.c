/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RFC 4180, lines ending in a bare newline. */
#include "cli/columns.h"
#include "cli/formats.h"

#include <string.h>

void put_csv_text(FILE *f, const char *text)
{
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

static void put_header(FILE *f, const struct report *r)
{
    const struct estimate_column *c;
    for (size_t i = 0; (c = estimate_column(i)) != NULL; i++) {
        fprintf(f, "%s%s", i > 0 ? "," : "", estimate_column_name(c));
        for (size_t k = 0; i + 1 == SWEPT_AFTER && k < plan_columns(r->plan);
             k++)
            fprintf(f, ",%s", plan_column_name(r->plan, k));
    }
    if (r->options->representatives)
        fputs(",launches,times", f);
    if (r->designs != NULL && r->designs->cost != NULL)
        fputs(",cost", f);
    if (r->options->pareto.count > 0)
        fputs(",pareto", f);
    fputc('\n', f);
}

static void put_row(FILE *f, const struct report *r, const struct row *row)
{
    const struct estimate_column *c;
    char value[COLUMN_VALUE_MAX];
    for (size_t i = 0; (c = estimate_column(i)) != NULL; i++) {
        if (i > 0)
            fputc(',', f);
        put_csv_text(f, column_value(value, c, row->point));
        for (size_t k = 0; i + 1 == SWEPT_AFTER && k < plan_columns(r->plan);
             k++) {
            plan_column_text(value, sizeof(value), r->plan, row->at, k);
            fprintf(f, ",%s", value);
        }
    }
    size_t at = row->at->variant->number;
    if (r->options->representatives)
        fprintf(f, ",%zu,%.4f", row->at->stands->launches,
                row->at->stands->times);
    if (r->designs != NULL && r->designs->cost != NULL)
        fprintf(f, ",%.10g", r->designs->cost[at]);
    if (r->options->pareto.count > 0)
        fprintf(f, ",%d", r->designs->front[at]);
    fputc('\n', f);
}

void write_csv_part(FILE *f, const struct report *r, bool first)
{
    if (first)
        put_header(f, r);
    for (size_t i = 0; i < r->rows; i++)
        put_row(f, r, &r->row[i]);
}

void write_csv(FILE *f, const struct report *r)
{
    write_csv_part(f, r, true);
}
