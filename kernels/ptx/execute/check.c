/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/check.h"

#include "base/arrays.h"
#include "base/short_name.h"

#include <stdarg.h>
#include <stdio.h>

/* Whether it is told of for the first time. */
static bool is_new(struct ptx_checks *c, const struct ptx_op *op)
{
    for (size_t i = 0; i < c->tolds; i++)
        if (c->told[i] == op)
            return false;
    if (array_room(&c->told, c->tolds, 1))
        c->told[c->tolds++] = op;
    return true;
}

static void tell(const struct ptx_block *b, const struct ptx_warp *w,
                 const struct ptx_op *op, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* As ptx_fault() has it. */
static void tell(const struct ptx_block *b, const struct ptx_warp *w,
                 const struct ptx_op *op, const char *format, ...)
{
    struct ptx_checks *c = b->launch->checks;
    char found[256], kernel[64], where[PTX_WHERE_CHARS], text[1024];
    va_list arguments;
    if (!is_new(c, op))
        return;
    va_start(arguments, format);
    vsnprintf(found, sizeof(found), format, arguments);
    va_end(arguments);
    const struct ptx_module *m = b->launch->program->module;
    short_name(kernel, sizeof(kernel), m->function[b->launch->entry].name);
    ptx_where(where, b, op);
    snprintf(text, sizeof(text), "%s: %s: %s: %s (block %llu, warp %u)", kernel,
             where, op->inst->form->mnemonic, found,
             (unsigned long long)b->number, w->index);
    c->tell(c->user, text);
}

static bool is_atomic(const struct ptx_op *op)
{
    return op->action == ACTION_ATOMIC || op->action == ACTION_REDUCE;
}

/* ---- bytes that nothing has written -------------------------------------- */

static void tell_unwritten(struct ptx_block *b, const struct ptx_warp *w,
                           const struct ptx_op *op, const struct ptx_access *a,
                           const char *memory)
{
    tell(b, w, op,
         "lane %d: found %llu bytes at address 0x%llx of %s memory, of which "
         "nothing has written all",
         a->lane, (unsigned long long)a->bytes, (unsigned long long)a->address,
         memory);
}

static void check_global(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, const struct ptx_access *a,
                         uint64_t address)
{
    struct ptx_buffer *of = ptx_memory_live(b->view.memory, address);
    if (of == NULL || of->written == NULL ||
        (b->launch->checks->checks & PTX_CHECK_INIT) == 0)
        return;
    uint64_t at = address - of->address;
    if ((!a->write || a->read_too) && !ptx_buffer_is_written(of, at, a->bytes))
        tell_unwritten(b, w, op, a, "global");
    if (a->write)
        ptx_buffer_set_written(of, at, a->bytes);
}

/* ---- shared memory ------------------------------------------------------- */

static void tell_race(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, const struct ptx_access *a,
                      const struct ptx_op *other, bool wrote, unsigned warp)
{
    char where[PTX_WHERE_CHARS];
    ptx_where(where, b, other);
    tell(b, w, op,
         "lane %d: found that warp %u has %s address 0x%llx of shared memory "
         "at %.100s, with no barrier since",
         a->lane, warp, wrote ? "written" : "read",
         (unsigned long long)a->address, where);
}

static void read_byte(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, const struct ptx_access *a,
                      struct ptx_shadow *s)
{
    bool races =
        s->write != NULL && s->write_epoch == b->epoch && s->writer != w->index;
    if (races && b->orders_all &&
        (b->launch->checks->checks & PTX_CHECK_RACES) != 0)
        tell_race(b, w, op, a, s->write, true, s->writer);
    s->several = s->read != NULL && s->read_epoch == b->epoch &&
                 (s->several || s->reader != w->index);
    s->read = op;
    s->read_epoch = b->epoch;
    s->reader = (uint16_t)w->index;
}

/* Atomics are in no race with each other. */
static void write_byte(struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, const struct ptx_access *a,
                       struct ptx_shadow *s)
{
    bool looks =
        b->orders_all && (b->launch->checks->checks & PTX_CHECK_RACES) != 0;
    bool wrote = s->write != NULL && s->write_epoch == b->epoch &&
                 s->writer != w->index &&
                 !(is_atomic(op) && is_atomic(s->write));
    bool read = s->read != NULL && s->read_epoch == b->epoch &&
                (s->several || s->reader != w->index);
    if (looks && wrote)
        tell_race(b, w, op, a, s->write, true, s->writer);
    else if (looks && read)
        tell_race(b, w, op, a, s->read, false, s->reader);
    s->write = op;
    s->write_epoch = b->epoch;
    s->writer = (uint16_t)w->index;
}

static void check_shared(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, const struct ptx_access *a,
                         uint64_t inside)
{
    bool unwritten = false;
    for (uint64_t i = inside; i < inside + a->bytes; i++) {
        struct ptx_shadow *s = &b->shadow[i];
        unwritten |= s->write == NULL && (!a->write || a->read_too);
        if (!a->write)
            read_byte(b, w, op, a, s);
        else
            write_byte(b, w, op, a, s);
    }
    if (unwritten && (b->launch->checks->checks & PTX_CHECK_INIT) != 0)
        tell_unwritten(b, w, op, a, "shared");
}

void ptx_check(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const struct ptx_access *a,
               enum ptx_space space, uint64_t inside)
{
    if (op->action == ACTION_MBARRIER)
        b->orders_all = false;
    else if (space == PTX_SHARED && b->shadow != NULL &&
             inside >> PTX_RANK_BITS == 0)
        check_shared(b, w, op, a, inside);
    else if (space == PTX_GLOBAL)
        check_global(b, w, op, a, inside);
}
