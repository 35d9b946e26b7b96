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

/* ---- all lanes at once -------------------------------------------------- */

#define LOAD_LANES(type, out, r, address, at, mask)                            \
    for (uint32_t rest = (mask); rest != 0; rest &= rest - 1) {                \
        unsigned lane = (unsigned)__builtin_ctz(rest);                         \
        type loaded_value;                                                     \
        memcpy(&loaded_value,                                                  \
               ptx_reach_lane((r), (address)[lane], lane) + (at),              \
               sizeof(loaded_value));                                          \
        (out)[lane] = loaded_value;                                            \
    }

/* Element k of each lane, which needs no extension of its sign. */
static void load_lanes(uint64_t *out, const struct ptx_reach *r,
                       const uint64_t *address, uint64_t at, unsigned bytes,
                       uint32_t mask)
{
    switch (bytes) {
    case 1:
        LOAD_LANES(uint8_t, out, r, address, at, mask)
        break;
    case 2:
        LOAD_LANES(uint16_t, out, r, address, at, mask)
        break;
    case 4:
        LOAD_LANES(uint32_t, out, r, address, at, mask)
        break;
    default:
        LOAD_LANES(uint64_t, out, r, address, at, mask)
        break;
    }
}

#define STORE_LANES(type, from, r, address, at, mask)                          \
    for (uint32_t rest = (mask); rest != 0; rest &= rest - 1) {                \
        unsigned lane = (unsigned)__builtin_ctz(rest);                         \
        type stored_value = (type)(from)[lane];                                \
        memcpy(ptx_reach_lane((r), (address)[lane], lane) + (at),              \
               &stored_value, sizeof(stored_value));                           \
    }

static void store_lanes(const uint64_t *from, const struct ptx_reach *r,
                        const uint64_t *address, uint64_t at, unsigned bytes,
                        uint32_t mask)
{
    switch (bytes) {
    case 1:
        STORE_LANES(uint8_t, from, r, address, at, mask)
        break;
    case 2:
        STORE_LANES(uint16_t, from, r, address, at, mask)
        break;
    case 4:
        STORE_LANES(uint32_t, from, r, address, at, mask)
        break;
    default:
        STORE_LANES(uint64_t, from, r, address, at, mask)
        break;
    }
}

static bool extends_sign(const struct ptx_op *op)
{
    enum ptx_type type = (enum ptx_type)op->inst->type[0];
    return ptx_types[type].is_signed && op->bytes < op->result_bytes;
}

/* ---- loads and stores --------------------------------------------------- */

static bool load_each(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask,
                      struct ptx_access a)
{
    uint64_t value[PTX_PARTS_MAX][WARP_LANES];
    enum ptx_type type = (enum ptx_type)op->inst->type[0];
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

bool ptx_execute_load(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    struct ptx_reach r;
    const struct ptx_access a = {.space = (enum ptx_space)op->space,
                                 .bytes = (uint64_t)op->bytes * op->results};
    ptx_addresses(b, w, op, b->event.address);
    if (extends_sign(op) || !ptx_reach_lanes(b, w, op, &a, mask, &r))
        return load_each(b, w, op, mask, a);
    for (int k = 0; k < op->results; k++)
        if (op->result[k] != PTX_SLOT_NONE)
            load_lanes(ptx_slot(b, w, op->result[k]), &r, b->event.address,
                       (uint64_t)k * op->bytes, op->bytes, mask);
    return true;
}

static bool store_each(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask,
                       struct ptx_access a)
{
    const uint64_t *s[PTX_PARTS_MAX];
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

bool ptx_execute_store(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    struct ptx_reach r;
    const struct ptx_access a = {.space = (enum ptx_space)op->space,
                                 .bytes = (uint64_t)op->bytes * op->sources,
                                 .write = true};
    ptx_addresses(b, w, op, b->event.address);
    if (!ptx_reach_lanes(b, w, op, &a, mask, &r))
        return store_each(b, w, op, mask, a);
    for (int k = 0; k < op->sources; k++)
        store_lanes(ptx_slot(b, w, op->source[k]), &r, b->event.address,
                    (uint64_t)k * op->bytes, op->bytes, mask);
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
