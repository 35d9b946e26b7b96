/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What PTX becomes: instructions by class, a letter each. What is expected is
 * what machine code needs: operands in constant memory, offsets of addresses,
 * IMAD and LEA (CUDA Binary Utilities, "Instruction Set Reference"). */
#ifndef TESTS_PTX_LOWERED_H
#define TESTS_PTX_LOWERED_H

#include "kernels/ptx/launch/ptx_kernel.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXT_MAX 65536

/* A multiply-add in place of a move is as good as that but in test_balance. */
static const char letters[OP_CLASSES + 1] = "imfsdtbxzelwaci";

/* The entry k(u64 b, u32 n) with this body behind a module's first lines, for
 * so many registers. */
static inline const struct kernel *load_with(struct kernel_list *list,
                                             const char *head, const char *body,
                                             uint32_t registers)
{
    char path[] = "/tmp/test_ptx_XXXXXX", text[TEXT_MAX];
    static const char *const arg[] = {"buf:4096:u32:iota", "5"};
    const struct load_options o = {.launch.grid = {2, 1, 1},
                                   .launch.block = {64, 1, 1},
                                   .ptx.arg = arg,
                                   .ptx.args = 2,
                                   .launch.regs_per_thread = registers};
    struct error e = {STATUS_OK, ""};
    int length = snprintf(text, sizeof(text),
                          "%s.const .align 8 .b8 c[64]; "
                          ".visible .entry k(.param .u64 b, .param .u32 n)\n"
                          "{ .reg .pred %%p<9>; .reg .b32 %%r<99>;\n"
                          ".reg .b64 %%d<99>; .reg .f32 %%f<99>;\n"
                          ".reg .f64 %%g<9>; .shared .align 4 .b8 s[4096];\n"
                          "ld.param.u64 %%d0, [b]; cvta.to.global.u64 %%d1, "
                          "%%d0;\nmov.u32 %%r0, %%tid.x;\n%s\nret; }\n",
                          head, body);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, (size_t)length), length);
    close(fd);
    *list = (struct kernel_list){0};
    ck_assert_msg(ptx_kernel_load(list, path, &o, &e), "%s", e.text);
    remove(path);
    return list->kernel[0];
}

static inline const struct kernel *
load_for(struct kernel_list *list, const char *body, uint32_t registers)
{
    return load_with(list, PTX_HEAD, body, registers);
}

static inline const struct kernel *load(struct kernel_list *list,
                                        const char *body)
{
    return load_for(list, body, 0);
}

static inline void classes_of(const struct kernel *k, char *out)
{
    for (uint32_t i = 0; i < k->inst_count; i++)
        *out++ = letters[k->inst[i].op];
    *out = '\0';
}

static inline void must_become(const char *body, const char *expected)
{
    struct kernel_list list;
    char found[TEXT_MAX];
    classes_of(load(&list, body), found);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nbecame   %s\nexpected %s",
                  body, found, expected);
    kernel_list_free(&list);
}

#endif
