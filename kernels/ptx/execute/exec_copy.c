/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous copies (PTX ISA 9.0, section 9.7.9.25): done at once. When they
 * are complete, who waits for that, and who is told, goes with the streams. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/async.h"
#include "kernels/ptx/execute/frame.h"
#include "kernels/ptx/execute/mbarrier.h"

#include <string.h>

/* ---- groups ------------------------------------------------------------- */

static bool is_bulk(const struct ptx_op *op)
{
    return op->inst->modifier[GROUP_OBJECT] == MOD_BULK;
}

/* .wait_all waits for copies that are in no group yet, too. */
bool ptx_execute_copy_group(struct ptx_block *b, struct ptx_warp *w,
                            const struct ptx_op *op, uint32_t mask)
{
    struct ptx_async *a = &w->async[is_bulk(op) ? ASYNC_BULK : ASYNC_COPY];
    if (op->inst->modifier[GROUP_COUNT] == MOD_COMMIT)
        ptx_async_commit(a);
    else if (op->sources == 0)
        ptx_async_wait_all(b, a);
    else
        ptx_async_wait(b, a,
                       ptx_slot(b, w, op->source[0])[__builtin_ctz(mask)]);
    return true;
}

/* The warp's copies so far arrive, when they are complete. Without .noinc the
 * phase waits for one more arrival, which is this one. */
bool ptx_execute_copy_arrive(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_mbarrier_change change = {
        .arrivals = op->inst->modifier[GROUP_PHASE] == MOD_NO_INC};
    uint64_t before;
    ptx_addresses(b, w, op, b->event.address);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (ptx_lane_is_in(mask, lane) &&
            !ptx_mbarrier_change(b, w, op, lane, b->event.address[lane],
                                 &change, &before))
            return false;
    ptx_async_wait_all(b, &w->async[ASYNC_COPY]);
    return true;
}

/* ---- cp.async ----------------------------------------------------------- */

/* Of `size` bytes the first `used`, the rest zeros. */
static bool copy_lane(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, struct ptx_access to,
                      uint64_t used)
{
    struct ptx_access from = {.space = PTX_GLOBAL,
                              .lane = to.lane,
                              .address = b->event.address[to.lane],
                              .bytes = to.bytes};
    if (to.bytes != 4 && to.bytes != 8 && to.bytes != 16)
        return ptx_fault(b, w, op, "found a size that is not 4, 8 or 16");
    uint8_t *d = ptx_bytes_at(b, w, op, &to);
    if (d == NULL)
        return false;
    memset(d, 0, to.bytes);
    if (used == 0)
        return true;
    const uint8_t *s = ptx_bytes_at(b, w, op, &from);
    if (s == NULL)
        return false;
    memcpy(d, s, used < to.bytes ? used : to.bytes);
    return true;
}

/* Done at once. Without a size of the source all of it is copied. */
bool ptx_execute_copy(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    uint64_t to[WARP_LANES];
    const uint64_t *size = ptx_slot(b, w, op->source[0]);
    const uint64_t *used = ptx_slot(b, w, op->source[op->sources > 1 ? 1 : 0]);
    ptx_addresses(b, w, op, to);
    ptx_second_addresses(b, w, op, b->event.address);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct ptx_access a = {.space = PTX_SHARED,
                                     .lane = lane,
                                     .address = to[lane],
                                     .bytes = size[lane],
                                     .write = true};
        if (ptx_lane_is_in(mask, lane) &&
            !copy_lane(b, w, op, a, (uint32_t)used[lane]))
            return false;
    }
    ptx_async_note(b, &w->async[ASYNC_COPY]);
    return true;
}

/* ---- st.async, red.async ------------------------------------------------ */

/* Each lane tells its mbarrier of the bytes it wrote. */
bool ptx_execute_async_store(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    bool reduces = op->inst->modifier[GROUP_OPERATION] != MOD_NONE;
    const struct ptx_mbarrier_change change = {.bytes = -(int64_t)op->bytes *
                                                        op->sources};
    uint64_t mbarrier[WARP_LANES], before;
    if (!(reduces ? ptx_execute_atomic(b, w, op, mask)
                  : ptx_execute_store(b, w, op, mask)))
        return false;
    ptx_second_addresses(b, w, op, mbarrier);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (ptx_lane_is_in(mask, lane) &&
            !ptx_mbarrier_change(b, w, op, lane, mbarrier[lane], &change,
                                 &before))
            return false;
    return true;
}

/* ---- cp.async.bulk ------------------------------------------------------ */

#define CHUNK 16 /* bytes: of what sizes and addresses are multiples */

struct bulk {
    struct ptx_block *b;
    const struct ptx_warp *w;
    const struct ptx_op *op;
    int lane;
    struct ptx_access to, from;
    uint64_t bytes;
};

static bool copy_bulk(const struct bulk *k)
{
    struct ptx_access to = k->to, from = k->from;
    for (uint64_t at = 0; at < k->bytes; at += CHUNK) {
        uint8_t chunk[CHUNK];
        const uint8_t *s = ptx_bytes_at(k->b, k->w, k->op, &from);
        if (s == NULL)
            return false;
        memcpy(chunk, s, CHUNK);
        uint8_t *d = ptx_bytes_at(k->b, k->w, k->op, &to);
        if (d == NULL)
            return false;
        if (k->op->inst->modifier[GROUP_STEP] == MOD_REDUCE)
            ptx_reduce_into(d, chunk, CHUNK,
                            (enum ptx_type)k->op->inst->type[0], k->op);
        else
            memcpy(d, chunk, CHUNK);
        to.address += CHUNK;
        from.address += CHUNK;
    }
    return true;
}

static bool check_bulk(const struct bulk *k)
{
    if (k->op->inst->modifier[GROUP_MULTICAST] != MOD_NONE &&
        k->op->sources < 2)
        return ptx_fault(k->b, k->w, k->op,
                         "found no mask of blocks, expected one with "
                         ".multicast");
    return k->bytes % CHUNK == 0 ||
           ptx_fault(k->b, k->w, k->op,
                     "lane %d: found a size of %llu, expected a multiple of 16",
                     k->lane, (unsigned long long)k->bytes);
}

/* An address in the shared memory of a block of the cluster: `rank` or, 0, as
 * it is. */
static uint64_t at_rank(uint64_t address, uint64_t rank)
{
    uint64_t inside = address & ((UINT64_C(1) << PTX_RANK_BITS) - 1);
    return rank == 0 ? address : inside | rank << PTX_RANK_BITS;
}

/* To one block, and its mbarrier is told. */
static bool copy_to(struct bulk k, uint64_t rank)
{
    const struct ptx_mbarrier_change change = {.bytes = -(int64_t)k.bytes};
    uint64_t before, at[WARP_LANES];
    k.to.address = at_rank(k.to.address, rank);
    if (!copy_bulk(&k))
        return false;
    if (k.op->inst->modifier[GROUP_COMPLETION] == MOD_BULK_GROUP)
        return true;
    ptx_third_addresses(k.b, k.w, k.op, at);
    return ptx_mbarrier_change(k.b, k.w, k.op, k.lane,
                               at_rank(at[k.lane], rank), &change, &before);
}

/* .multicast: to every block of the mask, at the same place. */
static bool copy_to_all(const struct bulk *k)
{
    bool ok = true;
    if (k->op->inst->modifier[GROUP_MULTICAST] == MOD_NONE)
        return copy_to(*k, 0);
    uint64_t mask = ptx_slot(k->b, k->w, k->op->source[1])[k->lane] & 0xFFFF;
    for (uint64_t rank = 1; ok && mask >> (rank - 1) != 0; rank++)
        if ((mask >> (rank - 1) & 1) != 0)
            ok = copy_to(*k, rank);
    return ok;
}

/* What the streams tell: the row in global memory, and of a group the count. */
static void note_bulk(const struct bulk *k)
{
    struct ptx_block *b = k->b;
    bool loads = k->from.space == PTX_GLOBAL;
    b->event.mask = UINT32_C(1) << k->lane;
    b->event.box = (struct box){.bytes = k->bytes, .count = {1, 1, 1, 1}};
    b->event.address[k->lane] = loads ? k->from.address : k->to.address;
    if (k->op->inst->modifier[GROUP_COMPLETION] == MOD_BULK_GROUP)
        ptx_async_note(b, &b->warp[k->w->index].async[ASYNC_BULK]);
}

/* The lowest of the lanes; the others come to it again after it, each as an
 * instruction of its own. */
bool ptx_execute_bulk_copy(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask)
{
    uint64_t to[WARP_LANES], from[WARP_LANES];
    int lane = __builtin_ctz(mask);
    uint32_t rest = mask & (mask - 1);
    ptx_addresses(b, w, op, to);
    ptx_second_addresses(b, w, op, from);
    const struct bulk k = {
        .b = b,
        .w = w,
        .op = op,
        .lane = lane,
        .to = {.space = (enum ptx_space)op->space,
               .lane = lane,
               .address = to[lane],
               .bytes = CHUNK,
               .write = true},
        .from = {.space = ptx_space_named(op->inst->modifier[GROUP_FROM]),
                 .lane = lane,
                 .address = from[lane],
                 .bytes = CHUNK},
        .bytes = (uint32_t)ptx_slot(b, w, op->source[0])[lane]};
    if (!check_bulk(&k) || !copy_to_all(&k))
        return false;
    note_bulk(&k);
    return ptx_come_again(b, w, rest);
}
