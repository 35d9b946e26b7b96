/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where diverged lanes of a warp meet again: at the immediate post-dominator of
 * the branch (Fung et al., MICRO 2007) within the smallest loop that none of
 * them leaves, so that lanes which leave a loop keep no others apart. Compilers
 * place the instructions for it likewise: BSSY and BSYNC where lanes of a trip
 * meet, BREAK before they leave (sm_70 and later), SSY, PCNT and PBK before. */
#ifndef KERNELS_PTX_EXECUTE_RECONVERGENCE_H
#define KERNELS_PTX_EXECUTE_RECONVERGENCE_H

#include "kernels/ptx/execute/decode.h"

/* Fill in reconverge, depth and leaves of the function's branches. A guarded
 * return or exit does not count as a way out: its lanes are gone, the others go
 * on. False: no memory. */
bool ptx_find_reconvergence(struct ptx_program *p, uint32_t function);

#endif
