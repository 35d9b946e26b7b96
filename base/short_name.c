/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/short_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The identifier at "3add", its length in *length; NULL: there is none. */
static const char *identifier(const char *at, size_t *length)
{
    char *end;
    *length = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
    return *length > 0 && *length <= strlen(end) ? end : NULL;
}

/* What nvcc calls a static kernel of one of several objects:
 * "__nv_static_34__", so many characters that tell the object, then its name
 * (nvcc 13.0). */
static const char *without_object(const char *name)
{
    static const char mark[] = "__nv_static_";
    size_t length;
    if (strncmp(name, mark, sizeof(mark) - 1) != 0)
        return name;
    const char *behind = identifier(name + sizeof(mark) - 1, &length);
    if (behind == NULL || strncmp(behind, "__", 2) != 0 ||
        strlen(behind) <= length + 2)
        return name;
    return behind + 2 + length;
}

/* The Itanium C++ ABI, section 5.1.2: "_Z" and "3add", or "N", the scopes and
 * the name one after another. */
void short_name(char *out, size_t size, const char *name)
{
    const char *found = NULL, *next;
    size_t length, found_length = 0;
    name = without_object(name);
    const char *at = strncmp(name, "_Z", 2) == 0 ? name + 2 : "";
    bool nested = *at == 'N';
    at += strspn(at, "NKL");
    while ((next = identifier(at, &length)) != NULL) {
        found = next;
        found_length = length;
        at = next + length;
        if (!nested)
            break;
    }
    if (found != NULL)
        snprintf(out, size, "%.*s", (int)found_length, found);
    else
        snprintf(out, size, "%s", name);
}
