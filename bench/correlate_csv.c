/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_csv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 64

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t line_size;
    int line_number;
    char *column[MAX_COLUMNS]; /* into line */
    size_t columns;
};

/* The end of the field at `at`, its quotes, if any, taken off: *field is where
 * it begins. */
static char *field_end(char **field, char *at)
{
    *field = at;
    if (*at != '"')
        return at + strcspn(at, ",");
    *field = at + 1;
    char *quote = strchr(*field, '"');
    if (quote == NULL)
        return *field + strlen(*field);
    *quote = '\0';
    return quote + 1;
}

/* The next line, split at its commas. False at the end of the file. */
static bool next_line(struct reader *r)
{
    if (getline(&r->line, &r->line_size, r->file) < 0)
        return false;
    r->line_number++;
    r->line[strcspn(r->line, "\r\n")] = '\0';
    r->columns = 0;
    for (char *at = r->line; at != NULL && r->columns < MAX_COLUMNS;) {
        char *end = field_end(&r->column[r->columns++], at);
        at = *end == ',' ? end + 1 : NULL;
        *end = '\0';
    }
    return true;
}

/* where[i] = the column of field i. */
static bool find_columns(const struct reader *r, size_t *where,
                         const struct csv_field *field, size_t count,
                         struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        size_t c = 0;
        while (c < r->columns && strcmp(r->column[c], field[i].name) != 0)
            c++;
        if (c == r->columns)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:1: found no column '%s', expected one",
                             r->path, field[i].name);
        where[i] = c;
    }
    return true;
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

static bool set_number(const struct reader *r, void *to, const char *text,
                       const struct csv_field *f, struct error *e)
{
    static const char *const expected[] = {[CSV_TEXT] = "",
                                           [CSV_TEXT_OR_NONE] = "",
                                           [CSV_INT] = "a whole number",
                                           [CSV_REAL] = "a positive number",
                                           [CSV_MAY_LACK] =
                                               "a number or nothing"};
    char *end;
    bool lacking = f->type == CSV_MAY_LACK && *text == '\0';
    double v = lacking ? NAN : strtod(text, &end);
    if (!lacking && (end == text || *end != '\0' || !in_range(v, f->type)))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s:%d: found '%s' as %s, expected %s", r->path,
                         r->line_number, text, f->name, expected[f->type]);
    if (f->type == CSV_INT)
        *(int *)to = (int)v;
    else
        *(double *)to = v;
    return true;
}

static bool set_field(const struct reader *r, char *row, const char *text,
                      const struct csv_field *f, struct error *e)
{
    if (f->type != CSV_TEXT && f->type != CSV_TEXT_OR_NONE)
        return set_number(r, row + f->offset, text, f, e);
    size_t least = f->type == CSV_TEXT;
    if (strlen(text) < least || strlen(text) >= f->size)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s:%d: found '%s' as %s, expected %zu to %zu letters",
                         r->path, r->line_number, text, f->name, least,
                         f->size - 1);
    strcpy(row + f->offset, text);
    return true;
}

/* Room for one more row, zeroed; NULL when memory is out. */
static char *grow(char **rows, size_t count, size_t row_size)
{
    char *more = realloc(*rows, (count + 1) * row_size);
    if (more == NULL)
        return NULL;
    *rows = more;
    return memset(more + count * row_size, 0, row_size);
}

static bool read_rows(struct reader *r, char **rows, size_t *count,
                      size_t row_size, const struct csv_field *field,
                      size_t fields, struct error *e)
{
    size_t where[MAX_COLUMNS], columns;
    if (!next_line(r))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s:1: found nothing, expected a header", r->path);
    if (!find_columns(r, where, field, fields, e))
        return false;
    for (columns = r->columns; next_line(r); ++*count) {
        if (r->columns != columns)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:%d: found %zu columns, expected %zu", r->path,
                             r->line_number, r->columns, columns);
        char *row = grow(rows, *count, row_size);
        if (row == NULL)
            return error_no_memory(e);
        for (size_t i = 0; i < fields; i++)
            if (!set_field(r, row, r->column[where[i]], &field[i], e))
                return false;
    }
    return true;
}

bool csv_load(void **rows, size_t *count, size_t row_size, const char *path,
              const struct csv_field *fields, size_t field_count,
              struct error *e)
{
    struct reader r = {.path = path, .file = fopen(path, "r")};
    char *read = NULL;
    size_t n = 0;
    if (r.file == NULL)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    bool ok = read_rows(&r, &read, &n, row_size, fields, field_count, e);
    fclose(r.file);
    free(r.line);
    if (!ok) {
        free(read);
        return false;
    }
    *rows = read;
    *count = n;
    return true;
}
