/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/table_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 256

/* A file on its way to cells. */
struct scan {
    struct table_file *table;
    char *at;
    int line;
    size_t room; /* of rows */
    struct estimate_error *error;
};

static bool wrong(const struct scan *s, const char *what)
{
    return fail(s->error, ESTIMATE_BAD_INPUT, "%s:%d: %s", s->table->path,
                s->line, what);
}

static bool add_row(struct scan *s)
{
    struct table_file *t = s->table;
    if (t->rows == s->room) {
        size_t room = s->room > 0 ? 2 * s->room : 64;
        void *cell = realloc(t->cell, room * COLUMNS_MAX * sizeof(*t->cell));
        if (cell != NULL)
            t->cell = cell;
        void *line = realloc(t->line, room * sizeof(*t->line));
        if (line != NULL)
            t->line = line;
        if (cell == NULL || line == NULL)
            return fail_no_memory(s->error);
        s->room = room;
    }
    for (size_t i = 0; i < COLUMNS_MAX; i++)
        t->cell[t->rows * COLUMNS_MAX + i] = "";
    t->line[t->rows++] = s->line;
    return true;
}

static bool put_cell(struct scan *s, size_t column, const char *text)
{
    if (column >= COLUMNS_MAX)
        return wrong(s, "too many columns");
    s->table->cell[(s->table->rows - 1) * COLUMNS_MAX + column] = text;
    return true;
}

/* ---- CSV ------------------------------------------------------------------
 */

/* A field in quotes, in place. */
static char *quoted(struct scan *s)
{
    char *to = ++s->at, *text = to;
    for (; *s->at != '\0'; s->at++) {
        if (*s->at == '"' && *++s->at != '"') {
            break;
        }
        s->line += *s->at == '\n';
        *to++ = *s->at;
    }
    char *end = s->at;
    s->at = end;
    if (to < end)
        *to = '\0';
    return text;
}

static char *field(struct scan *s)
{
    if (*s->at == '"')
        return quoted(s);
    char *text = s->at;
    s->at += strcspn(s->at, ",\r\n");
    return text;
}

static bool scan_line(struct scan *s)
{
    bool more = true;
    size_t column = 0;
    if (!add_row(s))
        return false;
    for (; more; column++) {
        char *text = field(s);
        char *end = s->at;
        more = *end == ',';
        bool newline = *end == '\n' || (end[0] == '\r' && end[1] == '\n');
        if (!more && !newline && *end != '\0')
            return wrong(s, "expected a comma behind the quotes");
        if (*end != '\0')
            s->at += *end == '\r' ? 2 : 1;
        *end = '\0';
        if (!put_cell(s, column, text))
            return false;
        if (s->table->rows == 1)
            s->table->columns = column + 1;
        else if (column >= s->table->columns)
            return wrong(s, "more fields than the first line names");
    }
    if (column < s->table->columns)
        return wrong(s, "fewer fields than the first line names");
    s->line++;
    return true;
}

static bool scan_csv(struct scan *s)
{
    while (*s->at != '\0') {
        if (*s->at == '\n' || *s->at == '\r') {
            s->line += *s->at++ == '\n';
            continue;
        }
        if (strncmp(s->at, "==", 2) == 0) { /* Nsight Compute's progress */
            s->at += strcspn(s->at, "\n");
            continue;
        }
        if (!scan_line(s))
            return false;
    }
    return true;
}

/* ---- statistics of GPGPU-Sim and Accel-Sim ---------------------------------
 */

/* The value of "NAME = VALUE" where the line is that, else NULL. */
static char *statistic(char *line, const char *name)
{
    size_t length = strlen(name);
    bool is = strncmp(line, name, length) == 0 &&
              strncmp(line + length, " = ", 3) == 0;
    return is ? line + length + 3 : NULL;
}

/* A launch prints its name, then its cycles. */
static bool scan_statistics(struct scan *s)
{
    const char *name = NULL;
    if (!add_row(s) || !put_cell(s, 0, "Kernel Name") ||
        !put_cell(s, 1, "gpu_sim_cycle"))
        return false;
    s->table->columns = 2;
    for (char *next; *s->at != '\0'; s->at = next, s->line++) {
        next = s->at + strcspn(s->at, "\n");
        if (*next != '\0')
            *next++ = '\0';
        s->at[strcspn(s->at, "\r")] = '\0';
        char *kernel = statistic(s->at, "kernel_name");
        char *cycles = statistic(s->at, "gpu_sim_cycle");
        if (kernel != NULL)
            kernel[strcspn(kernel, " ")] = '\0';
        name = kernel != NULL ? kernel : name;
        if (cycles == NULL || name == NULL)
            continue;
        cycles[strcspn(cycles, " ")] = '\0';
        if (!add_row(s) || !put_cell(s, 0, name) || !put_cell(s, 1, cycles))
            return false;
    }
    return true;
}

/* ---- JSON: flat objects ---------------------------------------------------
 */

static void skip_blanks(struct scan *s)
{
    for (; isspace((unsigned char)*s->at); s->at++)
        s->line += *s->at == '\n';
}

/* A string in place; of escapes those that this program writes. */
static char *json_string(struct scan *s)
{
    char *to = ++s->at, *text = to;
    while (*s->at != '\0' && *s->at != '"') {
        if (*s->at == '\\' && s->at[1] != '\0')
            s->at++;
        *to++ = *s->at++;
    }
    if (*s->at == '"')
        s->at++;
    *to = '\0';
    return text;
}

static size_t column_of(struct scan *s, const char *name)
{
    struct table_file *t = s->table;
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(t->cell[i], name) == 0)
            return i;
    if (t->columns < COLUMNS_MAX)
        t->cell[t->columns++] = name;
    return t->columns - 1;
}

/* "name": value, up to the comma or brace behind it. */
static bool scan_member(struct scan *s, bool *more)
{
    if (*s->at != '"')
        return wrong(s, "expected a name in quotes");
    size_t column = column_of(s, json_string(s));
    skip_blanks(s);
    if (*s->at++ != ':')
        return wrong(s, "expected ':'");
    skip_blanks(s);
    char *text = s->at, *end = NULL;
    if (*s->at == '"') {
        text = json_string(s);
    } else {
        s->at += strcspn(s->at, ",}] \t\r\n");
        end = s->at;
    }
    skip_blanks(s);
    char after = *s->at;
    *more = after == ',';
    if (after != ',' && after != '}')
        return wrong(s, "expected ',' or '}'");
    s->at++;
    if (end != NULL)
        *end = '\0';
    skip_blanks(s);
    return put_cell(s, column, strcmp(text, "null") == 0 ? "" : text);
}

static bool scan_object(struct scan *s)
{
    bool more = true;
    s->at++;
    skip_blanks(s);
    if (!add_row(s))
        return false;
    while (more)
        if (!scan_member(s, &more))
            return false;
    return true;
}

/* The objects of "results", or one after another. */
static bool scan_json(struct scan *s)
{
    char *results = strstr(s->at, "\"results\"");
    if (!add_row(s))
        return false;
    for (; results != NULL && s->at < results; s->at++)
        s->line += *s->at == '\n';
    if (results != NULL) {
        s->at = strchr(results, '[');
        if (s->at == NULL)
            return wrong(s, "expected a list of results");
        s->at++;
    }
    for (skip_blanks(s); *s->at == '{' || *s->at == ','; skip_blanks(s))
        if (*s->at == ',')
            s->at++;
        else if (!scan_object(s))
            return false;
    return true;
}

/* ---- the file -------------------------------------------------------------
 */

static char *read_text(const char *path, struct estimate_error *e)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (f == NULL) {
        fail(e, ESTIMATE_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    ssize_t size = getdelim(&text, &room, '\0', f);
    bool whole = feof(f) && !ferror(f) && size > 0;
    fclose(f);
    if (whole)
        return text;
    free(text);
    fail(e, ESTIMATE_BAD_INPUT, "%s: no text to be read", path);
    return NULL;
}

/* Where the table begins: a program that Nsight Compute looks at prints before
 * it. */
static void begin(struct scan *s)
{
    const char *names = strstr(s->at, "\"ID\",\"Process ID\"");
    while ((names != NULL && s->at < names) || isspace((unsigned char)*s->at))
        s->line += *s->at++ == '\n';
}

bool table_file_read(struct table_file *t, const char *path,
                     struct estimate_error *e)
{
    *t = (struct table_file){.path = path, .text = read_text(path, e)};
    struct scan s = {.table = t, .at = t->text, .line = 1, .error = e};
    if (t->text == NULL)
        return false;
    begin(&s);
    bool statistics = strstr(s.at, "\ngpu_sim_cycle = ") != NULL;
    if (!(*s.at == '{' ? scan_json(&s)
          : statistics ? scan_statistics(&s)
                       : scan_csv(&s)))
        return false;
    return t->rows > 1 ||
           fail(e, ESTIMATE_BAD_INPUT, "%s: there are no rows", path);
}

void table_file_free(struct table_file *t)
{
    free(t->text);
    free(t->cell);
    free(t->line);
}

int table_file_column(const struct table_file *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(t->cell[i], name) == 0)
            return (int)i;
    return -1;
}

const char *table_file_cell(const struct table_file *t, size_t row, int column)
{
    return column < 0 ? "" : t->cell[row * COLUMNS_MAX + (size_t)column];
}
