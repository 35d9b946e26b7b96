/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Atomics, lane after lane (PTX ISA 9.0, section 9.7.13.4). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/apart.h"
#include "kernels/ptx/execute/tickets.h"
#include "kernels/ptx/forms/half.h"

#include <math.h>
#include <string.h>

static uint64_t add_half(enum ptx_type type, uint64_t old, uint64_t x)
{
    if (type == PTX_F16)
        return half_from_double(
            half_to_double(old & 0xFFFF) + half_to_double(x & 0xFFFF), MOD_RN);
    return bfloat_from_double(fma_to_odd(bfloat_to_double(old & 0xFFFF), 1,
                                         bfloat_to_double(x & 0xFFFF)),
                              MOD_RN);
}

static double half_value(enum ptx_type type, uint64_t bits)
{
    return type == PTX_F16 ? half_to_double(bits & 0xFFFF)
                           : bfloat_to_double(bits & 0xFFFF);
}

/* One 16-bit value of an operation on halves. */
static uint64_t apply_half(uint8_t operation, enum ptx_type type, uint64_t old,
                           uint64_t x)
{
    if (operation == MOD_ADD)
        return add_half(type, old, x);
    double a = half_value(type, old), c = half_value(type, x);
    bool takes_x = isnan(a) || (operation == MOD_MIN ? c < a : c > a);
    return (takes_x ? x : old) & 0xFFFF;
}

static uint64_t sum(enum ptx_type type, uint64_t old, uint64_t x)
{
    switch (type) {
    case PTX_F32: {
        float f = float_from_bits(old) + float_from_bits(x);
        return f == f ? float_bits(f) : 0x7FFFFFFF;
    }
    case PTX_F64:
        return double_bits(double_from_bits(old) + double_from_bits(x));
    default:
        return old + x;
    }
}

static bool is_less(enum ptx_type type, uint64_t x, uint64_t y)
{
    switch (type) {
    case PTX_S32:
        return (int32_t)x < (int32_t)y;
    case PTX_S64:
        return (int64_t)x < (int64_t)y;
    default:
        return x < y;
    }
}

static uint64_t apply(uint8_t operation, enum ptx_type type, uint64_t old,
                      uint64_t x, uint64_t y)
{
    switch (operation) {
    case MOD_ADD:
        return sum(type, old, x);
    case MOD_MIN:
        return is_less(type, x, old) ? x : old;
    case MOD_MAX:
        return is_less(type, old, x) ? x : old;
    case MOD_INC:
        return old >= x ? 0 : old + 1;
    case MOD_DEC:
        return old == 0 || old > x ? x : old - 1;
    case MOD_AND:
        return old & x;
    case MOD_OR:
        return old | x;
    case MOD_XOR:
        return old ^ x;
    case MOD_CAS:
        return old == x ? y : old;
    default: /* exch */
        return x;
    }
}

static uint64_t updated(uint8_t operation, enum ptx_type type, uint64_t old,
                        uint64_t x, uint64_t y)
{
    switch (type) {
    case PTX_F16:
    case PTX_BF16:
        return apply_half(operation, type, old, x);
    case PTX_F16X2:
    case PTX_BF16X2:
        type = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
        return apply_half(operation, type, old, x) |
               apply_half(operation, type, old >> 16, x >> 16) << 16;
    default:
        return apply(operation, type, old, x, y);
    }
}

void ptx_reduce_into(uint8_t *bytes, const uint8_t *values, size_t count,
                     enum ptx_type type, const struct ptx_op *op)
{
    size_t size = ptx_types[type].bytes;
    for (size_t i = 0; i < count; i += size) {
        uint64_t old = 0, x = 0;
        memcpy(&old, bytes + i, size);
        memcpy(&x, values + i, size);
        old = updated(op->inst->modifier[GROUP_OPERATION], type, old, x, x);
        memcpy(bytes + i, &old, size);
    }
}

/* The instruction on what is at `at`. */
static void update(uint8_t *at, const struct ptx_op *op, uint64_t x, uint64_t y)
{
    uint64_t old = 0;
    memcpy(&old, at, op->bytes);
    uint64_t now = updated(op->inst->modifier[GROUP_OPERATION],
                           (enum ptx_type)op->inst->type[0], old, x, y);
    memcpy(at, &now, op->bytes);
}

/* Whether it was put off until the block's turn has come. */
static bool defer(struct ptx_block *b, const struct ptx_op *op,
                  uint64_t address, uint64_t x, uint64_t y)
{
    enum ptx_space space = (enum ptx_space)op->space;
    if (b->view.apart == NULL || !b->view.apart->defers || !op->result_unused)
        return false;
    if (space == PTX_GENERIC)
        space = ptx_space_of_generic(&address);
    const struct ptx_deferred d = {
        .update = update, .op = op, .x = x, .y = y, .bytes = op->bytes};
    if (space != PTX_GLOBAL)
        return false;
    const struct ptx_buffer *at = ptx_memory_at(b->view.memory, address);
    return at != NULL && ptx_apart_defer(&b->view, at, address, &d);
}

/* At a grid's barrier blocks wait until bit 31 is another than they found
 * (cooperative_groups/details/sync.h of the CUDA toolkit), as the last one
 * leaves it. */
static void arrive_last(uint8_t *at, uint32_t found)
{
    found ^= UINT32_C(1) << 31;
    memcpy(at, &found, sizeof(found));
}

/* One lane's, on what is at `at`, or what it is given, or what all blocks count
 * in; *before is what was there. Whether it changed that. */
static bool update_lane(uint8_t *at, uint8_t *common, const struct ptx_op *op,
                        bool given, uint64_t *before, uint64_t x, uint64_t y)
{
    if (given)
        memcpy(at, before, op->bytes);
    else if (common != NULL)
        memcpy(at, common, op->bytes);
    *before = 0;
    memcpy(before, at, op->bytes);
    update(at, op, x, y);
    if (common != NULL)
        memcpy(common, at, op->bytes);
    return memcmp(before, at, op->bytes) != 0;
}

/* What the warp's lanes add, so many times more, for others that do. */
static bool add_for_others(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask,
                           struct ptx_access a, uint64_t others)
{
    const uint64_t *x = ptx_slot(b, w, op->source[0]);
    for (a.lane = 0; others > 0 && a.lane < WARP_LANES; a.lane++) {
        if (!ptx_lane_is_in(mask, a.lane))
            continue;
        a.address = b->event.address[a.lane];
        uint8_t *at = ptx_bytes_at(b, w, op, &a);
        if (at == NULL)
            return false;
        update(at, op, x[a.lane] * others, 0);
    }
    return true;
}

bool ptx_execute_atomic(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *x = ptx_slot(b, w, op->source[0]);
    const uint64_t *y = ptx_slot(b, w, op->source[op->sources - 1]);
    uint64_t before[WARP_LANES] = {0};
    struct ptx_access a = {.space = (enum ptx_space)op->space,
                           .bytes = op->bytes,
                           .write = true,
                           .read_too = true};
    bool changed = false, given = ptx_tickets_take(b, w, op, mask, before);
    ptx_addresses(b, w, op, b->event.address);
    for (a.lane = 0; a.lane < WARP_LANES; a.lane++) {
        if (!ptx_lane_is_in(mask, a.lane))
            continue;
        a.address = b->event.address[a.lane];
        if (defer(b, op, a.address, x[a.lane], y[a.lane]))
            continue;
        uint8_t *at = ptx_bytes_at(b, w, op, &a);
        if (at == NULL)
            return false;
        changed |= update_lane(at, ptx_tickets_common(b, op, a.address), op,
                               given, &before[a.lane], x[a.lane], y[a.lane]);
        if (at >= b->workspace && at < b->workspace + PTX_GRID_BYTES)
            arrive_last(at, (uint32_t)before[a.lane]);
    }
    ptx_tickets_keep(b, w, op, mask, before);
    ptx_tickets_watch(b, w, op, mask, changed);
    if (!add_for_others(b, w, op, mask, a, ptx_tickets_others(b, w, op)))
        return false;
    if (op->results > 0)
        ptx_write(b, w, op->result[0], mask, before);
    return true;
}
