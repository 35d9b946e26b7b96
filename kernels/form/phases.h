/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases of a kernel (paws Sec. III-A and IV-B1). The analysis is declared in
 * kernels/form/kernel.h; this is the table it measures with.
 *
 * A phase's length is "an approximation of the minimum number of cycles that a
 * warp would take to reach the end of a phase" (Sec. III-B), the sum of its
 * instructions' latencies. The paper gives no latencies. They cannot be the
 * machine's result latencies (18 cycles and more on Fermi): Table II has whole
 * phases of 3, 5 and 7 cycles. What fits is the cost of issuing: the core
 * cycles an instruction of one warp keeps its unit busy on the paper's machine
 * (Table I: a Fermi SM with 32 ALUs in two groups of 16 lanes, 4 SFUs and 16
 * load/store units). One table serves every kernel and GPU, because phases are
 * a property of the program, fixed when it is compiled. */
#ifndef KERNELS_FORM_PHASES_H
#define KERNELS_FORM_PHASES_H

#include "kernels/form/kernel.h"

/* Cycles an instruction adds to its phase, by class. */
extern const uint32_t phase_latency[OP_CLASSES];

#endif
