/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases of a kernel (paws Sec. III-A and IV-B1). The analysis is declared in
 * kernels/form/kernel.h; this is what it measures with.
 *
 * A phase's length is "an approximation of the minimum number of cycles that a
 * warp would take to reach the end of a phase" (Sec. III-B), the sum of its
 * instructions' latencies. The paper gives no latencies, but two lengths, 18
 * and 10, of a vector addition (Fig. 4). It was made with GPGPU-Sim 3.2 and
 * PTXPlus, which is GT200 machine code. The vector addition as compiled for
 * GT200 has these lengths with the latencies by opcode that GPGPU-Sim has for
 * Fermi, and not with those that it has for GT200:
 *
 *   MOV.U16 I2I IMAD.U16 SHL IADD32 IADD32 GLD GLD    1+1+5+1+4+4+1+1 = 18
 *   IADD32 IADD32 GST exit                            4+4+1+1         = 10
 *
 * One table serves every kernel and GPU, because phases are a property of the
 * program, fixed when it is compiled. */
#ifndef KERNELS_FORM_PHASES_H
#define KERNELS_FORM_PHASES_H

#include "kernels/form/kernel.h"

/* Cycles that an instruction adds to its phase, by its mnemonic up to the first
 * dot and its class. */
uint32_t phase_cycles(const struct inst *i);

/* The phases when basic blocks do not start new ones: only a dependence does,
 * in the order of the code. Sec. IV-B1 says that they do, Sec. III-A's
 * definition does not, and Table II has two phases for kernels with loops. To
 * be freed; NULL with e set: no memory. */
struct phase *phases_by_dependence(const struct kernel *k, uint32_t *count,
                                   struct error *e);

#endif
