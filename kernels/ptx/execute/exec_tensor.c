/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of boxes of tensors (PTX ISA 9.0, section 9.7.9.27), in tile mode: the
 * box lies in shared memory row by row, swizzled as the map says; what of it is
 * outside the tensor reads as zeros and is not written. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/async.h"
#include "kernels/ptx/execute/frame.h"
#include "kernels/ptx/execute/mbarrier.h"
#include "kernels/ptx/execute/tensor.h"

#include <string.h>

#define CHUNK 16 /* bytes that lie together whatever the swizzle */

struct copy {
    struct ptx_block *b;
    const struct ptx_warp *w;
    const struct ptx_op *op;
    int lane;
    bool loads;
    struct ptx_tensor map;
    int32_t at[PTX_TENSOR_SIDES];
    uint64_t shared; /* where the box begins */
};

/* ---- the map ------------------------------------------------------------ */

static bool read_map(struct copy *c, uint64_t address)
{
    uint8_t bytes[PTX_TENSOR_BYTES];
    struct ptx_access a = {.space = PTX_GENERIC,
                           .lane = c->lane,
                           .address = address,
                           .bytes = CHUNK};
    for (size_t i = 0; i < sizeof(bytes); i += CHUNK, a.address += CHUNK) {
        const uint8_t *from = ptx_bytes_at(c->b, c->w, c->op, &a);
        if (from == NULL)
            return false;
        memcpy(bytes + i, from, CHUNK);
    }
    memcpy(&c->map, bytes, sizeof(c->map));
    if (!ptx_tensor_is_map(&c->map))
        return ptx_fault(c->b, c->w, c->op,
                         "lane %d: found no tensor map at address 0x%llx "
                         "(--arg tmap:..)",
                         c->lane, (unsigned long long)address);
    unsigned asked = ptx_dimensions(c->op->inst->modifier[GROUP_GEOMETRY]);
    return asked == c->map.sides ||
           ptx_fault(c->b, c->w, c->op,
                     "lane %d: found a tensor of %u sides, expected %u",
                     c->lane, c->map.sides, asked);
}

/* ---- bytes -------------------------------------------------------------- */

static uint8_t *bytes_at(const struct copy *c, enum ptx_space space,
                         uint64_t address, uint64_t bytes, bool write)
{
    const struct ptx_access a = {.space = space,
                                 .lane = c->lane,
                                 .address = address,
                                 .bytes = bytes,
                                 .write = write};
    return ptx_bytes_at(c->b, c->w, c->op, &a);
}

/* So many bytes at byte `x` of a row, between global memory and the row's place
 * in shared memory. */
static bool move(const struct copy *c, uint64_t global, uint64_t shared,
                 uint64_t bytes)
{
    uint8_t value[CHUNK];
    shared = ptx_tensor_swizzle(&c->map, shared);
    const uint8_t *from = c->loads
                              ? bytes_at(c, PTX_GLOBAL, global, bytes, false)
                              : bytes_at(c, PTX_SHARED, shared, bytes, false);
    if (from == NULL)
        return false;
    memcpy(value, from, bytes);
    uint8_t *to = c->loads ? bytes_at(c, PTX_SHARED, shared, bytes, true)
                           : bytes_at(c, PTX_GLOBAL, global, bytes, true);
    if (to == NULL)
        return false;
    if (c->op->inst->modifier[GROUP_STEP] == MOD_REDUCE)
        ptx_reduce_into(to, value, bytes, (enum ptx_type)c->map.type, c->op);
    else
        memcpy(to, value, bytes);
    return true;
}

/* A row of `bytes`: by 16 where both sides are at a multiple of that. */
static bool move_row(const struct copy *c, uint64_t global, uint64_t shared,
                     uint64_t bytes)
{
    bool even = (global | shared) % CHUNK == 0;
    for (uint64_t x = 0, n; x < bytes; x += n) {
        n = even && bytes - x >= CHUNK ? CHUNK : c->map.element;
        if (!move(c, global + x, shared + x, n))
            return false;
    }
    return true;
}

static bool clear(const struct copy *c)
{
    uint64_t bytes = ptx_tensor_box_bytes(&c->map);
    for (uint64_t x = 0; x < bytes; x += CHUNK) {
        uint8_t *to = bytes_at(c, PTX_SHARED, c->shared + x, CHUNK, true);
        if (to == NULL)
            return false;
        memset(to, 0, CHUNK);
    }
    return true;
}

/* Row `n` of those inside. */
static bool move_nth(const struct copy *c, const struct box *box, uint64_t base,
                     const uint32_t *skip, uint64_t n)
{
    uint64_t shared = skip[0] * (uint64_t)c->map.element;
    uint64_t row = (uint64_t)c->map.box[0] * c->map.element;
    for (unsigned i = 0; i < BOX_SIDES; i++) {
        uint64_t at = n % box->count[i];
        n /= box->count[i];
        base += at * (uint64_t)box->stride[i];
        shared += (at + skip[i + 1]) * row;
        row *= c->map.box[i + 1];
    }
    return move_row(c, base, c->shared + shared, box->bytes);
}

static bool copy_box(const struct copy *c)
{
    struct box box;
    uint64_t base, rows = 1;
    uint32_t skip[PTX_TENSOR_SIDES] = {0};
    ptx_tensor_clip(&c->map, c->at, &box, &base, skip);
    if (c->loads && !clear(c))
        return false;
    for (int i = 0; i < BOX_SIDES; i++)
        rows *= box.bytes > 0 ? box.count[i] : 0;
    for (uint64_t n = 0; n < rows; n++)
        if (!move_nth(c, &box, base, skip, n))
            return false;
    c->b->event.mask = UINT32_C(1) << c->lane;
    c->b->event.box = box;
    c->b->event.address[c->lane] = base;
    return true;
}

/* ---- the instruction ---------------------------------------------------- */

static uint64_t at_rank(uint64_t address, uint64_t rank)
{
    uint64_t inside = address & ((UINT64_C(1) << PTX_RANK_BITS) - 1);
    return rank == 0 ? address : inside | rank << PTX_RANK_BITS;
}

/* To one block, and its mbarrier is told of the whole box. */
static bool load_to(struct copy c, uint64_t mbarrier, uint64_t rank)
{
    const struct ptx_mbarrier_change change = {
        .bytes = -(int64_t)ptx_tensor_box_bytes(&c.map)};
    uint64_t before;
    c.shared = at_rank(c.shared, rank);
    return copy_box(&c) &&
           ptx_mbarrier_change(c.b, c.w, c.op, c.lane, at_rank(mbarrier, rank),
                               &change, &before);
}

static bool load(const struct copy *c)
{
    uint64_t mbarrier[WARP_LANES];
    bool ok = true;
    ptx_third_addresses(c->b, c->w, c->op, mbarrier);
    if (c->op->inst->modifier[GROUP_MULTICAST] == MOD_NONE)
        return load_to(*c, mbarrier[c->lane], 0);
    if (c->op->sources <= c->map.sides)
        return ptx_fault(c->b, c->w, c->op,
                         "found no mask of blocks, expected one with "
                         ".multicast");
    const uint64_t *masks =
        ptx_slot(c->b, c->w, c->op->source[c->op->sources - 1]);
    uint64_t mask = masks[c->lane] & 0xFFFF;
    for (uint64_t rank = 1; ok && mask >> (rank - 1) != 0; rank++)
        if ((mask >> (rank - 1) & 1) != 0)
            ok = load_to(*c, mbarrier[c->lane], rank);
    return ok;
}

/* The lowest of the lanes; the others come to it again after it. */
bool ptx_execute_tensor_copy(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    uint64_t first[WARP_LANES], second[WARP_LANES];
    uint32_t rest = mask & (mask - 1);
    struct copy c = {.b = b,
                     .w = w,
                     .op = op,
                     .lane = __builtin_ctz(mask),
                     .loads =
                         op->inst->modifier[GROUP_COMPLETION] == MOD_BYTES};
    ptx_addresses(b, w, op, first);
    ptx_second_addresses(b, w, op, second);
    c.shared = (c.loads ? first : second)[c.lane];
    if (!read_map(&c, (c.loads ? second : first)[c.lane]))
        return false;
    for (unsigned i = 0; i < c.map.sides; i++)
        c.at[i] = (int32_t)ptx_slot(b, w, op->source[i])[c.lane];
    if (c.shared % 128 != 0)
        return ptx_fault(b, w, op,
                         "lane %d: found address 0x%llx, expected a multiple "
                         "of 128",
                         c.lane, (unsigned long long)c.shared);
    if (!(c.loads ? load(&c) : copy_box(&c)))
        return false;
    if (!c.loads)
        ptx_async_note(b, &w->async[ASYNC_BULK]);
    return ptx_come_again(b, w, rest);
}
