/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/access.h"

#include "base/wide.h"
#include "kernels/ptx/execute/addresses.h"
#include "kernels/ptx/execute/apart.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ptx_where(char out[PTX_WHERE_CHARS], const struct ptx_block *b,
               const struct ptx_op *op)
{
    const struct ptx_inst *i = op->inst;
    char source[32] = "";
    if (i->source_line > 0)
        snprintf(source, sizeof(source), " (source line %u)", i->source_line);
    snprintf(out, PTX_WHERE_CHARS, "%.400s:%u:%u%s",
             b->launch->program->module->path, i->line, i->column, source);
}

bool ptx_fault(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const char *format, ...)
{
    char found[256], where[PTX_WHERE_CHARS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found, sizeof(found), format, arguments);
    va_end(arguments);
    b->failed = true;
    ptx_where(where, b, op);
    return error_set(b->e, STATUS_BAD_INPUT, "%s: %s: %s (block %llu, warp %u)",
                     where, op->inst->form->mnemonic, found,
                     (unsigned long long)b->number, w->index);
}

bool ptx_lanes_missing(struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op)
{
    return ptx_fault(b, w, op, "found lanes missing, expected all 32");
}

bool ptx_no_memory(struct ptx_block *b)
{
    b->failed = true;
    return error_no_memory(b->e);
}

FOR_PROCESSORS("avx2")
static void write_some(uint64_t *d, uint32_t mask, const uint64_t *value)
{
    TURNS_APART
    for (uint64_t i = 0; i < WARP_LANES; i++) {
        uint64_t keep = ((uint64_t)mask >> i & 1) - 1; /* all bits or none */
        d[i] = (d[i] & keep) | (value[i] & ~keep);
    }
}

void ptx_write(const struct ptx_block *b, const struct ptx_warp *w,
               int32_t slot, uint32_t mask, const uint64_t *value)
{
    if (slot == PTX_SLOT_NONE)
        return;
    uint64_t *d = ptx_slot(b, w, slot);
    if (mask == UINT32_MAX)
        memcpy(d, value, WARP_LANES * sizeof(*d));
    else
        write_some(d, mask, value);
}

/* ---- addresses ---------------------------------------------------------- */

enum ptx_space ptx_space_of_generic(uint64_t *address)
{
    static const struct {
        uint64_t window;
        enum ptx_space space;
    } windows[] = {{PTX_SHARED_WINDOW, PTX_SHARED},
                   {PTX_LOCAL_WINDOW, PTX_LOCAL},
                   {PTX_PARAM_WINDOW, PTX_PARAM}};
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
        if (*address - windows[i].window < PTX_WINDOW) {
            *address -= windows[i].window;
            return windows[i].space;
        }
    }
    return PTX_GLOBAL;
}

struct ptx_block *ptx_owner_of_shared(struct ptx_block *b, uint64_t *address)
{
    uint64_t rank = *address >> PTX_RANK_BITS;
    if (rank == 0)
        return b;
    *address &= (UINT64_C(1) << PTX_RANK_BITS) - 1;
    return rank <= b->peers ? b->peer[rank - 1] : NULL;
}

/* What is farther from a buffer says nothing of it. */
#define NEAR_BYTES (UINT64_C(1) << 20)

static const char *const space_name[] = {
    [PTX_GENERIC] = "memory",
    [PTX_GLOBAL] = "every buffer",
    [PTX_SHARED] = "the block's shared memory",
    [PTX_LOCAL] = "the thread's local memory",
    [PTX_PARAM] = "the parameters",
};

/* How far `address` is from the bytes of a buffer; it is not among them. */
static uint64_t distance(const struct ptx_buffer *of, uint64_t address)
{
    return address < of->address ? of->address - address
                                 : address - (of->address + of->bytes);
}

#define NEAREST_CHARS 96

/* " and N bytes behind the M at ..": the buffer that is nearest. */
static void say_nearest(char out[NEAREST_CHARS], const struct ptx_memory *m,
                        uint64_t address)
{
    const struct ptx_buffer *near = NULL;
    out[0] = '\0';
    for (size_t i = 0; i < m->buffers; i++)
        if (m->buffer[i].bytes > 0 &&
            (near == NULL ||
             distance(&m->buffer[i], address) < distance(near, address)))
            near = &m->buffer[i];
    if (near != NULL && distance(near, address) < NEAR_BYTES)
        snprintf(out, NEAREST_CHARS, " and %llu bytes %s the %llu at 0x%llx",
                 (unsigned long long)distance(near, address),
                 address < near->address ? "before" : "behind",
                 (unsigned long long)near->bytes,
                 (unsigned long long)near->address);
}

static uint8_t *outside(struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, const struct ptx_access *a,
                        enum ptx_space space)
{
    char nearest[NEAREST_CHARS] = "";
    if (space == PTX_GLOBAL)
        say_nearest(nearest, b->view.memory, a->address);
    if (b->view.failure != NULL)
        error_set(b->e, STATUS_FAILED, "%s", b->view.failure);
    else
        ptx_fault(b, w, op,
                  "lane %d: found %llu bytes at address 0x%llx, outside %s%s",
                  a->lane, (unsigned long long)a->bytes,
                  (unsigned long long)a->address, space_name[space], nearest);
    b->failed = true;
    return NULL;
}

static uint8_t *misaligned(struct ptx_block *b, const struct ptx_warp *w,
                           const struct ptx_op *op, const struct ptx_access *a)
{
    ptx_fault(
        b, w, op, "lane %d: found address 0x%llx, expected a multiple of %llu",
        a->lane, (unsigned long long)a->address, (unsigned long long)a->bytes);
    return NULL;
}

void ptx_forget_stretches(struct ptx_block *b)
{
    for (size_t i = 0; i < PTX_STRETCHES; i++)
        b->stretch[i].bytes = NULL;
}

/* The grid's workspace. */
static bool find_workspace(struct ptx_block *b, uint64_t address,
                           struct ptx_stretch *out)
{
    const struct ptx_launch *l = b->launch;
    if (l->workspace == 0 || address - l->workspace >= PTX_GRID_BYTES)
        return false;
    b->looked = l->workspace_bytes != NULL;
    *out = (struct ptx_stretch){.bytes = b->looked ? l->workspace_bytes
                                                   : b->workspace,
                                .start = l->workspace,
                                .limit = PTX_GRID_BYTES,
                                .writable = true,
                                .use = &b->view.no_use};
    return true;
}

/* The stretch that holds the bytes from `address` on, or NULL. An instruction
 * mostly goes on where it was. */
static struct ptx_stretch *stretch_at(struct ptx_block *b,
                                      const struct ptx_op *op, uint64_t address,
                                      uint64_t bytes, bool write)
{
    size_t number = (size_t)(op - b->launch->program->op);
    struct ptx_stretch *s = &b->stretch[number & (PTX_STRETCHES - 1)];
    if (s->bytes == NULL || s->start == PTX_GRID_WINDOW ||
        address - s->start >= s->limit || (write && !s->writable)) {
        struct ptx_stretch found;
        if (!ptx_view_find(&b->view, address, write, &found) &&
            !find_workspace(b, address, &found))
            return NULL;
        if (found.moved)
            ptx_forget_stretches(b);
        *s = found;
    }
    return bytes <= s->limit - (address - s->start) ? s : NULL;
}

static void note_use(const struct ptx_stretch *s, const struct ptx_access *a)
{
    *s->use |= (a->write ? PTX_USE_WRITTEN : PTX_USE_READ) |
               (a->read_too ? PTX_USE_READ : 0u);
}

/* Note what an access does to bytes of a stretch. */
static void note(const struct ptx_stretch *s, uint64_t address, uint64_t bytes,
                 const struct ptx_access *a)
{
    note_use(s, a);
    if (s->chunk != NULL && (!a->write || a->read_too))
        ptx_chunk_read(s->chunk, address, bytes);
    if (s->chunk != NULL && a->write)
        ptx_chunk_write(s->chunk, address, bytes);
}

static uint8_t *global_bytes(struct ptx_block *b, const struct ptx_op *op,
                             uint64_t address, const struct ptx_access *a)
{
    const struct ptx_stretch *s =
        stretch_at(b, op, address, a->bytes, a->write);
    if (s == NULL)
        return NULL;
    note(s, address, a->bytes, a);
    return s->bytes + (address - s->start);
}

static uint8_t *within(uint8_t *memory, uint64_t size, uint64_t address,
                       uint64_t bytes)
{
    return address < size && bytes <= size - address ? memory + address : NULL;
}

uint8_t *ptx_bytes_at(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, const struct ptx_access *a)
{
    uint8_t *at;
    struct ptx_block *owner;
    uint64_t inside = a->address;
    enum ptx_space space = a->space;
    if ((a->address & (a->bytes - 1)) != 0)
        return misaligned(b, w, op, a);
    if (space == PTX_GENERIC)
        space = ptx_space_of_generic(&inside);
    switch (space) {
    case PTX_SHARED:
        owner = ptx_owner_of_shared(b, &inside);
        at = owner == NULL ? NULL
                           : within(owner->shared, ptx_shared_room(b->launch),
                                    inside, a->bytes);
        break;
    case PTX_LOCAL:
        at = within(w->local + (uint64_t)a->lane * w->local_bytes,
                    w->local_bytes, inside, a->bytes);
        break;
    case PTX_PARAM:
        at = within(b->launch->param, b->launch->param_bytes, inside, a->bytes);
        break;
    default:
        at = global_bytes(b, op, inside, a);
        break;
    }
    if (at == NULL)
        return outside(b, w, op, a, space);
    if (b->launch->checks != NULL)
        b->launch->check(b, w, op, a, space, inside);
    return at;
}

/* ---- all lanes at once --------------------------------------------------- */

/* The one space that all generic addresses are in, and its window; PTX_GENERIC:
 * there is none. */
static enum ptx_space space_of_extent(const struct ptx_extent *x,
                                      uint64_t *window)
{
    uint64_t low = x->low, high = x->high;
    enum ptx_space space = ptx_space_of_generic(&low);
    *window = x->low - low;
    return ptx_space_of_generic(&high) == space ? space : PTX_GENERIC;
}

static void note_each(struct ptx_chunk *c, const uint64_t *address,
                      const struct ptx_access *a, uint32_t mask)
{
    for (; mask != 0; mask &= mask - 1) {
        uint64_t at = address[__builtin_ctz(mask)];
        if (!a->write || a->read_too)
            ptx_chunk_read(c, at, a->bytes);
        if (a->write)
            ptx_chunk_write(c, at, a->bytes);
    }
}

/* What a block reads may be noted more widely than it is. */
static void note_lanes(const struct ptx_stretch *s, const uint64_t *address,
                       const struct ptx_access *a, uint32_t mask,
                       const struct ptx_extent *x)
{
    uint64_t bytes = x->high - x->low + a->bytes;
    note_use(s, a);
    if (s->chunk == NULL)
        return;
    if (!a->write && bytes <= UINT64_C(2) * WARP_LANES * a->bytes)
        ptx_chunk_read(s->chunk, x->low, bytes);
    else if (a->write && !a->read_too && x->half[0] == PATTERN_ROW &&
             x->half[1] == PATTERN_ROW)
        for (size_t h = 0; h < 2; h++)
            ptx_chunk_write(s->chunk, address[h * PTX_HALF],
                            PTX_HALF * a->bytes);
    else
        note_each(s->chunk, address, a, mask);
}

static bool reach_global(struct ptx_block *b, const struct ptx_op *op,
                         const struct ptx_access *a, const uint64_t *address,
                         uint32_t mask, const struct ptx_extent *x,
                         struct ptx_reach *out)
{
    const struct ptx_stretch *s =
        stretch_at(b, op, x->low, x->high - x->low + a->bytes, a->write);
    if (s == NULL)
        return false;
    note_lanes(s, address, a, mask, x);
    *out = (struct ptx_reach){s->bytes, s->start, 0, {x->half[0], x->half[1]}};
    return true;
}

/* Whether all addresses lie in the first `limit` bytes from the window on. The
 * union of their bits is no less than the greatest. */
static bool are_inside(struct ptx_extent *x, const uint64_t *address,
                       uint32_t mask, uint64_t window, uint64_t limit,
                       uint64_t bytes)
{
    if (x->bits - window < limit && bytes <= limit - (x->bits - window))
        return true;
    ptx_extent_ends(x, address, mask);
    uint64_t high = x->high - window;
    return x->low >= window && high < limit && bytes <= limit - high;
}

bool ptx_reach_lanes(struct ptx_block *b, const struct ptx_warp *w,
                     const struct ptx_op *op, const struct ptx_access *a,
                     const uint64_t *address, uint32_t mask,
                     struct ptx_reach *out)
{
    enum ptx_space space = a->space;
    uint64_t window = 0, limit;
    struct ptx_extent x;
    ptx_extent_of(&x, address, mask, a->bytes);
    if ((x.bits & (a->bytes - 1)) != 0 || b->launch->checks != NULL)
        return false;
    if (space == PTX_GENERIC || space == PTX_GLOBAL)
        ptx_extent_ends(&x, address, mask);
    if (space == PTX_GENERIC)
        space = space_of_extent(&x, &window);
    switch (space) {
    case PTX_GLOBAL:
        return reach_global(b, op, a, address, mask, &x, out);
    case PTX_SHARED:
        *out = (struct ptx_reach){b->shared, window, 0, {x.half[0], x.half[1]}};
        limit = ptx_shared_room(b->launch);
        break;
    case PTX_LOCAL:
        *out = (struct ptx_reach){
            w->local, window, w->local_bytes, {PATTERN_NONE, PATTERN_NONE}};
        limit = w->local_bytes;
        break;
    case PTX_PARAM:
        *out = (struct ptx_reach){
            b->launch->param, window, 0, {x.half[0], x.half[1]}};
        limit = b->launch->param_bytes;
        break;
    default:
        return false;
    }
    return are_inside(&x, address, mask, window, limit, a->bytes);
}
