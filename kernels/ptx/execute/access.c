/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/access.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ptx_fault(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const char *format, ...)
{
    char found[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found, sizeof(found), format, arguments);
    va_end(arguments);
    b->failed = true;
    return error_set(b->e, STATUS_BAD_INPUT,
                     "%s:%u:%u: %s: %s (block %llu, warp %u)",
                     b->launch->program->module->path, op->inst->line,
                     op->inst->column, op->inst->form->mnemonic, found,
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

void ptx_write(const struct ptx_block *b, const struct ptx_warp *w,
               int32_t slot, uint32_t mask, const uint64_t *value)
{
    if (slot == PTX_SLOT_NONE)
        return;
    uint64_t *d = ptx_slot(b, w, slot);
    if (mask == UINT32_MAX) {
        memcpy(d, value, WARP_LANES * sizeof(*d));
        return;
    }
    for (int i = 0; i < WARP_LANES; i++)
        if (ptx_lane_is_in(mask, i))
            d[i] = value[i];
}

/* ---- addresses ---------------------------------------------------------- */

/* base may be PTX_SLOT_NONE. */
static void add_offset(const struct ptx_block *b, const struct ptx_warp *w,
                       int32_t base, int64_t offset, uint64_t *out)
{
    const uint64_t *from = base != PTX_SLOT_NONE ? ptx_slot(b, w, base) : NULL;
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = (from != NULL ? from[i] : 0) + (uint64_t)offset;
}

void ptx_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                   const struct ptx_op *op, uint64_t *out)
{
    add_offset(b, w, op->base, op->offset, out);
    if (op->space != PTX_SHARED && op->space != PTX_LOCAL)
        return;
    for (int i = 0; i < WARP_LANES; i++)
        if (out[i] - (uint64_t)op->offset <= UINT32_MAX)
            out[i] = (uint32_t)out[i];
}

void ptx_second_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint64_t *out)
{
    add_offset(b, w, op->second_base, op->second_offset, out);
}

void ptx_third_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, uint64_t *out)
{
    add_offset(b, w, op->third_base, op->third_offset, out);
}

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

static const char *const space_name[] = {
    [PTX_GENERIC] = "memory",
    [PTX_GLOBAL] = "every buffer",
    [PTX_SHARED] = "the block's shared memory",
    [PTX_LOCAL] = "the thread's local memory",
    [PTX_PARAM] = "the parameters",
};

static uint8_t *outside(struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, const struct ptx_access *a,
                        enum ptx_space space)
{
    if (b->view.failure != NULL)
        error_set(b->e, STATUS_FAILED, "%s", b->view.failure);
    else
        ptx_fault(b, w, op,
                  "lane %d: found %llu bytes at address 0x%llx, outside %s",
                  a->lane, (unsigned long long)a->bytes,
                  (unsigned long long)a->address, space_name[space]);
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

static uint8_t *global_bytes(struct ptx_block *b, uint64_t address,
                             const struct ptx_access *a)
{
    uint64_t at = address - b->page_start, bytes = a->bytes;
    if (b->page == NULL || at >= b->page_limit ||
        (a->write && !b->page_writable)) {
        b->page = ptx_view_page(&b->view, address, a->write, &b->page_start,
                                &b->page_limit, &b->page_writable);
        if (b->page == NULL)
            return NULL;
        at = address - b->page_start;
    }
    *b->view.use |= (a->write ? PTX_USE_WRITTEN : PTX_USE_READ) |
                    (a->read_too ? PTX_USE_READ : 0u);
    return bytes <= b->page_limit - at ? b->page + at : NULL;
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
                           : within(owner->shared, b->launch->shared_bytes,
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
        at = global_bytes(b, inside, a);
        break;
    }
    return at != NULL ? at : outside(b, w, op, a, space);
}
