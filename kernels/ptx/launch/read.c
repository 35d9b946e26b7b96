/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bundled.h"
#include "kernels/ptx/launch/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_MAX   ((size_t)256 << 20) /* bytes of a text */
#define TEXT_FIRST ((size_t)64 << 10)  /* room to begin with */

struct text {
    char *bytes;
    size_t size, room; /* room for a NUL behind it */
};

/* Room for more bytes; a text may come from a pipe, whose size is not known. */
static bool grow(struct text *t, struct error *e)
{
    size_t room = t->room != 0 ? 2 * t->room : TEXT_FIRST;
    char *grown = realloc(t->bytes, room + 1);
    if (grown == NULL)
        return error_no_memory(e);
    t->bytes = grown;
    t->room = room;
    return true;
}

static bool read_all(struct text *t, FILE *f, const char *path,
                     const char *expected, struct error *e)
{
    size_t got = 1;
    while (got > 0 && t->size <= TEXT_MAX) {
        if (t->size == t->room && !grow(t, e))
            return false;
        got = fread(t->bytes + t->size, 1, t->room - t->size, f);
        t->size += got;
    }
    if (ferror(f) != 0)
        return error_set(e, STATUS_BAD_INPUT, "%s: cannot be read", path);
    t->bytes[t->size] = '\0';
    return (t->size > 0 && t->size <= TEXT_MAX) ||
           error_set(e, STATUS_BAD_INPUT, "%s: found %s, expected %s", path,
                     t->size == 0 ? "an empty file" : "more than 256 MiB",
                     expected);
}

static bool is_bundled_kernel(const char *name)
{
    for (size_t i = 0; i < bundled_kernel_count; i++)
        if (strcmp(bundled_kernels[i].name, name) == 0)
            return true;
    return false;
}

static FILE *open_text(const char *path, const char *expected, struct error *e)
{
    struct stat status;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        if (errno == ENOENT && is_bundled_kernel(path))
            error_set(e, STATUS_BAD_INPUT,
                      "%s: found a bundled kernel that is no PTX, expected %s",
                      path, expected);
        else
            error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fileno(f), &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(e, STATUS_BAD_INPUT, "%s: found a folder, expected %s", path,
                  expected);
        fclose(f);
        return NULL;
    }
    return f;
}

char *ptx_read_text(const char *path, size_t *size, const char *expected,
                    struct error *e)
{
    struct text t = {NULL, 0, 0};
    FILE *f = open_text(path, expected, e);
    if (f == NULL)
        return NULL;
    bool ok = read_all(&t, f, path, expected, e);
    fclose(f);
    if (ok) {
        *size = t.size;
        return t.bytes;
    }
    free(t.bytes);
    return NULL;
}

bool ptx_read(struct ptx_module *out, const char *path, struct error *e)
{
    size_t size;
    char *text = ptx_read_text(path, &size, "PTX text", e);
    bool ok = text != NULL && ptx_parse(out, text, size, path, e);
    free(text);
    return ok;
}
