/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measured.h"

#include "cli/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the cycles of a launch are called: on the details page, the metric it
 * shows there, that of one SM, and in statistics. */
static const char *const cycle_names[] = {
    "Elapsed Cycles",         "gpc__cycles_elapsed.max",
    "sm__cycles_elapsed.max", "gpc__cycles_elapsed.avg",
    "sm__cycles_elapsed.avg", "gpu_sim_cycle",
};
#define CYCLE_NAMES (sizeof(cycle_names) / sizeof(cycle_names[0]))

bool measured_is(const struct table_file *t)
{
    return table_file_column(t, "Kernel Name") >= 0;
}

static bool is_cycles(const char *name)
{
    for (size_t i = 0; i < CYCLE_NAMES; i++)
        if (strcmp(name, cycle_names[i]) == 0)
            return true;
    return false;
}

/* The column of cycles, -1: rows are of metrics, or of none that says them. */
static int cycles_column(const struct table_file *t)
{
    for (size_t i = 0; i < CYCLE_NAMES; i++)
        if (table_file_column(t, cycle_names[i]) >= 0)
            return table_file_column(t, cycle_names[i]);
    return -1;
}

static const char *cell(const struct table_file *t, size_t row,
                        const char *column)
{
    return table_file_cell(t, row, table_file_column(t, column));
}

/* The cycles that a row says, "" where it says none. */
static const char *cycles_text(const struct table_file *t, size_t row,
                               int column)
{
    if (column >= 0)
        return table_file_cell(t, row, column);
    return is_cycles(cell(t, row, "Metric Name")) ? cell(t, row, "Metric Value")
                                                  : "";
}

/* A number with commas between thousands. */
static bool parse_cycles(const char *text, double *out)
{
    char digits[64], *end;
    size_t n = 0;
    for (; *text != '\0' && n + 1 < sizeof(digits); text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = '\0';
    *out = strtod(digits, &end);
    return n > 0 && *end == '\0' && *out > 0;
}

static void add(struct measured *list, size_t *count, const struct measured *m)
{
    size_t i = 0;
    while (i < *count && (strcmp(list[i].name, m->name) != 0 ||
                          strcmp(list[i].grid, m->grid) != 0 ||
                          strcmp(list[i].block, m->block) != 0))
        i++;
    if (i == *count)
        list[(*count)++] = *m;
    struct measured *to = &list[i];
    to->launches++;
    to->cycles += (m->cycles - to->cycles) / (double)to->launches;
}

bool measured_read(struct measured **out, size_t *count,
                   const struct table_file *t, struct estimate_error *e)
{
    int column = cycles_column(t);
    *count = 0;
    *out = calloc(t->rows, sizeof(**out));
    if (*out == NULL)
        return fail_no_memory(e);
    for (size_t row = 1; row < t->rows; row++) {
        struct measured m = {.name = cell(t, row, "Kernel Name"),
                             .grid = cell(t, row, "Grid Size"),
                             .block = cell(t, row, "Block Size"),
                             .row = row};
        const char *cycles = cycles_text(t, row, column);
        /* The row of units behind the names of --page raw has no kernel. */
        if (m.name[0] == '\0' || cycles[0] == '\0')
            continue;
        if (!parse_cycles(cycles, &m.cycles))
            return fail(e, ESTIMATE_BAD_INPUT,
                        "%s:%d: expected cycles above 0, found '%s'", t->path,
                        t->line[row], cycles);
        add(*out, count, &m);
    }
    return *count > 0 ||
           fail(e, ESTIMATE_BAD_INPUT,
                "%s: no launch with cycles, such as Elapsed Cycles or "
                "gpc__cycles_elapsed.max",
                t->path);
}

/* "add" of "void ns::add<int>(int*)" or "_Z3addi". */
static void function_of(char out[NAME_BYTES], const char *name)
{
    char text[NAME_BYTES];
    name_text(text, sizeof(text), name, false);
    text[strcspn(text, "(<")] = '\0';
    const char *at = text;
    for (const char *p = text; *p != '\0'; p++)
        if (*p == ' ' || *p == ':')
            at = p + 1;
    snprintf(out, NAME_BYTES, "%s", at);
}

bool measured_same_name(const char *a, const char *b)
{
    char x[NAME_BYTES], y[NAME_BYTES];
    function_of(x, a);
    function_of(y, b);
    return strcmp(x, y) == 0;
}
