/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads, stores and addresses (PTX ISA 9.0, sections 5.1 and 9.7.9). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

#include <string.h>

/* ---- values ------------------------------------------------------------- */

/* What a load of the type leaves in a register of `width` bytes. */
static uint64_t loaded(const uint8_t *at, enum ptx_type type, unsigned width)
{
    uint64_t value = 0;
    unsigned bits = 8u * ptx_types[type].bytes;
    memcpy(&value, at, bits / 8);
    if (!ptx_types[type].is_signed || bits == 64)
        return value;
    value = (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
    return width < 8 ? value & ((UINT64_C(1) << 8 * width) - 1) : value;
}

bool ptx_execute_load(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    uint64_t value[PTX_PARTS_MAX][WARP_LANES];
    enum ptx_type type = (enum ptx_type)op->inst->type[0];
    struct ptx_access a = {.space = (enum ptx_space)op->space,
                           .bytes = (uint64_t)op->bytes * op->results};
    ptx_addresses(b, w, op, b->event.address);
    for (a.lane = 0; a.lane < WARP_LANES; a.lane++) {
        if (!ptx_lane_is_in(mask, a.lane))
            continue;
        a.address = b->event.address[a.lane];
        const uint8_t *at = ptx_bytes_at(b, w, op, &a);
        if (at == NULL)
            return false;
        for (int k = 0; k < op->results; k++)
            value[k][a.lane] =
                loaded(at + (size_t)k * op->bytes, type, op->result_bytes);
    }
    for (int k = 0; k < op->results; k++)
        ptx_write(b, w, op->result[k], mask, value[k]);
    return true;
}

bool ptx_execute_store(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    struct ptx_access a = {.space = (enum ptx_space)op->space,
                           .bytes = (uint64_t)op->bytes * op->sources,
                           .write = true};
    ptx_addresses(b, w, op, b->event.address);
    for (int k = 0; k < op->sources; k++)
        s[k] = ptx_slot(b, w, op->source[k]);
    for (a.lane = 0; a.lane < WARP_LANES; a.lane++) {
        if (!ptx_lane_is_in(mask, a.lane))
            continue;
        a.address = b->event.address[a.lane];
        uint8_t *at = ptx_bytes_at(b, w, op, &a);
        if (at == NULL)
            return false;
        for (int k = 0; k < op->sources; k++)
            memcpy(at + (size_t)k * op->bytes, &s[k][a.lane], op->bytes);
    }
    return true;
}

/* ---- cvta, isspacep ----------------------------------------------------- */

static uint64_t window_of(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED:
        return PTX_SHARED_WINDOW;
    case PTX_LOCAL:
        return PTX_LOCAL_WINDOW;
    case PTX_PARAM:
        return PTX_PARAM_WINDOW;
    default:
        return 0;
    }
}

bool ptx_execute_cvta(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    const uint64_t *more = /* a local variable: base + offset */
        op->sources == 2 ? ptx_slot(b, w, op->source[1]) : NULL;
    bool to_space = op->inst->modifier[GROUP_TO] != MOD_NONE;
    uint64_t window = window_of((enum ptx_space)op->space);
    uint64_t value[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++)
        value[i] = (to_space ? from[i] - window : from[i] + window) +
                   (more != NULL ? more[i] : 0);
    ptx_write(b, w, op->result[0], mask, value);
    return true;
}

bool ptx_execute_isspacep(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    uint64_t value[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t address = from[i];
        value[i] = ptx_space_of_generic(&address) == (enum ptx_space)op->space;
    }
    ptx_write(b, w, op->result[0], mask, value);
    return true;
}
