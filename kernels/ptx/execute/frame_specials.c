/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/frame.h"

/* %tid of the lanes of a warp, one after another. */
static void fill_tid(const struct ptx_block *b, const struct ptx_warp *w,
                     enum ptx_special s, uint64_t *out)
{
    const struct dim3 *n = &b->launch->block;
    uint32_t first = w->index * WARP_LANES;
    struct dim3 at = {first % n->x, first / n->x % n->y, first / n->x / n->y};
    for (int i = 0; i < WARP_LANES; i++) {
        out[i] = s == SPECIAL_TID_X ? at.x : s == SPECIAL_TID_Y ? at.y : at.z;
        at.x = at.x + 1 < n->x ? at.x + 1 : 0;
        at.y += at.x == 0;
        if (at.y == n->y) {
            at.y = 0;
            at.z++;
        }
    }
}

/* %ntid, %ctaid, %nctaid, then what clusters have: three of each, in this order
 * behind %tid. */
static uint64_t position(const struct ptx_block *b, enum ptx_special s)
{
    const struct ptx_launch *l = b->launch;
    const struct dim3 own =
        l->cluster.x > 0 ? l->cluster : (struct dim3){1, 1, 1};
    const struct dim3 inside = {b->id.x % own.x, b->id.y % own.y,
                                b->id.z % own.z};
    const struct dim3 cluster = {b->id.x / own.x, b->id.y / own.y,
                                 b->id.z / own.z};
    const struct dim3 clusters = {l->grid.x / own.x, l->grid.y / own.y,
                                  l->grid.z / own.z};
    const struct dim3 *const of[] = {&l->block, &b->id,   &l->grid, &inside,
                                     &own,      &cluster, &clusters};
    const struct dim3 *d = of[s / 3 - 1];
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

static void fill_lanes(enum ptx_special s, uint64_t *out)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out[i] = s == SPECIAL_LANEID ? i : lane_mask(s, i);
}

/* Of those that all lanes have alike. */
static uint64_t special_value(const struct ptx_block *b,
                              const struct ptx_warp *w, enum ptx_special s)
{
    if (s <= SPECIAL_NCLUSTERID_Z)
        return position(b, s);
    switch (s) {
    case SPECIAL_CLUSTER_CTARANK:
        return b->rank;
    case SPECIAL_CLUSTER_NCTARANK:
        return b->peers;
    case SPECIAL_WARPID:
        return w->index;
    case SPECIAL_NWARPID:
        return b->warps;
    case SPECIAL_DYNAMIC_SMEM:
        return b->launch->dynamic_shared_bytes;
    case SPECIAL_TOTAL_SMEM:
        return b->launch->shared_bytes;
    case SPECIAL_RESERVED_BEGIN:
    case SPECIAL_RESERVED_0:
        return ptx_reserved_shared(b->launch);
    case SPECIAL_RESERVED_1:
        return ptx_reserved_shared(b->launch) + RESERVED_SHARED_BYTES / 2;
    case SPECIAL_RESERVED_END:
        return ptx_shared_room(b->launch);
    case SPECIAL_RESERVED_CAP:
        return RESERVED_SHARED_BYTES;
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
        enum ptx_special s = c->special[k].special;
        uint64_t *d = ptx_slot(b, w, c->special[k].slot);
        if (s <= SPECIAL_TID_Z)
            fill_tid(b, w, s, d);
        else if (s == SPECIAL_LANEID ||
                 (s >= SPECIAL_LANEMASK_EQ && s <= SPECIAL_LANEMASK_GT))
            fill_lanes(s, d);
        else
            fill(b, w, c->special[k].slot, special_value(b, w, s));
    }
    fill(b, w, c->local_base, local);
    fill(b, w, c->stack, local + c->local_bytes);
}

/* Cycles from an instruction to one that waits for it, of the arithmetic of
 * Volta and later (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture
 * via Microbenchmarking", 2018, table 4.1): what a warp that is alone takes for
 * a step at least. */
#define STEP_CYCLES 4

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
        uint64_t now = STEP_CYCLES * w->steps;
        fill(b, w, c->special[k].slot,
             high    ? now >> 32
             : whole ? now
                     : (uint32_t)now);
    }
}
