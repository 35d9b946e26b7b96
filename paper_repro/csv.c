/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/csv.h"

#include <stdbool.h>
#include <string.h>

void csv_write(FILE *f, const char *text)
{
    if (strpbrk(text, ",\"\n") == NULL) {
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

char *csv_next(char **line)
{
    char *in = *line, *out = in, *start = in;
    if (in == NULL)
        return NULL;
    bool quoted = *in == '"';
    for (in += quoted; *in != '\0' && (quoted || (*in != ',' && *in != '\n'));
         in++) {
        if (quoted && *in == '"' && *++in != '"')
            break;
        *out++ = *in;
    }
    *line = *in == ',' ? in + 1 : NULL;
    *out = '\0';
    return start;
}
