/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RFC 4180, lines ending in a bare newline. */
#include "cli/columns.h"
#include "cli/formats.h"

#include <string.h>

static void put_text(FILE *f, const char *text)
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
    for (size_t i = 0; i < column_count; i++) {
        fprintf(f, "%s%s", i > 0 ? "," : "", columns[i].name);
        for (size_t k = 0; i + 1 == SWEPT_AFTER && k < r->plan->keys; k++)
            fprintf(f, ",%s", r->plan->key[k]->key);
    }
    fputc('\n', f);
}

static void put_value(FILE *f, const struct column *c, const struct row *row)
{
    const char *text = column_text(c, row);
    char number[COLUMN_VALUE_MAX];
    if (text == NULL) {
        column_number(number, c, row);
        text = number;
    }
    put_text(f, text);
}

static void put_row(FILE *f, const struct report *r, const struct row *row)
{
    for (size_t i = 0; i < column_count; i++) {
        if (i > 0)
            fputc(',', f);
        put_value(f, &columns[i], row);
        for (size_t k = 0; i + 1 == SWEPT_AFTER && k < r->plan->keys; k++) {
            char number[COLUMN_VALUE_MAX];
            swept_text(number, r->plan->key[k], row->swept[k]);
            fprintf(f, ",%s", number);
        }
    }
    fputc('\n', f);
}

void write_csv(FILE *f, const struct report *r)
{
    put_header(f, r);
    for (size_t i = 0; i < r->rows; i++)
        put_row(f, r, &r->row[i]);
}
