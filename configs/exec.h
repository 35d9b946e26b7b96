/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How an SM executes instructions, for both engines: one row for each execution
 * class and one for each kind of unit, made from a GPU. A class or a unit more
 * costs its row in configs/exec.c and its keys. Cycles are core cycles. */
#ifndef CONFIGS_EXEC_H
#define CONFIGS_EXEC_H

#include "configs/gpu.h"
#include "kernels/form/kernel.h"

/* Classes with a latency and an initiation interval of their own. Those up to
 * EXEC_BRANCH have keys of both, those before it one of energy; the model times
 * what stands before EXEC_CONTROL. */
enum exec_class {
    EXEC_INT,
    EXEC_IMUL,
    EXEC_SP,
    EXEC_SFU,
    EXEC_DP,
    EXEC_TENSOR,
    EXEC_BRANCH,
    EXEC_MEM,     /* loads, stores, atomics: the memory system times these */
    EXEC_CONTROL, /* exits and barriers */
    EXEC_CLASSES  /* also: none, of an instruction that no unit executes */
};

/* Kinds of pipelines an SM has. */
enum exec_unit {
    UNIT_SP,
    UNIT_INT,
    UNIT_SFU,
    UNIT_DP,
    UNIT_TENSOR,
    UNIT_BRANCH,
    UNIT_MEM,
    EXEC_UNITS /* also: none */
};

struct exec_unit_row {
    const char *name;         /* NAME of the key unit.NAME */
    enum exec_unit otherwise; /* where its classes run when count is 0 */
    enum exec_unit pool;      /* whose operand collectors it takes */
    int count;                /* pipelines */
    int collectors;           /* in its pool, unless any class may take any */
    int registers;            /* pipeline registers on either side of these */
    int moves; /* instructions that enter, and that leave, collectors of their
                * own in a read step */
    int per_warp; /* of the pipelines, those that one warp may use */
};

struct exec_class_row {
    const char *name;    /* NAME of the keys latency.NAME and interval.NAME */
    enum exec_unit unit; /* that executes it, after all fallbacks */
    int latency;         /* from operands read to result; EXEC_MEM: 0 */
    int interval;        /* between two warps that enter one pipeline */
    double energy;       /* of a lane's operation, pJ */
    int result;    /* from entering the pipeline to the write of the result */
    int dependent; /* from issue to issue of an instruction that reads it */
};

struct exec_table {
    struct exec_unit_row unit[EXEC_UNITS];
    struct exec_class_row class[EXEC_CLASSES];
    uint8_t class_of[OP_CLASSES]; /* enum exec_class */
    int overhead;                 /* a class's dependent - latency */
    int macs;      /* multiply-adds of the matrix instruction that
                    * interval.tensor and interval.wgmma are of */
    int wgmma;     /* initiation interval of a warpgroup's product */
    int predicate; /* latency of what writes only predicates */
    int refill_at; /* a warp's instruction buffer is refilled when it holds at
                    * most so many */
};

void exec_table_init(struct exec_table *t, const struct gpu *g);

/* Cycles in which the pipeline that took the instruction takes no other: its
 * class's interval, of a matrix instruction in proportion to its
 * multiply-adds. */
int exec_interval(const struct exec_table *t, const struct inst *i);

/* Cycles that an instruction's results come later than those of its class: a
 * predicate's, sm.predicate_latency. */
int exec_late(const struct exec_table *t, const struct inst *i);

/* The unit an instruction goes to; EXEC_UNITS when it needs none. */
enum exec_unit exec_unit_of(const struct exec_table *t, enum op_class op);

#endif
