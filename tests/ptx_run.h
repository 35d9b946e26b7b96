/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running small PTX texts in tests. */
#ifndef TESTS_PTX_RUN_H
#define TESTS_PTX_RUN_H

#include "kernels/ptx/launch/launch.h"

#include <check.h>
#include <string.h>

struct ptx_run {
    struct ptx_module module;
    struct ptx_session session;
    struct ptx_totals totals;
};

/* Parse, launch `grid` blocks of `block` threads with these --arg texts
 * (NULL-terminated) and run them all. False with e set. */
static inline bool ptx_try(struct ptx_run *r, const char *text, uint32_t grid,
                           uint32_t block, const char *const *arg,
                           struct error *e)
{
    struct ptx_request request = {
        .grid = {grid, 1, 1}, .block = {block, 1, 1}, .arg = arg, .seed = 1};
    while (arg[request.args] != NULL)
        request.args++;
    if (!ptx_parse(&r->module, text, strlen(text), "t.ptx", e))
        return false;
    if (!ptx_session_open(&r->session, &r->module, &request, e)) {
        ptx_module_free(&r->module);
        return false;
    }
    if (ptx_session_run(&r->session, &r->totals, e))
        return true;
    ptx_session_close(&r->session);
    ptx_module_free(&r->module);
    return false;
}

static inline void ptx_must_run(struct ptx_run *r, const char *text,
                                uint32_t grid, uint32_t block,
                                const char *const *arg)
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(ptx_try(r, text, grid, block, arg, &e), "%s", e.text);
}

/* The bytes that the buffer of that name holds now. */
static inline void ptx_take(struct ptx_run *r, const char *name, void *out,
                            size_t bytes)
{
    const struct ptx_buffer *b = ptx_memory_named(&r->session.memory, name);
    ck_assert_ptr_nonnull(b);
    ck_assert_uint_ge(b->bytes, bytes);
    ck_assert(ptx_memory_read(&r->session.memory,
                              (size_t)(b - r->session.memory.buffer), 0, out,
                              bytes));
}

static inline void ptx_done(struct ptx_run *r)
{
    ptx_session_close(&r->session);
    ptx_module_free(&r->module);
}

#define PTX_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

#endif
