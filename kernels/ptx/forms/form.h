/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instruction table: one row for each form of an instruction that differs
 * in operands or execution. The parser checks against it, the decoder takes
 * what executes an instruction from it, and estimates its cost.
 *
 * Operands of a row are one letter each:
 *   d s   destination, source of the first type   D S  ... twice as wide
 *   e t   destination, source of the second type
 *   U u   destination, source of 32 bits          W w  ... of 64 bits
 *   P     predicate destination, or p|q           q    predicate source, !p
 *   c k   destination, source that may be wider than the first, second type
 *   V v   destination, source of a memory access: may be wider, may be {..}
 *   M N   destination, source of a move: also {..} of parts
 *   B b   destination, source that is a matrix: as many registers in braces
 *         as its shape asks for (matrix.h)
 *   z     ... or the descriptor of one in shared memory (wgmma)
 *   T     a tensor map and coordinates in square brackets
 *   m     address in square brackets              l    label
 *   X     a texture and coordinates in square brackets, h: one without
 *   i     a whole number
 *   x     anything
 *   ?     what follows may be left out */
#ifndef KERNELS_PTX_FORMS_FORM_H
#define KERNELS_PTX_FORMS_FORM_H

#include "kernels/form/kernel.h"
#include "kernels/ptx/forms/modifiers.h"

struct ptx_op;

/* What a row computes: all 32 lanes of d from the sources s[0], s[1] ..,
 * whether active or not. A register of w bits holds its value in the low w
 * bits, zeros above. d may be one of the sources. */
typedef void ptx_lanes(const struct ptx_op *op, uint64_t *d,
                       const uint64_t *const *s);

enum ptx_action {
    ACTION_LANES, /* call `lanes`, lane by lane independent */
    ACTION_COMPARE,
    ACTION_TRIPS,  /* of no row: a comparison that decides on trips to come */
    ACTION_ADD_CC, /* from here to ACTION_MADC: they leave or take a carry */
    ACTION_ADDC,
    ACTION_SUB_CC,
    ACTION_SUBC,
    ACTION_MAD_CC,
    ACTION_MADC,
    ACTION_LOGIC, /* lop3 with a predicate */
    ACTION_MOVE,
    ACTION_STACK_ALLOCATE, /* alloca */
    ACTION_STACK_SAVE,
    ACTION_STACK_RESTORE,
    ACTION_NOTHING, /* fences, prefetches: no value */
    ACTION_LOAD,
    ACTION_STORE,
    ACTION_ATOMIC,
    ACTION_REDUCE, /* red: an atomic without result */
    ACTION_COPY,   /* cp.async */
    ACTION_BRANCH,
    ACTION_BRANCH_INDEX,
    ACTION_CALL,
    ACTION_RETURN,
    ACTION_EXIT,
    ACTION_TRAP,
    ACTION_BARRIER,
    ACTION_SHUFFLE,
    ACTION_VOTE,
    ACTION_MATCH,
    ACTION_ACTIVE_MASK,
    ACTION_REDUX,
    ACTION_ELECT,
    ACTION_CONVERT_ADDRESS, /* cvta */
    ACTION_MATRIX,          /* mma */
    ACTION_LOAD_MATRIX,     /* ldmatrix */
    ACTION_STORE_MATRIX,    /* stmatrix */
    ACTION_MOVE_MATRIX,     /* movmatrix */
    ACTION_LOAD_FRAGMENT,   /* wmma */
    ACTION_STORE_FRAGMENT,
    ACTION_MULTIPLY_FRAGMENTS,
    ACTION_SPACE_TEST, /* isspacep */
    ACTION_TEXTURE,    /* tex */
    ACTION_GATHER,     /* tld4 */
    ACTION_SURFACE_LOAD,
    ACTION_SURFACE_STORE,
    ACTION_QUERY, /* txq, suq */
    ACTION_MBARRIER,
    ACTION_COPY_GROUP,  /* cp.async: commit and wait */
    ACTION_COPY_ARRIVE, /* cp.async.mbarrier.arrive */
    ACTION_WGMMA,       /* wgmma.mma_async */
    ACTION_WGMMA_GROUP, /* its fence, commit and wait */
    ACTION_CLUSTER_BARRIER,
    ACTION_MAP_RANK,    /* mapa, getctarank */
    ACTION_ASYNC_STORE, /* st.async, red.async */
    ACTION_TENSOR_COPY, /* cp.async.bulk.tensor */
    ACTION_BULK_COPY,   /* cp.async.bulk, cp.reduce.async.bulk */
    ACTIONS
};

static inline bool ptx_action_is_carry(unsigned action)
{
    return action >= ACTION_ADD_CC && action <= ACTION_MADC;
}

struct ptx_form {
    const char *mnemonic;
    uint8_t key[2]; /* enum ptx_modifier that it must have, MOD_NONE: none */
    const char *operands;
    uint64_t types, second_types; /* masks; 0: it has none */
    uint64_t groups;              /* of modifiers it may have beside the keys */
    enum ptx_action action;
    ptx_lanes *lanes;
    enum op_class cost;
};

struct ptx_inst;

/* The row of an instruction with these modifiers and types. NULL when there is
 * none; then *known says whether there is one of that mnemonic. */
const struct ptx_form *ptx_form_find(const char *mnemonic, size_t length,
                                     const struct ptx_inst *inst, bool *known);

/* Every row, for tests and counts. */
size_t ptx_form_count(void);
const struct ptx_form *ptx_form_at(size_t i);

#endif
