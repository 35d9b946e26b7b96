/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_csv.h"

#include "cli/table_file.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 64

/* where[i] = the column of field i. */
static bool find_columns(const struct table_file *t, int *where,
                         const struct csv_field *field, size_t count,
                         struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        where[i] = table_file_column(t, field[i].name);
        if (where[i] < 0)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:1: found no column '%s', expected one",
                             t->path, field[i].name);
    }
    return true;
}

/* A cell that is read. */
struct cell {
    const struct table_file *table;
    size_t row;
    const char *text;
    const struct csv_field *field;
};

static bool wrong(const struct cell *c, const char *expected, struct error *e)
{
    return error_set(e, STATUS_BAD_INPUT,
                     "%s:%d: found '%s' as %s, expected %s", c->table->path,
                     c->table->line[c->row], c->text, c->field->name, expected);
}

static bool in_range(double v, enum csv_type type)
{
    switch (type) {
    case CSV_INT:
        return v >= 0 && v <= INT_MAX && v == floor(v);
    case CSV_REAL:
        return v > 0 && isfinite(v);
    default:
        return v >= 0 && isfinite(v);
    }
}

static bool set_number(void *to, const struct cell *c, struct error *e)
{
    static const char *const expected[] = {[CSV_TEXT] = "",
                                           [CSV_TEXT_OR_NONE] = "",
                                           [CSV_INT] = "a whole number",
                                           [CSV_REAL] = "a positive number",
                                           [CSV_MAY_LACK] =
                                               "a number or nothing"};
    enum csv_type type = c->field->type;
    char *end;
    bool lacking = type == CSV_MAY_LACK && c->text[0] == '\0';
    double v = lacking ? NAN : strtod(c->text, &end);
    if (!lacking && (end == c->text || *end != '\0' || !in_range(v, type)))
        return wrong(c, expected[type], e);
    if (type == CSV_INT)
        *(int *)to = (int)v;
    else
        *(double *)to = v;
    return true;
}

static bool set_text(char *to, const struct cell *c, struct error *e)
{
    size_t least = c->field->type == CSV_TEXT, most = c->field->size - 1;
    char expected[64];
    snprintf(expected, sizeof(expected), "%zu to %zu letters", least, most);
    if (strlen(c->text) < least || strlen(c->text) > most)
        return wrong(c, expected, e);
    strcpy(to, c->text);
    return true;
}

static bool set_row(char *row, const struct table_file *t, size_t line,
                    const int *where, const struct csv_field *field,
                    size_t fields, struct error *e)
{
    for (size_t i = 0; i < fields; i++) {
        const struct csv_field *f = &field[i];
        struct cell c = {t, line, table_file_cell(t, line, where[i]), f};
        bool text = f->type == CSV_TEXT || f->type == CSV_TEXT_OR_NONE;
        if (!(text ? set_text(row + f->offset, &c, e)
                   : set_number(row + f->offset, &c, e)))
            return false;
    }
    return true;
}

static bool set_rows(void **rows, size_t row_size, const struct table_file *t,
                     const struct csv_field *field, size_t fields,
                     struct error *e)
{
    int where[MAX_FIELDS];
    assert(fields <= MAX_FIELDS);
    if (!find_columns(t, where, field, fields, e))
        return false;
    char *to = calloc(t->rows - 1, row_size);
    bool ok = to != NULL || error_no_memory(e);
    for (size_t i = 1; ok && i < t->rows; i++)
        ok = set_row(to + (i - 1) * row_size, t, i, where, field, fields, e);
    if (ok)
        *rows = to;
    else
        free(to);
    return ok;
}

bool csv_load(void **rows, size_t *count, size_t row_size, const char *path,
              const struct csv_field *fields, size_t field_count,
              struct error *e)
{
    struct table_file t;
    struct estimate_error why;
    bool read = table_file_read(&t, path, &why);
    if (!read)
        error_set(e, (enum status)why.status, "%s", why.text);
    bool ok = read && set_rows(rows, row_size, &t, fields, field_count, e);
    if (ok)
        *count = t.rows - 1;
    table_file_free(&t);
    return ok;
}
