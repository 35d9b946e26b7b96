/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of instructions inside basic blocks. */
#ifndef KERNELS_PTX_LOWER_SCHEDULE_H
#define KERNELS_PTX_LOWER_SCHEDULE_H

#include "kernels/ptx/lower/lower_code.h"

/* Reorder c->low between leaders so that results are there when they are read,
 * loads early above all, in at most `registers` registers of 32 bits; 0: in as
 * many as the source order takes, or as hamper no resident warp. Where they do
 * not suffice, the source order stays. False: no memory. */
bool ptx_schedule(struct ptx_low_code *c, uint32_t registers);

#endif
