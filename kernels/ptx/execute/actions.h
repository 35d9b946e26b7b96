/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What executes an instruction: a function for each action of the instruction
 * table (enum ptx_action), which exec.c calls. They take the lanes `mask`, at
 * least one, and write what the step did to b->event. False with the error set:
 * the run is over. */
#ifndef KERNELS_PTX_EXECUTE_ACTIONS_H
#define KERNELS_PTX_EXECUTE_ACTIONS_H

#include "kernels/ptx/execute/exec.h"

typedef bool ptx_execute(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask);

/* exec_lanes.c */
ptx_execute ptx_execute_lanes, ptx_execute_compare, ptx_execute_logic;
ptx_execute ptx_execute_trips; /* exec_trips.c */
ptx_execute ptx_execute_carry; /* exec_carry.c */
ptx_execute ptx_execute_move;  /* exec_move.c */

/* exec_memory.c */
ptx_execute ptx_execute_load, ptx_execute_store;
ptx_execute ptx_execute_cvta, ptx_execute_isspacep;

ptx_execute ptx_execute_atomic; /* exec_atomic.c */
ptx_execute ptx_execute_stack;  /* exec_stack.c */
/* What the instruction's reduction makes of so many bytes of a type, with those
 * of `values`. */
void ptx_reduce_into(uint8_t *bytes, const uint8_t *values, size_t count,
                     enum ptx_type type, const struct ptx_op *op);

/* exec_warp.c */
ptx_execute ptx_execute_shuffle, ptx_execute_vote, ptx_execute_match;
ptx_execute ptx_execute_active_mask, ptx_execute_redux, ptx_execute_elect;

/* exec_matrix.c, exec_wmma.c */
ptx_execute ptx_execute_mma, ptx_execute_ldmatrix, ptx_execute_stmatrix;
ptx_execute ptx_execute_movmatrix;
ptx_execute ptx_execute_wmma_move, ptx_execute_wmma_mma;
ptx_execute ptx_execute_wgmma, ptx_execute_wgmma_group; /* exec_wgmma.c */

ptx_execute ptx_execute_mbarrier; /* exec_mbarrier.c; it moves the warp on */

/* exec_cluster.c; the first moves the warp on itself. */
ptx_execute ptx_execute_cluster_barrier, ptx_execute_map_rank;

/* exec_copy.c; the bulk copy moves the warp on itself. */
ptx_execute ptx_execute_copy, ptx_execute_copy_group, ptx_execute_copy_arrive;
ptx_execute ptx_execute_bulk_copy;
ptx_execute ptx_execute_async_store;
ptx_execute ptx_execute_tensor_copy; /* exec_tensor.c; likewise */

/* exec_texture.c, exec_surface.c */
ptx_execute ptx_execute_texture, ptx_execute_texture_query;
ptx_execute ptx_execute_surface;

/* exec_flow.c; these move the warp on themselves. */
ptx_execute ptx_execute_branch, ptx_execute_branch_index, ptx_execute_call;
ptx_execute ptx_execute_return, ptx_execute_exit, ptx_execute_trap;
/* exec_library.c: of a function without a body; the warp stays at the call. */
bool ptx_execute_library(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t function,
                         uint32_t mask);
/* Where paths end or meet: leave w at the path to execute next. */
bool ptx_reconverge(struct ptx_block *b, struct ptx_warp *w);

ptx_execute ptx_execute_barrier; /* exec_barrier.c */
/* After a warp ended: barriers that waited for no one else open. */
void ptx_release_barriers(struct ptx_block *b);

#endif
