/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of configurations. */
#include "configs/gpu_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES (1 << 20)

static char *read_stream(FILE *f, const char *path, struct error *e)
{
    char *text = malloc(MAX_FILE_BYTES + 1);
    if (text == NULL) {
        error_no_memory(e);
        return NULL;
    }
    size_t size = fread(text, 1, MAX_FILE_BYTES + 1, f);
    if (ferror(f))
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    else if (size > MAX_FILE_BYTES)
        error_set(e, STATUS_BAD_INPUT,
                  "%s: more than %d bytes, expected a GPU configuration", path,
                  MAX_FILE_BYTES);
    else if (memchr(text, '\0', size) != NULL)
        error_set(e, STATUS_BAD_INPUT, "%s: binary data, expected text", path);
    else {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

char *gpu_read_text(const char *path, struct error *e)
{
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_stream(f, path, e);
    fclose(f);
    return text;
}

char *gpu_path_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder =
        slash != NULL && name[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    char *beside = malloc(folder + strlen(name) + 1);
    if (beside == NULL)
        return NULL;
    memcpy(beside, path, folder);
    memcpy(beside + folder, name, strlen(name) + 1);
    return beside;
}
