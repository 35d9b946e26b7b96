/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (256L << 20) /* bytes of a text */

static char *read_open(FILE *f, const char *path, size_t *size,
                       const char *expected, struct error *e)
{
    long end = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (end < 0 || fseek(f, 0, SEEK_SET) != 0) {
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (end == 0 || end > TEXT_MAX) {
        error_set(e, STATUS_BAD_INPUT, "%s: found %s, expected %s", path,
                  end == 0 ? "an empty file" : "more than 256 MiB", expected);
        return NULL;
    }
    char *text = malloc((size_t)end + 1);
    if (text == NULL) {
        error_no_memory(e);
        return NULL;
    }
    *size = fread(text, 1, (size_t)end, f);
    text[*size] = '\0';
    return text;
}

char *ptx_read_text(const char *path, size_t *size, const char *expected,
                    struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_open(f, path, size, expected, e);
    fclose(f);
    return text;
}

bool ptx_read(struct ptx_module *out, const char *path, struct error *e)
{
    size_t size;
    char *text = ptx_read_text(path, &size, "PTX text", e);
    bool ok = text != NULL && ptx_parse(out, text, size, path, e);
    free(text);
    return ok;
}
