/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Itanium C++ ABI, section 3.4: a C function of every C++ runtime. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length,
                     int *status);

void name_text(char *out, size_t size, const char *name, bool mangled)
{
    int status = -1;
    char *text = NULL;
    if (!mangled && strncmp(name, "_Z", 2) == 0)
        text = __cxa_demangle(name, NULL, NULL, &status);
    snprintf(out, size, "%s", status == 0 && text != NULL ? text : name);
    free(text);
}

void name_cut(char *out, size_t size, const char *name, int width)
{
    if ((int)strlen(name) <= width)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%.*s..", width - 2, name);
}
