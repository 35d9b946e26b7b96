/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/wide.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

/* Fences, prefetches. */
static bool execute_nothing(struct ptx_block *b, struct ptx_warp *w,
                            const struct ptx_op *op, uint32_t mask)
{
    (void)b;
    (void)w;
    (void)op;
    (void)mask;
    return true;
}

static const struct action {
    ptx_execute *execute;
    bool moves_on; /* it sets the warp's next instruction itself */
} actions[ACTIONS] = {
    [ACTION_LANES] = {ptx_execute_lanes, false},
    [ACTION_COMPARE] = {ptx_execute_compare, false},
    [ACTION_TRIPS] = {ptx_execute_trips, false},
    [ACTION_ADD_CC] = {ptx_execute_carry, false},
    [ACTION_ADDC] = {ptx_execute_carry, false},
    [ACTION_SUB_CC] = {ptx_execute_carry, false},
    [ACTION_SUBC] = {ptx_execute_carry, false},
    [ACTION_MAD_CC] = {ptx_execute_carry, false},
    [ACTION_MADC] = {ptx_execute_carry, false},
    [ACTION_LOGIC] = {ptx_execute_logic, false},
    [ACTION_STACK_ALLOCATE] = {ptx_execute_stack, false},
    [ACTION_STACK_SAVE] = {ptx_execute_stack, false},
    [ACTION_STACK_RESTORE] = {ptx_execute_stack, false},
    [ACTION_MOVE] = {ptx_execute_move, false},
    [ACTION_NOTHING] = {execute_nothing, false},
    [ACTION_LOAD] = {ptx_execute_load, false},
    [ACTION_STORE] = {ptx_execute_store, false},
    [ACTION_ATOMIC] = {ptx_execute_atomic, false},
    [ACTION_REDUCE] = {ptx_execute_atomic, false},
    [ACTION_COPY] = {ptx_execute_copy, false},
    [ACTION_BRANCH] = {ptx_execute_branch, true},
    [ACTION_BRANCH_INDEX] = {ptx_execute_branch_index, true},
    [ACTION_CALL] = {ptx_execute_call, true},
    [ACTION_RETURN] = {ptx_execute_return, true},
    [ACTION_EXIT] = {ptx_execute_exit, true},
    [ACTION_TRAP] = {ptx_execute_trap, true},
    [ACTION_BARRIER] = {ptx_execute_barrier, false},
    [ACTION_SHUFFLE] = {ptx_execute_shuffle, false},
    [ACTION_VOTE] = {ptx_execute_vote, false},
    [ACTION_MATCH] = {ptx_execute_match, false},
    [ACTION_ACTIVE_MASK] = {ptx_execute_active_mask, false},
    [ACTION_REDUX] = {ptx_execute_redux, false},
    [ACTION_ELECT] = {ptx_execute_elect, false},
    [ACTION_CONVERT_ADDRESS] = {ptx_execute_cvta, false},
    [ACTION_MATRIX] = {ptx_execute_mma, false},
    [ACTION_LOAD_MATRIX] = {ptx_execute_ldmatrix, false},
    [ACTION_STORE_MATRIX] = {ptx_execute_stmatrix, false},
    [ACTION_MOVE_MATRIX] = {ptx_execute_movmatrix, false},
    [ACTION_LOAD_FRAGMENT] = {ptx_execute_wmma_move, false},
    [ACTION_STORE_FRAGMENT] = {ptx_execute_wmma_move, false},
    [ACTION_MULTIPLY_FRAGMENTS] = {ptx_execute_wmma_mma, false},
    [ACTION_SPACE_TEST] = {ptx_execute_isspacep, false},
    [ACTION_TEXTURE] = {ptx_execute_texture, false},
    [ACTION_GATHER] = {ptx_execute_texture, false},
    [ACTION_SURFACE_LOAD] = {ptx_execute_surface, false},
    [ACTION_SURFACE_STORE] = {ptx_execute_surface, false},
    [ACTION_QUERY] = {ptx_execute_texture_query, false},
    [ACTION_MBARRIER] = {ptx_execute_mbarrier, true},
    [ACTION_COPY_GROUP] = {ptx_execute_copy_group, false},
    [ACTION_COPY_ARRIVE] = {ptx_execute_copy_arrive, false},
    [ACTION_WGMMA] = {ptx_execute_wgmma, false},
    [ACTION_WGMMA_GROUP] = {ptx_execute_wgmma_group, false},
    [ACTION_CLUSTER_BARRIER] = {ptx_execute_cluster_barrier, true},
    [ACTION_MAP_RANK] = {ptx_execute_map_rank, false},
    [ACTION_ASYNC_STORE] = {ptx_execute_async_store, false},
    [ACTION_TENSOR_COPY] = {ptx_execute_tensor_copy, true},
    [ACTION_BULK_COPY] = {ptx_execute_bulk_copy, true},
};

/* How many lanes of a mask are active; mostly all. */
static unsigned lanes_of(uint32_t mask)
{
    return mask == UINT32_MAX ? WARP_LANES : (unsigned)__builtin_popcount(mask);
}

/* The lanes whose predicate holds. */
FOR_PROCESSORS("avx2")
static uint32_t holding(const uint64_t *predicate)
{
    uint64_t holds = 0;
    for (uint64_t i = 0; i < WARP_LANES; i++)
        holds |= (predicate[i] & 1) << i;
    return (uint32_t)holds;
}

static uint32_t guarded(const struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    if (op->guard == PTX_SLOT_NONE)
        return mask;
    uint32_t holds = holding(ptx_slot(b, w, op->guard));
    return mask & (op->guard_negated ? ~holds : holds);
}

static bool execute(struct ptx_block *b, struct ptx_warp *w,
                    const struct ptx_op *op, uint32_t mask)
{
    const struct action *a = &actions[op->action];
    if (!a->execute(b, w, op, mask))
        return false;
    if (!a->moves_on)
        ptx_top(w)->pc++;
    return true;
}

bool ptx_step(struct ptx_block *b, struct ptx_warp *w)
{
    struct ptx_path *p = ptx_top(w);
    const struct ptx_op *op = &b->launch->program->op[p->pc];
    uint32_t mask = guarded(b, w, op, p->mask);
    if (w->steps == b->launch->steps_max && op->inst != NULL)
        return ptx_fault(b, w, op,
                         "found no end of the warp after %llu instructions, "
                         "as of one that waits for another block",
                         (unsigned long long)w->steps);
    b->event.op = op;
    b->event.mask = mask;
    b->event.taken = 0;
    b->event.signal = b->event.await = b->event.await_count = 0;
    if (mask == 0 && op->leaves != LEAVES_REST)
        p->pc++;
    else if (!execute(b, w, op, mask))
        return false;
    if (w->state == WARP_POLLING)
        return true;
    w->steps++;
    b->warp_steps++;
    b->lane_steps += lanes_of(mask);
    return w->state == WARP_ENDED || ptx_reconverge(b, w);
}
