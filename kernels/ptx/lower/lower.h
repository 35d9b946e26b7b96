/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From decoded PTX to the static instructions that engines see: peephole.c
 * leaves out what an assembler does, expand.c has what takes
 * several instructions, schedule.c puts them in order. */
#ifndef KERNELS_PTX_LOWER_LOWER_H
#define KERNELS_PTX_LOWER_LOWER_H

#include "kernels/form/kernel.h"
#include "kernels/ptx/execute/exec.h"

/* What an op became: `count` instructions from ptx_lowered.inst[first] on.
 * Those of a run of ops that a warp always executes together may stand in any
 * order: when it is through the last op of the run, it has made all of them,
 * and they go by as they stand. */
struct ptx_made {
    uint32_t first, count;
    bool last_of_run;
    /* A branch that became predicates: the ops that are without lanes when all
     * jump, and when none does. */
    struct ptx_ops {
        uint32_t first, count; /* behind the branch */
    } when_all, when_none;
};

struct ptx_lowered {
    struct ptx_made *of; /* op */
    uint32_t *inst;
    uint32_t exit_inst; /* the entry's last */
    uint32_t registers; /* of 32 bits, live at the same time at most, and the
                         * stack's */
};

/* Fill k->inst and k->inst_count with the entry's code and that of every
 * function it may call, for so many registers a thread (0: not given) and
 * texels of so many bytes. False: no memory. */
bool ptx_lower(struct ptx_lowered *out, struct kernel *k,
               const struct ptx_launch *launch, uint32_t registers,
               uint32_t texel_bytes);
void ptx_lowered_free(struct ptx_lowered *l);

#endif
