/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels out of a few words, for tests. */
#ifndef TESTS_KERNEL_TEXT_H
#define TESTS_KERNEL_TEXT_H

#include "kernels/file/kernel_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 65536

/* A kernel file of this launch ("grid = 1; block = 32;") and program. */
static inline void kernel_text(char text[TEXT_MAX], const char *launch,
                               const char *program)
{
    int n = snprintf(text, TEXT_MAX,
                     "launch: { registers = 16; %s };\n"
                     "buffers: { x = { bytes = 1000; }; "
                     "y = { bytes = 4; }; };\n"
                     "program = \"\n%s\n\";\n",
                     launch, program);
    ck_assert_int_lt(n, TEXT_MAX);
}

static inline struct kernel *kernel_of(const char *launch, const char *program)
{
    static char text[TEXT_MAX];
    struct error e = {STATUS_OK, ""};
    kernel_text(text, launch, program);
    struct kernel *k =
        kernel_file_parse(text, strlen(text), "test.kernel", NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    return k;
}

static inline void *open_block(const struct kernel *k, uint64_t block)
{
    struct error e;
    void *state = malloc(k->ops->state_size(k));
    ck_assert_ptr_nonnull(state);
    ck_assert(k->ops->open(k, state, block, &e));
    return state;
}

static inline void close_block(const struct kernel *k, void *state)
{
    k->ops->close(k, state);
    free(state);
}

static inline uint64_t step_address(const struct step *s, int lane)
{
    return s->form == ADDR_STRIDE
               ? s->base + (uint64_t)s->stride * (uint64_t)lane
               : s->lane_address[lane];
}

#endif
