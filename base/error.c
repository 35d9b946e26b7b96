/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_COMPARED 63

bool error_set(struct error *e, enum status status, const char *format, ...)
{
    if (e == NULL)
        return false;
    e->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof(e->text), format, args);
    va_end(args);
    for (char *c = e->text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return false;
}

bool error_no_memory(struct error *e)
{
    return error_set(e, STATUS_FAILED, "out of memory");
}

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein distance of two short names, one row at a time. */
static int edit_distance(const char *a, const char *b)
{
    int row[NAME_MAX_COMPARED + 1];
    int la = (int)strlen(a), lb = (int)strlen(b);
    if (la > NAME_MAX_COMPARED || lb > NAME_MAX_COMPARED)
        return INT_MAX;
    for (int j = 0; j <= lb; j++)
        row[j] = j;
    for (int i = 1; i <= la; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= lb; j++) {
            int above = row[j];
            int cost = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = min3(above + 1, row[j - 1] + 1, diagonal + cost);
            diagonal = above;
        }
    }
    return row[lb];
}

static int common_prefix(const char *a, const char *b)
{
    int n = 0;
    while (a[n] != '\0' && a[n] == b[n])
        n++;
    return n;
}

const char *nearest_name(const char *name, const void *table, size_t count,
                         const char *(*get)(const void *table, size_t i))
{
    const char *best = NULL;
    int best_distance = 1 + (int)strlen(name) / 3, best_prefix = -1;
    for (size_t i = 0; i < count; i++) {
        const char *other = get(table, i);
        int d = edit_distance(name, other), prefix = common_prefix(name, other);
        if (d > best_distance || (d == best_distance && prefix <= best_prefix))
            continue;
        best_distance = d;
        best_prefix = prefix;
        best = other;
    }
    return best;
}
