/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The assembler's own parts: assemble.c reads lines and ordinary instructions,
 * assemble_operands.c what stands behind an operation's name,
 * assemble_control.c loops and ifs, assemble_nodes.c appends what they make.
 * All functions that return false or NULL have set the error of a->line. */
#ifndef KERNELS_FILE_ASSEMBLER_H
#define KERNELS_FILE_ASSEMBLER_H

#include "kernels/file/opcode.h"
#include "kernels/file/program.h"

#define CONTROL_SOURCES 4 /* registers of a loop or if */
#define SUBROUTINES     16

enum part { PART_LOOP, PART_IF, PART_ELSE };

/* A loop or if not closed yet. */
struct open_scope {
    enum part part;
    const char *at;  /* where it stands */
    uint32_t opener; /* its loop or if node */
    uint32_t other;  /* its else node */
    uint32_t first;  /* first node of the present part */
    uint32_t body;   /* loop: first instruction */
    bool lane_trips;
    uint8_t source_count;
    uint16_t source[CONTROL_SOURCES]; /* loop: read by the endloop */
};

struct subroutine {
    struct word name;
    uint32_t node; /* its first */
};

struct assembler {
    struct program *program;
    struct kernel *kernel;
    struct scope scope;
    struct open_scope open[LOOP_DEPTH]; /* scope.depth of them */
    int lane_trips;                     /* of the loops now open */
    struct subroutine sub[SUBROUTINES];
    int sub_count;
    bool in_sub; /* the last of them is not closed yet */
    uint32_t inst_capacity;
    bool leader; /* the next instruction begins a basic block */
    bool ended;  /* the exit that ends the program was read */
    struct cursor line;
    uint32_t line_number;
};

/* Append a node, and the instruction that belongs to the last node added. They
 * stay where they are until the next one is added. */
struct node *assembler_add_node(struct assembler *a, enum node_kind kind);
struct inst *assembler_add_inst(struct assembler *a, const char *mnemonic,
                                enum op_class op);

/* The number of a register's name r0..r254 or p0..p6; false for other words. */
bool register_number(const struct word *w, uint16_t *out);
bool assembler_take_register(struct cursor *c, uint16_t *out);
bool assembler_add_source(struct assembler *a, struct inst *i, uint16_t reg);
/* All operands of instruction i at a->line, up to its end. */
bool assembler_take_operands(struct assembler *a, const struct opcode *o,
                             struct inst *i, uint32_t node);
bool assembler_line_must_end(struct assembler *a);

/* The statements that are no operations. */
struct control_word {
    const char *name;
    bool (*parse)(struct assembler *a, const struct word *keyword);
};
extern const struct control_word control_words[];
extern const size_t control_word_count;
/* Report a loop, an if or a subroutine that is still open. */
bool assembler_nothing_open(struct assembler *a);

#endif
