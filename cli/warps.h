/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which phase each warp of an SM is in, cycle by cycle, at the beginning of a
 * run in full detail. */
#ifndef CLI_WARPS_H
#define CLI_WARPS_H

#include "cli/points.h"

#define WARP_SLOTS_MAX 64

/* A warp slot in one phase of one warp. */
struct warp_span {
    int slot;
    uint32_t phase;
    uint64_t from, to; /* cycles */
};

struct warps {
    struct warp_span *span; /* by their ends */
    size_t spans, room;
    int slots;
    uint64_t begin, end; /* the first warp comes, and what was seen ends */
    bool whole;          /* it ends since the first warps have all left */
    bool failed;         /* memory is out */
    uint64_t live, first, left; /* warp slots: in use; by the first warps; which
                                 * these have left */
    uint64_t since[WARP_SLOTS_MAX], block[WARP_SLOTS_MAX];
    uint32_t warp[WARP_SLOTS_MAX], phase[WARP_SLOTS_MAX];
};

/* Watch SM 0 of the plan's only point from its first warp on until all warps
 * that came with it have left, at most so many cycles. warps_free() in either
 * case. */
bool warps_watch(struct warps *out, const struct plan *p, uint64_t most,
                 struct estimate_error *e);
void warps_free(struct warps *w);

#endif
