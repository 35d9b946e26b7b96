/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS   512 /* of a warp, at most */
#define BLOCKS  2
#define KERNELS 4

/* ---- files -------------------------------------------------------------- */

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char folder[64];

static void remove_folder(void)
{
    char command[sizeof(folder) + 16];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

static void make_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%.40s/fuzz-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL || atexit(remove_folder) != 0)
        abort();
}

char *fuzz_file(const char *name, const void *data, size_t size)
{
    if (folder[0] == '\0')
        make_folder();
    size_t room = sizeof(folder) + strlen(name) + 1;
    char *path = malloc(room);
    if (path == NULL)
        abort();
    snprintf(path, room, "%s/%s", folder, name);
    if (name[0] == '\0')
        return path;
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    return path;
}

/* ---- kernels ------------------------------------------------------------ */

static void read_block(const struct kernel *k, void *state, uint64_t block)
{
    struct error e;
    struct step s;
    if (!k->ops->open(k, state, block, &e))
        return;
    for (uint32_t w = k->warps_per_block; w-- > 0;)
        for (int n = 0; n < STEPS && k->ops->next(k, state, w, &s); n++)
            ;
    k->ops->close(k, state);
}

static void read_streams(struct kernel *k)
{
    struct error e;
    void *state = malloc(k->ops->state_size(k));
    if (state == NULL || !phases_analyse(k, 0, &e)) {
        free(state);
        return;
    }
    for (uint64_t b = 0; b < k->blocks && b < BLOCKS; b++)
        read_block(k, state, b);
    read_block(k, state, k->blocks - 1);
    kernel_streams_check(k, &e);
    free(state);
}

void fuzz_kernels(const struct kernel_list *list)
{
    for (size_t i = 0; i < list->count && i < KERNELS; i++)
        read_streams(list->kernel[i]);
}
