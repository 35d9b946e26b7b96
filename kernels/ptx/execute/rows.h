/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a frame keeps its slots: compilers name every value anew, and of
 * hundreds of names some tens are live at the same time. */
#ifndef KERNELS_PTX_EXECUTE_ROWS_H
#define KERNELS_PTX_EXECUTE_ROWS_H

#include "kernels/ptx/execute/decode.h"

/* Fill in code.row and code.rows of a function whose code is final: slots whose
 * live ranges do not meet may share a row of 32 lanes. What an op reads is live
 * until the op is through, so that no result is in a row of its sources. False:
 * no memory. */
bool ptx_place_rows(struct ptx_program *p, uint32_t function);

#endif
