/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unloaded times of a GPU, from its configuration, in core cycles. */
#ifndef MODEL_TIMING_H
#define MODEL_TIMING_H

#include "configs/exec.h"

/* Where the slowest transaction of a load is served. */
enum memory_level { LEVEL_L1, LEVEL_L2, LEVEL_DRAM, MEMORY_LEVELS };

struct timing {
    double load[MEMORY_LEVELS];      /* first transaction to its data */
    double past[MEMORY_LEVELS];      /* of a load past the L1 */
    double step[MEMORY_LEVELS];      /* between an instruction's transactions */
    double store;                    /* to the acknowledgement */
    double memory_step, shared_step; /* load/store unit: a line, a pass */
    double texture_step;             /* texture units: an instruction */
    double shared, constant, texture;
    double to_memory; /* issue to the load/store unit */
    struct exec_table exec;
    /* Of classes below EXEC_CONTROL: */
    double alu[EXEC_CLASSES];      /* issue to issue of a dependent one */
    double interval[EXEC_CLASSES]; /* of the pipelines a warp may use */
};

void timing_init(struct timing *t, const struct gpu *g);

/* The class of an instruction. Of control instructions and fences the model
 * thinks as of integer ones. */
enum exec_class timing_class(const struct timing *t, enum op_class op);

/* How many of its class's intervals an instruction takes: not one only of a
 * matrix instruction. */
double timing_intervals(const struct timing *t, const struct inst *i);

#endif
