/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of a warp's asynchronous operations: copies and products. They are
 * done at once; the streams tell when they are complete and who waits. */
#ifndef KERNELS_PTX_EXECUTE_ASYNC_H
#define KERNELS_PTX_EXECUTE_ASYNC_H

#include "kernels/ptx/execute/exec.h"

/* The step is one of the operations: it raises their count. */
void ptx_async_note(struct ptx_block *b, struct ptx_async *a);
/* Those since the last group are one. */
void ptx_async_commit(struct ptx_async *a);
/* The step waits for all operations. */
void ptx_async_wait_all(struct ptx_block *b, const struct ptx_async *a);
/* The step waits for the operations in all groups but the newest `but`. */
void ptx_async_wait(struct ptx_block *b, const struct ptx_async *a,
                    uint64_t but);

#endif
