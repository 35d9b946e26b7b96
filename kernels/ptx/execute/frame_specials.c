/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/frame.h"

/* %tid, %ntid, %ctaid, %nctaid, then what clusters have: three of each, in this
 * order. */
static uint64_t position(const struct ptx_block *b, uint32_t thread,
                         enum ptx_special s)
{
    const struct ptx_launch *l = b->launch;
    const struct dim3 tid = {thread % l->block.x,
                             thread / l->block.x % l->block.y,
                             thread / l->block.x / l->block.y};
    const struct dim3 own =
        l->cluster.x > 0 ? l->cluster : (struct dim3){1, 1, 1};
    const struct dim3 inside = {b->id.x % own.x, b->id.y % own.y,
                                b->id.z % own.z};
    const struct dim3 cluster = {b->id.x / own.x, b->id.y / own.y,
                                 b->id.z / own.z};
    const struct dim3 clusters = {l->grid.x / own.x, l->grid.y / own.y,
                                  l->grid.z / own.z};
    const struct dim3 *const of[] = {&tid,    &l->block, &b->id,   &l->grid,
                                     &inside, &own,      &cluster, &clusters};
    const struct dim3 *d = of[s / 3];
    return s % 3 == 0 ? d->x : s % 3 == 1 ? d->y : d->z;
}

static uint32_t lane_mask(enum ptx_special s, uint32_t lane)
{
    uint32_t bit = UINT32_C(1) << lane, below = bit - 1;
    switch (s) {
    case SPECIAL_LANEMASK_EQ:
        return bit;
    case SPECIAL_LANEMASK_LT:
        return below;
    case SPECIAL_LANEMASK_LE:
        return bit | below;
    case SPECIAL_LANEMASK_GT:
        return ~(bit | below);
    default:
        return ~below;
    }
}

static uint64_t special_value(const struct ptx_block *b,
                              const struct ptx_warp *w, enum ptx_special s,
                              uint32_t lane)
{
    if (s <= SPECIAL_NCLUSTERID_Z)
        return position(b, w->index * WARP_LANES + lane, s);
    if (s >= SPECIAL_LANEMASK_EQ && s <= SPECIAL_LANEMASK_GT)
        return lane_mask(s, lane);
    switch (s) {
    case SPECIAL_CLUSTER_CTARANK:
        return b->rank;
    case SPECIAL_CLUSTER_NCTARANK:
        return b->peers;
    case SPECIAL_LANEID:
        return lane;
    case SPECIAL_WARPID:
        return w->index;
    case SPECIAL_NWARPID:
        return b->warps;
    case SPECIAL_DYNAMIC_SMEM:
        return b->launch->dynamic_shared_bytes;
    case SPECIAL_TOTAL_SMEM:
        return b->launch->shared_bytes;
    case SPECIAL_GRID_HIGH:
        return b->launch->workspace >> 32;
    case SPECIAL_GRID_LOW:
        return (uint32_t)b->launch->workspace;
    case SPECIAL_NSMID:
        return 1;
    default:
        return 0;
    }
}

static void fill(const struct ptx_block *b, const struct ptx_warp *w,
                 int32_t slot, uint64_t value)
{
    if (slot == PTX_SLOT_NONE)
        return;
    uint64_t *d = ptx_slot(b, w, slot);
    for (int i = 0; i < WARP_LANES; i++)
        d[i] = value;
}

void ptx_fill_specials(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_code *c, uint64_t local)
{
    for (size_t k = 0; k < c->specials; k++) {
        uint64_t *d = ptx_slot(b, w, c->special[k].slot);
        for (uint32_t i = 0; i < WARP_LANES; i++)
            d[i] = special_value(b, w, c->special[k].special, i);
    }
    fill(b, w, c->local_base, local);
    fill(b, w, c->stack, local + c->local_bytes);
}

void ptx_refresh_clocks(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    const struct ptx_code *c = &b->launch->program->code[f->function];
    for (size_t k = 0; k < c->specials; k++) {
        enum ptx_special s = c->special[k].special;
        if (s < SPECIAL_CLOCK)
            continue;
        bool high = s == SPECIAL_CLOCK_HI || s == SPECIAL_GLOBALTIMER_HI;
        bool whole = s == SPECIAL_CLOCK64 || s == SPECIAL_GLOBALTIMER;
        uint64_t *d = ptx_slot(b, w, c->special[k].slot);
        for (int i = 0; i < WARP_LANES; i++)
            d[i] = high    ? w->steps >> 32
                   : whole ? w->steps
                           : (uint32_t)w->steps;
    }
}
