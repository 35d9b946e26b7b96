/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machine registers for the slots of a function. */
#ifndef KERNELS_PTX_RANGES_H
#define KERNELS_PTX_RANGES_H

#include "kernels/kernel.h"
#include "kernels/ptx/decode.h"

#define PTX_NO_REGISTER UINT16_MAX

/* Fill number[slot] with a register's name as struct inst has it, or
 * PTX_NO_REGISTER for slots that are none (special registers). Returns how many
 * registers of 32 bits are live at the same time at most; 0 with *ok false when
 * memory runs out. */
uint32_t ptx_number_registers(const struct ptx_program *p, uint32_t function,
                              uint16_t *number, bool *ok);

/* The slots that an op writes and reads, PTX_SLOT_NONE and constants left out;
 * at most PTX_PARTS_MAX + 4 each. */
size_t ptx_slots_written(const struct ptx_op *op, int32_t *out);
size_t ptx_slots_read(const struct ptx_op *op, int32_t *out);

#endif
