/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A warp's stack of calls and, above each, its stack of paths (Fung et al.,
 * MICRO 2007). For the files of the executor. */
#ifndef KERNELS_PTX_EXECUTE_FRAME_H
#define KERNELS_PTX_EXECUTE_FRAME_H

#include "kernels/ptx/execute/exec.h"

/* Put a path above all others, or above the first `at`. False: no memory. */
bool ptx_push_path(struct ptx_block *b, struct ptx_warp *w,
                   struct ptx_path path);
bool ptx_insert_path(struct ptx_block *b, struct ptx_warp *w, size_t at,
                     struct ptx_path path);

/* The top path goes on behind its instruction; before it does, some of its
 * lanes come to that once more, on a path of their own. False: no memory. */
bool ptx_come_again(struct ptx_block *b, struct ptx_warp *w, uint32_t lanes);

/* The lanes leave every path from `from` on: those of the frame (a return), or
 * all (an exit). */
void ptx_drop_lanes(struct ptx_warp *w, size_t from, uint32_t mask);

/* The lanes enter a function; call: NULL for the entry. False with the error
 * set: calls are too deep, or no memory. */
bool ptx_push_frame(struct ptx_block *b, struct ptx_warp *w, uint32_t function,
                    const struct ptx_op *call, uint32_t mask);

/* Bytes of local memory of a thread: CUDA C Programming Guide, table 21. */
#define PTX_LOCAL_MAX (UINT64_C(512) << 10)

/* Local memory of every lane up to `bytes`. False: no memory. */
bool ptx_reach_local(struct ptx_block *b, struct ptx_warp *w, uint64_t bytes);

/* From the caller's operands to the top frame's parameters, and back. */
void ptx_pass_arguments(const struct ptx_block *b, const struct ptx_warp *w);
void ptx_pass_results(const struct ptx_block *b, const struct ptx_warp *w);

/* Special registers of the top frame as they are at its start; its local memory
 * begins at `local`. */
void ptx_fill_specials(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_code *c, uint64_t local);
/* Clocks count the warp's own instructions: they go up, nothing more. */
void ptx_refresh_clocks(const struct ptx_block *b, const struct ptx_warp *w);

#endif
