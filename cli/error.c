/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool fail(struct estimate_error *e, enum estimate_status status,
          const char *format, ...)
{
    va_list arguments;
    if (e == NULL)
        return false;
    e->status = (int)status;
    va_start(arguments, format);
    vsnprintf(e->text, sizeof(e->text), format, arguments);
    va_end(arguments);
    for (char *c = e->text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return false;
}

bool fail_no_memory(struct estimate_error *e)
{
    return fail(e, ESTIMATE_FAILED, "out of memory");
}

const char *nearest_row(const char *name, const void *table, size_t count,
                        const char *(*get)(const void *table, size_t i))
{
    const char **names = calloc(count, sizeof(*names));
    if (names == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        names[i] = get(table, i);
    const char *near = estimate_nearest(name, names, count);
    free(names);
    return near;
}
