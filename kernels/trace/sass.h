/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NVIDIA machine code (SASS, sm_35 to sm_90) as traces print it: what an opcode
 * such as "LDG.E.128.SYS" asks of the machine, and which registers it touches.
 * The table is kernels/trace/sass_table.c. */
#ifndef KERNELS_TRACE_SASS_H
#define KERNELS_TRACE_SASS_H

#include "kernels/form/kernel.h"

#include <stddef.h>

#define SASS_RZ 255 /* reads as zero, discards what is written */

enum sass_flag {
    SASS_ADDRESS = 1 << 0, /* moves data at addresses the trace lists */
    SASS_GENERIC = 1 << 1, /* its space follows from the address */
    /* A predicate stands before the destination in the assembly. Tracers take
     * a register for a destination only where it is the first operand, so they
     * list this one's as the first source. */
    SASS_DST_IN_SRC = 1 << 2,
    SASS_WIDE_DST = 1 << 3,  /* the result is a register pair */
    SASS_WIDE_SRC = 1 << 4,  /* operands are register pairs */
    SASS_CONVERGES = 1 << 5, /* waits for other lanes, does not jump */
    SASS_DRAINS = 1 << 6 /* with immediate 0: waits for asynchronous copies */
};

/* A row of the table: opcodes that behave alike. The first row that fits an
 * opcode counts. */
struct sass_entry {
    const char *names;  /* opcodes up to their first dot, by single spaces */
    const char *suffix; /* a part that must follow, NULL = any */
    uint8_t op, space;
    uint8_t flags;
    uint8_t from, to; /* compute capabilities it holds for, 0 = open */
};

extern const struct sass_entry sass_table[];
extern const size_t sass_table_count;

struct sass_op {
    uint8_t op, space; /* SPACE_GLOBAL for generic ones */
    uint8_t flags;
    uint8_t width;  /* bytes a lane moves by the suffixes, 0 = not told */
    bool past_l1;   /* a global load that the L1 may not serve */
    bool address64; /* its address is a register pair */
};

bool sass_arch_known(int arch);

/* False when the table has no such opcode for sm_<arch>. */
bool sass_decode(struct sass_op *out, const char *opcode, size_t length,
                 int arch);

/* The class an unknown opcode is to be taken for: "int", "imul", "sp", "sfu",
 * "dp" or "tensor". False when name is none of them. */
bool sass_class_named(struct sass_op *out, const char *name);

/* Registers as a trace lists them: the first of each operand. */
struct sass_operands {
    uint8_t dst_count, src_count;
    uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
};

/* Fill inst->dst and src: every register of a vector or a pair, none twice, RZ
 * never. inst->width must be set. Registers beyond the room of struct inst are
 * left out. */
void sass_registers(struct inst *inst, const struct sass_op *op,
                    const struct sass_operands *listed);

#endif
