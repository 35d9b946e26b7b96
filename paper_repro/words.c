/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/words.h"

#include <stdio.h>
#include <string.h>

bool next_word(char *out, size_t size, const char **list)
{
    *list += strspn(*list, " ");
    size_t n = strcspn(*list, " ");
    snprintf(out, size, "%.*s", (int)n, *list);
    *list += n;
    return n > 0;
}
