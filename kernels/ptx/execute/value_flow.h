/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where values go inside a function, whatever the order of execution: a
 * register that once holds what derives from an origin counts as holding it
 * always. Calls hand nothing on. */
#ifndef KERNELS_PTX_EXECUTE_VALUE_FLOW_H
#define KERNELS_PTX_EXECUTE_VALUE_FLOW_H

#include "kernels/ptx/execute/exec.h"

struct ptx_value_flow {
    const struct ptx_program *program;
    const struct ptx_code *code;
    uint32_t *first;  /* slot -> first of its readers, [slots + 1] */
    uint32_t *reader; /* ops of the function */
    bool *holds;      /* slot */
    bool *stored;     /* op: a store that has handed on what it writes */
    int32_t *work;
    uint32_t waiting;
    bool addresses; /* what lies at an address that holds does not hold itself
                     * where memory is read; but for what was stored in shared
                     * or local memory */
    const struct ptx_op *path, *address; /* the first that it decides */
};

/* Nothing holds. False: no memory; close it in either case. */
bool ptx_value_flow_open(struct ptx_value_flow *f, const struct ptx_program *p,
                         uint32_t function);
void ptx_value_flow_close(struct ptx_value_flow *f);

/* Nothing holds any longer. */
void ptx_value_flow_forget(struct ptx_value_flow *f);
/* A register holds, what an op writes holds. */
void ptx_value_flow_hold(struct ptx_value_flow *f, int32_t slot);
void ptx_value_flow_hold_results(struct ptx_value_flow *f,
                                 const struct ptx_op *op);
/* ... and all that derives from those, directly or through registers, shared
 * and local memory. */
void ptx_value_flow_follow(struct ptx_value_flow *f);

static inline const struct ptx_op *
ptx_value_flow_op(const struct ptx_value_flow *f, uint32_t at)
{
    return &f->program->op[f->code->first + at];
}

/* Whether the op reads or writes memory lane by lane; and global memory. */
bool ptx_accesses_memory(const struct ptx_op *op);
bool ptx_accesses_global(const struct ptx_op *op);
/* Whether its address holds. */
bool ptx_value_flow_reaches(const struct ptx_value_flow *f,
                            const struct ptx_op *op);

#endif
