/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function on its way from PTX ops to instructions of the machine: which ops
 * remain, what each becomes, in which order, in which registers. */
#ifndef KERNELS_PTX_LOWER_LOWER_CODE_H
#define KERNELS_PTX_LOWER_LOWER_CODE_H

#include "kernels/form/kernel.h"
#include "kernels/ptx/forms/fragment.h"

#define PTX_READS_MAX (PTX_PARTS_MAX + 8)

/* Registers that hold no value: R1 points to the stack, in 53 entries of 53
 * (ptxas V13.0.88, sm_75). */
#define PTX_STACK_REGS 1

/* The name of a slot that holds what the assembler computes, a constant. */
#define PTX_SLOT_KNOWN (PTX_SLOT_NONE + 1)

/* An instruction of the machine; registers are still slots. */
struct ptx_low {
    uint32_t op;   /* of the function: what it comes from */
    uint32_t part; /* of what the op becomes, from 0 */
    uint8_t op_class;
    const char *before; /* its mnemonic, where it stands before what the op
                         * becomes (lower.c, add_before()); else NULL */
    uint8_t writes, reads;
    int32_t written[PTX_PARTS_MAX], read[PTX_READS_MAX];
};

/* Ops that stand in a row in place of a branch: those that it jumps over, and
 * those that it jumps to when it is one of two. None: it is a branch still. */
struct ptx_arms {
    uint32_t over, to;             /* ops */
    uint32_t over_count, to_count; /* 0: none */
};

struct ptx_low_code {
    const struct ptx_program *program;
    uint32_t function;
    bool is_entry;
    bool *leader;     /* op: nothing before it moves behind it, nor back */
    int32_t *name;    /* slot -> the slot that holds its value; a constant's;
                       * PTX_SLOT_NONE: in constant memory, a launch's */
    bool *dropped;    /* op: becomes nothing */
    uint32_t *fused;  /* op -> the op it takes in, which may take in one more,
                       * or PTX_NONE */
    uint32_t *joined; /* load, test of a bit -> the next one that is part of it,
                       * or PTX_NONE */
    int32_t
        *under; /* op: the predicate that a branch left it, or PTX_SLOT_NONE */
    struct ptx_arms *arms; /* branch: what it became */
    bool *opens;  /* op: lanes are noted that a branch may part from here on */
    bool *meets;  /* op: lanes that a branch parted meet here */
    bool *breaks; /* branch: lanes leave a loop in which some are parted */
    uint32_t opening; /* loads before the first op of all */
    struct ptx_low *low;
    uint32_t lows;
    uint32_t *begin; /* op, or one past the last -> lows of the ops before */
};

static inline const struct ptx_code *ptx_low_of(const struct ptx_low_code *c)
{
    return &c->program->code[c->function];
}

static inline const struct ptx_op *ptx_low_op(const struct ptx_low_code *c,
                                              uint32_t op)
{
    return &c->program->op[ptx_low_of(c)->first + op];
}

/* peephole.c: fill name, dropped and fused. False: no memory. */
bool ptx_peephole(struct ptx_low_code *c);

/* parts.c: the classes of the instructions that an op becomes (expand.h), NULL
 * where it is one of its own class, or none; and how many they are, without
 * what is before them. */
const char *ptx_low_classes(const struct ptx_low_code *c, uint32_t op);
uint32_t ptx_low_count(const struct ptx_low_code *c, uint32_t op);

/* predicate.c: fill under, arms, opens, meets and breaks, and drop the branches
 * that are none any more. After all that leaves ops out. False: no memory. */
bool ptx_predicate(struct ptx_low_code *c);

/* constants.c: what a launch leaves in constant memory is loaded where no
 * operand can be there: ops that peephole.c left out come back, and `opening`
 * is set. False: no memory. */
bool ptx_load_constants(struct ptx_low_code *c);

/* bits.c: make tests of bits one instruction, between the leaders there are. */
void ptx_join_bit_tests(struct ptx_low_code *c);

/* balance.c: which moves, shifts and additions become multiply-adds. */
void ptx_balance(struct ptx_low_code *c);

/* Whether a slot holds a size of the block or the grid, which a launch leaves
 * in constant memory. */
bool ptx_is_size(const struct ptx_code *code, int32_t slot);
/* Whether an access may be to global memory, and is not to variables there that
 * are constant. */
bool ptx_is_global(const struct ptx_op *op);
/* A return or an exit. */
bool ptx_ends_lanes(const struct ptx_op *op);

/* The slots that an op writes and reads, PTX_SLOT_NONE and constants left out;
 * at most PTX_PARTS_MAX and PTX_READS_MAX. */
size_t ptx_slots_written(const struct ptx_op *op, int32_t *out);
size_t ptx_slots_read(const struct ptx_op *op, int32_t *out);
/* The same by the names that peephole.c gave them, in what remains. */
size_t ptx_low_written(const struct ptx_low_code *c, uint32_t op, int32_t *out);
size_t ptx_low_read(const struct ptx_low_code *c, uint32_t op, int32_t *out);

/* The slot that holds what this one would; negative: none. */
int32_t ptx_low_name(const struct ptx_low_code *c, int32_t slot);

/* lower_matrix.c: how many instructions a matrix op becomes; 0: it is none, or
 * like any other of one instruction. */
uint32_t ptx_matrix_parts(const struct ptx_op *op, uint32_t target);
/* inst.macs of each of them. */
uint32_t ptx_matrix_macs(const struct ptx_op *op, uint32_t parts);
/* Fill class and registers of low->part, one of `parts`, of a matrix op. */
void ptx_matrix_part(const struct ptx_low_code *c, const struct ptx_op *op,
                     uint32_t parts, struct ptx_low *low);
/* Which access to memory a part of a wmma op is, and of what. False: none. */
bool ptx_matrix_access(const struct ptx_op *op, uint32_t part,
                       struct ptx_fragment *f, uint32_t *access);

/* Fill bytes[slot] with the width of its register, 0 for predicates, UINT8_MAX
 * where it is none (special registers). */
void ptx_slot_bytes(const struct ptx_low_code *c, uint8_t *bytes);

#endif
