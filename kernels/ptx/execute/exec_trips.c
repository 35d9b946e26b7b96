/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/trips.h"

/* Whether the lane has been through a trip of the loop. */
static bool has_begun(const struct ptx_op *op, const uint64_t *const *s,
                      int lane)
{
    bool ran = !op->trips.begins;
    for (int i = 2; i < op->sources; i++)
        ran |= s[i][lane] != 0;
    return ran;
}

bool ptx_execute_trips(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    const struct ptx_trips *t = &op->trips;
    uint64_t all[WARP_LANES];
    ptx_sources(b, w, op, s);
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t value[2] = {s[0][i], s[1][i]};
        all[i] = 1;
        for (int k = has_begun(op, s, i) ? 0 : 1; k < t->count; k++) {
            uint64_t stepped[2] = {value[0], value[1]};
            stepped[t->counter] += (uint64_t)t->step * (uint64_t)k;
            all[i] &= ptx_whole_holds(op, stepped[0], stepped[1]);
        }
    }
    ptx_write(b, w, op->result[0], mask, all);
    return true;
}
