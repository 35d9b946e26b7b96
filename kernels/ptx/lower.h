/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From decoded PTX to the static instructions that engines see. Parameter
 * loads, address conversions and moves of constants are no instructions of the
 * machine and drop out; every other op becomes one. Registers are numbered by
 * linear scan over live ranges (Poletto and Sarkar, TOPLAS 21(5), 1999). */
#ifndef KERNELS_PTX_LOWER_H
#define KERNELS_PTX_LOWER_H

#include "kernels/kernel.h"
#include "kernels/ptx/exec.h"

struct ptx_lowered {
    uint32_t *inst_of;  /* op -> instruction, NO_INST: none */
    uint32_t exit_inst; /* the entry's last */
    uint32_t registers; /* of 32 bits, live at the same time at most */
};

/* Fill k->inst and k->inst_count with the entry's code and that of every
 * function it may call. False: no memory. */
bool ptx_lower(struct ptx_lowered *out, struct kernel *k,
               const struct ptx_launch *launch);
void ptx_lowered_free(struct ptx_lowered *l);

#endif
