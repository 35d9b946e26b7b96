/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The streams of a PTX kernel. */
#ifndef KERNELS_PTX_LAUNCH_STREAM_H
#define KERNELS_PTX_LAUNCH_STREAM_H

#include "kernels/ptx/launch/sequence.h"
#include "kernels/ptx/lower/lower.h"

struct ptx_source { /* kernel.source */
    struct ptx_sequence *turns;
    const struct ptx_part *part; /* of them */
    uint32_t turn;
    struct ptx_lowered lowered;
    bool in_turns;       /* warps see each other: a fixed order of them */
    atomic_bool faulted; /* a block could not go on .. */
    struct error fault;  /* .. and why, written once before `faulted` */
    atomic_flag fault_taken;
};

extern const struct kernel_source_ops ptx_source_ops;

#endif
