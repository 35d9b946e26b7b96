/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The streams of a PTX kernel. */
#ifndef KERNELS_PTX_STREAM_H
#define KERNELS_PTX_STREAM_H

#include "kernels/ptx/launch.h"
#include "kernels/ptx/lower.h"

#include <stdatomic.h>

struct ptx_source { /* kernel.source */
    struct ptx_module module;
    struct ptx_session session;
    struct ptx_lowered lowered;
    bool in_turns;       /* atomics return values: a fixed order of warps */
    atomic_bool faulted; /* a block could not go on .. */
    struct error fault;  /* .. and why, written once before `faulted` */
    atomic_flag fault_taken;
};

extern const struct kernel_source_ops ptx_source_ops;

#endif
