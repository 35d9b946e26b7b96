/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clusters of blocks (PTX ISA 9.0, sections 9.7.13.4, 9.7.9.23 and 9.7.9.24):
 * their barrier, and which block an address belongs to. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

/* What is noted of the phase with a number, of a few that may overlap. */
static struct ptx_cluster_phase *phase_of(struct ptx_block *b, uint64_t number)
{
    return &b->cluster_phase[number % PTX_CLUSTER_PHASES];
}

/* Warps that have ended have arrived for good. */
static bool all_arrived(const struct ptx_block *b, uint64_t arrivals)
{
    for (uint32_t p = 0; p < b->peers; p++)
        for (uint32_t i = 0; i < b->peer[p]->warps; i++) {
            const struct ptx_warp *w = &b->peer[p]->warp[i];
            if (w->state != WARP_ENDED && w->cluster_arrivals < arrivals)
                return false;
        }
    return true;
}

static void arrive(struct ptx_block *b, struct ptx_warp *w)
{
    struct ptx_cluster_phase *phase = phase_of(b, ++w->cluster_arrivals);
    if (phase->number != w->cluster_arrivals)
        *phase = (struct ptx_cluster_phase){.number = w->cluster_arrivals,
                                            .signal = ++b->signals};
    phase->events++;
    b->event.signal = phase->signal;
    ptx_block_wake(b);
}

/* The streams wait for the block's own warps: the others are not there. */
static void wait(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op)
{
    if (!all_arrived(b, w->cluster_arrivals)) {
        w->state = WARP_POLLING;
        w->waiting = op;
        return;
    }
    w->tests_once = false;
    if (w->cluster_arrivals > 0) {
        const struct ptx_cluster_phase *phase =
            phase_of(b, w->cluster_arrivals);
        b->event.await = phase->signal;
        b->event.await_count = phase->events;
    }
    ptx_top(w)->pc++;
}

bool ptx_execute_cluster_barrier(struct ptx_block *b, struct ptx_warp *w,
                                 const struct ptx_op *op, uint32_t mask)
{
    (void)mask;
    if (op->inst->modifier[GROUP_SYNC] == MOD_ARRIVE) {
        arrive(b, w);
        ptx_top(w)->pc++;
    } else {
        wait(b, w, op);
    }
    return true;
}

bool ptx_execute_map_rank(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    const uint64_t *rank = ptx_slot(b, w, op->source[op->sources - 1]);
    uint64_t value[WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t of = from[i] >> PTX_RANK_BITS & 0xFF;
        if (op->sources == 1)
            value[i] = of == 0 ? b->rank : of - 1;
        else
            value[i] = (from[i] & ~(UINT64_C(0xFF) << PTX_RANK_BITS)) |
                       (rank[i] + 1) << PTX_RANK_BITS;
        if (ptx_lane_is_in(mask, i) && op->sources == 2 && rank[i] >= b->peers)
            return ptx_fault(b, w, op,
                             "lane %d: found rank %llu, expected one of a "
                             "cluster of %u blocks",
                             i, (unsigned long long)rank[i], b->peers);
    }
    ptx_write(b, w, op->result[0], mask, value);
    return true;
}
