/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads, stores and addresses (PTX ISA 9.0, sections 5.1 and 9.7.9). */
#include "base/wide.h"
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

#define HALF_MASK UINT32_C(0xFFFF)

/* Functions that move an element of `type` of each lane between a register and
 * memory: all lanes' from one place, from a row without gaps, of any of them.
 */
#define LANES_OF(type)                                                         \
    FOR_PROCESSORS("avx2")                                                     \
    static void load_one_##type(uint64_t *out, const uint8_t *from)            \
    {                                                                          \
        type v;                                                                \
        memcpy(&v, from, sizeof(v));                                           \
        for (int i = 0; i < PTX_HALF; i++)                                     \
            out[i] = v;                                                        \
    }                                                                          \
    FOR_PROCESSORS("avx2")                                                     \
    static void load_row_##type(uint64_t *out, const uint8_t *from)            \
    {                                                                          \
        TURNS_APART                                                            \
        for (size_t i = 0; i < PTX_HALF; i++) {                                \
            type v;                                                            \
            memcpy(&v, from + i * sizeof(v), sizeof(v));                       \
            out[i] = v;                                                        \
        }                                                                      \
    }                                                                          \
    static void load_any_##type(uint64_t *out, const struct ptx_reach *r,      \
                                const uint64_t *address, uint64_t at,          \
                                uint32_t mask)                                 \
    {                                                                          \
        type v;                                                                \
        for (; mask != 0; mask &= mask - 1) {                                  \
            unsigned i = (unsigned)__builtin_ctz(mask);                        \
            memcpy(&v, ptx_reach_lane(r, address[i], i) + at, sizeof(v));      \
            out[i] = v;                                                        \
        }                                                                      \
    }                                                                          \
    FOR_PROCESSORS("avx2")                                                     \
    static void store_row_##type(const uint64_t *from, uint8_t *to)            \
    {                                                                          \
        TURNS_APART                                                            \
        for (size_t i = 0; i < PTX_HALF; i++) {                                \
            type v = (type)from[i];                                            \
            memcpy(to + i * sizeof(v), &v, sizeof(v));                         \
        }                                                                      \
    }                                                                          \
    static void store_any_##type(                                              \
        const uint64_t *from, const struct ptx_reach *r,                       \
        const uint64_t *address, uint64_t at, uint32_t mask)                   \
    {                                                                          \
        for (; mask != 0; mask &= mask - 1) {                                  \
            unsigned i = (unsigned)__builtin_ctz(mask);                        \
            type v = (type)from[i];                                            \
            memcpy(ptx_reach_lane(r, address[i], i) + at, &v, sizeof(v));      \
        }                                                                      \
    }

LANES_OF(uint8_t)
LANES_OF(uint16_t)
LANES_OF(uint32_t)
LANES_OF(uint64_t)

static const struct lanes_of {
    void (*load_one)(uint64_t *out, const uint8_t *from);
    void (*load_row)(uint64_t *out, const uint8_t *from);
    void (*load_any)(uint64_t *out, const struct ptx_reach *r,
                     const uint64_t *address, uint64_t at, uint32_t mask);
    void (*store_row)(const uint64_t *from, uint8_t *to);
    void (*store_any)(const uint64_t *from, const struct ptx_reach *r,
                      const uint64_t *address, uint64_t at, uint32_t mask);
} lanes_of[] = {
    /* by the logarithm of the bytes */
    {load_one_uint8_t, load_row_uint8_t, load_any_uint8_t, store_row_uint8_t,
     store_any_uint8_t},
    {load_one_uint16_t, load_row_uint16_t, load_any_uint16_t,
     store_row_uint16_t, store_any_uint16_t},
    {load_one_uint32_t, load_row_uint32_t, load_any_uint32_t,
     store_row_uint32_t, store_any_uint32_t},
    {load_one_uint64_t, load_row_uint64_t, load_any_uint64_t,
     store_row_uint64_t, store_any_uint64_t},
};

/* Element `at` of each lane, which needs no extension of its sign. */
static void load_lanes(uint64_t *out, const struct ptx_op *op,
                       const struct ptx_reach *r, const uint64_t *address,
                       uint64_t at, uint32_t mask)
{
    const struct lanes_of *l = &lanes_of[__builtin_ctz(op->bytes)];
    for (unsigned h = 0; h < 2; h++) {
        const unsigned i = h * PTX_HALF;
        if (r->half[h] == PATTERN_ONE)
            l->load_one(out + i, ptx_reach_lane(r, address[i], i) + at);
        else if (r->half[h] == PATTERN_ROW && op->results == 1)
            l->load_row(out + i, ptx_reach_lane(r, address[i], i));
        else
            l->load_any(out, r, address, at, mask & HALF_MASK << i);
    }
}

/* Of several lanes that write the same bytes the last one counts. */
static void store_lanes(const uint64_t *from, const struct ptx_op *op,
                        const struct ptx_reach *r, const uint64_t *address,
                        uint64_t at, uint32_t mask)
{
    const struct lanes_of *l = &lanes_of[__builtin_ctz(op->bytes)];
    for (unsigned h = 0; h < 2; h++) {
        const unsigned i = h * PTX_HALF;
        if (r->half[h] == PATTERN_ROW && op->sources == 1)
            l->store_row(from + i, ptx_reach_lane(r, address[i], i));
        else
            l->store_any(from, r, address, at, mask & HALF_MASK << i);
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
    if (extends_sign(op) ||
        !ptx_reach_lanes(b, w, op, &a, b->event.address, mask, &r))
        return load_each(b, w, op, mask, a);
    for (int k = 0; k < op->results; k++)
        if (op->result[k] != PTX_SLOT_NONE)
            load_lanes(ptx_slot(b, w, op->result[k]), op, &r, b->event.address,
                       (uint64_t)k * op->bytes, mask);
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
    if (!ptx_reach_lanes(b, w, op, &a, b->event.address, mask, &r))
        return store_each(b, w, op, mask, a);
    for (int k = 0; k < op->sources; k++)
        store_lanes(ptx_slot(b, w, op->source[k]), op, &r, b->event.address,
                    (uint64_t)k * op->bytes, mask);
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
