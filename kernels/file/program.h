/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel file's program once assembled, and its stream. The static
 * instructions are in struct kernel; beside them stands a list of nodes, which
 * the stream walks: one for each instruction, and one for each loop, endif and
 * beginning of a subroutine, which are no instructions. */
#ifndef KERNELS_FILE_PROGRAM_H
#define KERNELS_FILE_PROGRAM_H

#include "kernels/file/expr.h"
#include "kernels/form/kernel.h"
#include "kernels/form/memory_map.h"

enum node_kind {
    NODE_PLAIN,   /* an instruction without address */
    NODE_MEMORY,  /* ... with the address `expr` */
    NODE_LOOP,    /* expr: trip count */
    NODE_ENDLOOP, /* to: first node of the body */
    NODE_IF,      /* expr: condition; to: second side's first node, or endif */
    NODE_ELSE,    /* to: the endif */
    NODE_ENDIF,
    NODE_BRANCH, /* a jump to the next instruction */
    NODE_SUB,    /* to: behind its endsub, where what stands before goes on */
    NODE_CALL,   /* to: first node of the subroutine */
    NODE_ENDSUB,
    NODE_EXIT
};

struct node {
    uint8_t kind;
    uint8_t depth;      /* loop, if and their parts: its frame */
    int16_t lane_trips; /* loop: its slot of per-lane trip counts, or -1 */
    uint32_t inst;      /* NO_INST for loop, endif and sub */
    uint32_t to;
    uint32_t scope_end; /* where a side without lanes goes on: the else, endif
                         * or endloop of what the node stands in */
    struct expr expr;
};

struct program {
    struct node *node;
    uint32_t count, capacity;
    struct expr_pool pool;
    int depth;      /* frames a warp needs */
    int lane_trips; /* slots of per-lane trip counts a warp needs */
    bool uses_local;
    uint32_t local_bytes; /* of a thread */
    uint64_t seed;
};

/* Assemble the text between c->at and c->end into k->inst and *out. `scope`
 * holds the launch and the buffers. On failure what was allocated is left in
 * *out and k for program_free and kernel_free. */
bool program_assemble(struct program *out, struct kernel *k,
                      const struct scope *scope, struct cursor *c);
void program_free(struct program *p);

/* kernel.ops of a kernel whose source is a struct program. */
extern const struct kernel_source_ops program_source_ops;

#endif
