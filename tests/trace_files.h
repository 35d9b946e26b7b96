/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of traces share: files in a folder of their own, and streams
 * read back. */
#ifndef TESTS_TRACE_FILES_H
#define TESTS_TRACE_FILES_H

#include "kernels/form/kernel.h"
#include "kernels/trace/trace.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct load_options no_options;

/* A file of the tests as text. */
static inline char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);

    ck_assert_msg(f != NULL, "cannot open %s", path);
    ck_assert(text != NULL && fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    return text;
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    ck_assert(f != NULL && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* Make a folder for a test and go there, and remove it again. */
static inline void enter_folder(char folder[32])
{
    strcpy(folder, "/tmp/test-trace-XXXXXX");
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static inline void remove_folder(const char *folder, const char *const *files)
{
    for (; *files != NULL; files++)
        unlink(*files);
    ck_assert(chdir("/") == 0 && rmdir(folder) == 0);
}

/* text with the first `from` replaced. */
static inline char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    size_t size = strlen(text) + strlen(to) + 1;
    char *out = malloc(size);

    ck_assert_msg(at != NULL, "no \"%s\"", from);
    ck_assert(out != NULL);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to,
             at + strlen(from));
    return out;
}

/* The only kernel of a trace. */
static inline struct kernel *load_one(struct kernel_list *list,
                                      const char *path,
                                      const struct load_options *o)
{
    struct error e;

    ck_assert_msg(trace_load(list, path, o, &e), "%s", e.text);
    ck_assert_uint_eq(list->count, 1);
    return list->kernel[0];
}

static inline void *open_block(const struct kernel *k, uint64_t block)
{
    struct error e;
    void *state = malloc(k->ops->state_size(k));

    ck_assert(state != NULL);
    ck_assert_msg(k->ops->open(k, state, block, &e), "%s", e.text);
    return state;
}

static inline void close_block(const struct kernel *k, void *state)
{
    k->ops->close(k, state);
    free(state);
}

static inline uint64_t lane_address(const struct step *s, int lane)
{
    ck_assert_int_ne(s->form, ADDR_NONE);
    if (s->form == ADDR_LIST)
        return s->lane_address[lane];
    return s->base + (uint64_t)s->stride * (uint64_t)lane;
}

#endif
