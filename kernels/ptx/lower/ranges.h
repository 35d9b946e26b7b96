/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machine registers for the slots of a function. */
#ifndef KERNELS_PTX_LOWER_RANGES_H
#define KERNELS_PTX_LOWER_RANGES_H

#include "kernels/ptx/lower/lower_code.h"

#define PTX_NO_REGISTER UINT16_MAX

/* Fill number[slot] with a register's name as struct inst has it, or
 * PTX_NO_REGISTER for slots that are none (special registers, what was left
 * out), by linear scan over live ranges (Poletto and Sarkar, TOPLAS 21(5),
 * 1999). Returns how many registers of 32 bits are live at the same time at
 * most; *ok is false when memory runs out. */
uint32_t ptx_number_registers(const struct ptx_low_code *c, uint16_t *number,
                              bool *ok);

#endif
