/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module decoded for execution: every operand is a slot of 32 lanes, every
 * label an index, every variable an address. Read-only once made. */
#ifndef KERNELS_PTX_EXECUTE_DECODE_H
#define KERNELS_PTX_EXECUTE_DECODE_H

#include "kernels/ptx/forms/special.h"
#include "kernels/ptx/parse/ptx.h"

#define PTX_SLOT_NONE INT32_MIN
#define PTX_PARTS_MAX 20 /* registers of an instruction: wmma */

/* Generic addresses (PTX ISA 9.0, section 5.1.1 "Generic addressing"): shared
 * and local memory are windows, addresses inside their own space are offsets
 * into it. Anything else is global. */
#define PTX_SHARED_WINDOW (UINT64_C(1) << 46)
#define PTX_LOCAL_WINDOW  (UINT64_C(1) << 47)
#define PTX_PARAM_WINDOW  (UINT64_C(3) << 46)
#define PTX_WINDOW        (UINT64_C(1) << 32) /* bytes of each */
/* Shared memory of the block of a rank of the cluster: rank + 1 above so many
 * bits; 0 is the block's own. */
#define PTX_RANK_BITS       24
#define PTX_FUNCTION_WINDOW UINT64_C(0x1000)     /* addresses of functions */
#define PTX_GRID_WINDOW     UINT64_C(0x80000000) /* the grid's workspace */
#define PTX_GRID_BYTES      64

/* Which of the four relations holds between two values. */
enum ptx_relation {
    RELATION_LESS = 1,
    RELATION_EQUAL = 2,
    RELATION_GREATER = 4,
    RELATION_NONE = 8 /* one is not a number */
};

enum ptx_space {
    PTX_GENERIC,
    PTX_GLOBAL, /* constant memory too */
    PTX_SHARED,
    PTX_LOCAL,
    PTX_PARAM /* of the kernel */
};

/* Which lanes leave the smallest loop around a branch: those that it takes, or
 * those that it does not; of one with several targets TAKEN stands for any. */
enum ptx_leaving { LEAVES_NONE, LEAVES_TAKEN, LEAVES_REST };

/* Of ACTION_TRIPS: whether a loop has `count` trips to come, by the comparison
 * of its end and a counter, the source so named, that each steps. Lanes that
 * have not begun do the first trip unasked: all of them where it `begins`, but
 * for those of which a further source holds. */
struct ptx_trips {
    uint8_t counter, count;
    bool begins;
    int64_t step;
};

struct ptx_op {
    const struct ptx_inst *inst; /* NULL: the return at a function's end */
    ptx_lanes *lanes;
    uint8_t action; /* enum ptx_action */
    uint8_t results, sources;
    uint8_t result_bytes; /* of the destination register */
    uint8_t space;        /* enum ptx_space, memory operations and cvta */
    uint8_t bytes;        /* ... of one element */
    bool result_unused;   /* atomics: no instruction reads the result */
    bool plain;           /* no rounding mode, .ftz or .sat to see to */
    bool flush_sources, flush_result, saturate;
    bool guard_negated, source_negated; /* the last source, a predicate */
    uint8_t truth;                      /* comparisons: mask of relations */
    int round;                          /* for fesetround() */
    int32_t guard;                      /* slot, PTX_SLOT_NONE: always */
    int32_t result[PTX_PARTS_MAX], source[PTX_PARTS_MAX];
    uint8_t addresses;
    int32_t base, second_base, third_base; /* addresses: base + offset */
    int64_t offset, second_offset, third_offset;
    uint32_t wide, wides; /* registers in program.wide, read and written */
    uint8_t factors;      /* wgmma: registers of a, 1: its descriptor */
    struct ptx_trips trips;
    uint32_t target;     /* op, function or list of targets; PTX_NONE */
    uint32_t reconverge; /* op, PTX_NONE: the function's end */
    uint32_t depth;      /* branches: loops around what its lanes do until
                          * they meet */
    uint8_t leaves;      /* ... enum ptx_leaving */
    uint32_t left;       /* ... the first op of the largest loop that some
                          * lanes leave, PTX_NONE: none */
};

struct ptx_special_slot {
    enum ptx_special special;
    int32_t slot;
};

struct ptx_code { /* of a function */
    uint32_t first, count;
    uint32_t slots, rows;
    uint32_t *row;       /* slot -> its row of a frame (rows.h) */
    int32_t *slot_of;    /* register -> slot, PTX_SLOT_NONE: never used */
    uint32_t first_copy; /* slots from here on stand for copy_of[] (unroll.h) */
    int32_t *copy_of;
    size_t copies;
    struct ptx_special_slot *special;
    size_t specials;
    int32_t local_base; /* slot of the frame's local address, or none */
    int32_t carry;      /* slot of the carry flag, or none */
    int32_t stack;      /* ... of the stack pointer: where alloca takes the next
                         * byte of local memory from */
    uint64_t local_bytes;
};

/* Of each block's, for what a system or a runtime's device code keeps there: 1
 * KiB from compute capability 8.0 on (CUDA C++ programming guide 13.0, section
 * on shared memory). */
#define RESERVED_SHARED_BYTES 1024

struct ptx_program {
    const struct ptx_module *module;
    struct ptx_op *op;
    size_t ops;
    struct ptx_code *code; /* of every function of the module */
    /* slot ~i: the same value in all 32 lanes */
    uint64_t *constant;
    size_t constants;
    int32_t *wide; /* slots of operands of more registers than fit */
    size_t wide_slots;
    uint64_t *address; /* of a variable, inside its space; local: of its frame;
                        * parameters of entries: inside their parameters */
    uint64_t shared_bytes;   /* static, to where the dynamic begins */
    uint64_t reserved_bytes; /* of shared memory; 0: it asks not where */
    uint64_t global_first, global_end; /* the module's own global memory */
    bool has_arrivals;                 /* at barriers, without a wait */
};

/* Decode every function, for a launch of function `entry`. Global variables get
 * addresses from `global_first` on, the same for every entry. False with e set
 * when memory runs out or variables do not fit. The module must outlive the
 * program. */
bool ptx_decode(struct ptx_program *out, const struct ptx_module *m,
                uint32_t entry, uint64_t global_first, struct error *e);
void ptx_program_free(struct ptx_program *p);

/* The space of a modifier; without one it is generic. */
enum ptx_space ptx_space_named(uint8_t word);

/* The slot that holds a value in all lanes; PTX_SLOT_NONE: no memory. */
int32_t ptx_constant_slot(struct ptx_program *p, uint64_t value);
/* ... and the value of such a slot. */
static inline uint64_t ptx_constant_value(const struct ptx_program *p,
                                          int32_t slot)
{
    return p->constant[(size_t)~slot * WARP_LANES];
}

/* For the decoder: set what op->inst's modifiers ask for. */
void ptx_decode_modifiers(struct ptx_op *op);

#endif
