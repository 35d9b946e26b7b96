/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Surfaces: suld and sust (PTX ISA 9.0, section 9.7.11). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/fetch.h"

#include <string.h>

#define CHANNELS 4

enum where { INSIDE, OUTSIDE, NOWHERE };

/* A coordinate of a surface, of which 0 to `last` are inside, by the mode. */
static enum where take_place(const struct ptx_op *op, int64_t x, int64_t last,
                             uint64_t *out)
{
    uint8_t mode = op->inst->modifier[GROUP_CLAMP];
    *out = x < 0 ? 0 : x < last ? (uint64_t)x : (uint64_t)last;
    if (x >= 0 && x <= last)
        return INSIDE;
    return mode == MOD_ZERO                 ? OUTSIDE
           : mode == MOD_CLAMP && last >= 0 ? INSIDE
                                            : NOWHERE;
}

/* The bytes that a lane means: *out NULL outside with .zero. The first
 * coordinate counts bytes. False: a fault. */
static bool surface_bytes(struct ptx_fetch *f, const uint64_t *const *s,
                          uint64_t handle, uint64_t bytes, uint8_t **out)
{
    bool layered = ptx_fetch_is_layered(f->op);
    uint64_t at[3] = {0, 0, 0};
    *out = NULL;
    if (!ptx_fetch_find(f, handle) || !ptx_fetch_check_dimensions(f))
        return false;
    const struct ptx_texture *t = &f->from->texture;
    uint64_t pitch = t->side[0] * ptx_texel_bytes(f->from);
    f->address = f->from->address;
    for (unsigned i = 0; i < t->dimensions; i++) {
        bool layer = layered && i + 1 == t->dimensions;
        int64_t x = (int32_t)s[layer ? 0 : i + layered][f->lane];
        int64_t last = i == 0 ? (int64_t)(pitch - bytes) : t->side[i] - 1;
        enum where where = take_place(f->op, x, last, &at[i]);
        if (where == OUTSIDE)
            return true;
        if (where == NOWHERE)
            return ptx_fault(f->b, f->w, f->op,
                             "lane %d: found coordinate %lld, outside the "
                             "surface",
                             f->lane, (long long)x);
    }
    const struct ptx_access a = {.space = PTX_GLOBAL,
                                 .lane = f->lane,
                                 .address = ptx_fetch_place(f, at),
                                 .bytes = bytes,
                                 .write =
                                     f->op->action == ACTION_SURFACE_STORE};
    *out = ptx_bytes_at(f->b, f->w, f->op, &a);
    return *out != NULL;
}

static bool surface(struct ptx_fetch *f, const uint64_t *const *s,
                    uint32_t mask)
{
    const struct ptx_op *op = f->op;
    bool stores = op->action == ACTION_SURFACE_STORE;
    unsigned parts = ptx_vector_length(op->inst->modifier[GROUP_VECTOR]);
    uint64_t value[CHANNELS][WARP_LANES] = {{0}};
    const uint64_t *const *stored = s + op->sources - (stores ? parts : 0);
    for (f->lane = 0; f->lane < WARP_LANES; f->lane++) {
        uint8_t *at;
        if (!ptx_lane_is_in(mask, f->lane))
            continue;
        uint64_t *address = &f->b->event.address[f->lane];
        if (!surface_bytes(f, s, *address, (uint64_t)op->bytes * parts, &at))
            return false;
        *address = f->address;
        for (size_t k = 0; at != NULL && k < parts; k++)
            memcpy(stores ? (void *)(at + k * op->bytes)
                          : (void *)&value[k][f->lane],
                   stores ? (const void *)&stored[k][f->lane]
                          : (const void *)(at + k * op->bytes),
                   op->bytes);
    }
    for (int k = 0; k < op->results && k < CHANNELS; k++)
        ptx_write(f->b, f->w, op->result[k], mask, value[k]);
    return true;
}

bool ptx_execute_surface(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fetch f = {.b = b, .w = w, .op = op};
    const uint64_t *s[PTX_PARTS_MAX];
    ptx_sources(b, w, op, s);
    ptx_addresses(b, w, op, b->event.address);
    return surface(&f, s, mask);
}
