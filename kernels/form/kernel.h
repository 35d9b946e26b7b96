/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one internal form of a kernel. A kernel is a launch (grid, block,
 * registers, shared memory), a table of static instructions, and a source that
 * yields, warp by warp, the dynamic instruction stream. Front ends (kernel
 * files, traces, PTX) produce it; the sampler and the model read only this. */
#ifndef KERNELS_FORM_KERNEL_H
#define KERNELS_FORM_KERNEL_H

#include "base/error.h"

#include <stdint.h>

#define WARP_LANES        32
#define WORD_BYTES        4 /* what stores and coherence are followed by */
#define INST_MAX_DST      8
#define INST_MAX_SRC      8
#define REG_COUNT         512 /* register names of one warp */
#define REG_PREDICATE     256 /* predicate register p is REG_PREDICATE + p */
#define MAX_WARPS_A_BLOCK 64  /* 2048 threads */

/* What an instruction asks of the machine. Its unit, latency and initiation
 * interval come from the GPU configuration, by class. */
enum op_class {
    OP_INT,     /* integer add, logic, shift, compare, move */
    OP_IMUL,    /* integer multiply and multiply-add */
    OP_SP,      /* single-precision (and half) add, multiply, fma */
    OP_SFU,     /* reciprocal, square root, sine, exponent; in machine code
                 * conversions too */
    OP_DP,      /* double precision */
    OP_TENSOR,  /* matrix multiply-accumulate */
    OP_BRANCH,  /* jumps of any kind */
    OP_EXIT,    /* the active lanes end */
    OP_BARRIER, /* block-wide barrier */
    OP_FENCE,   /* memory fence: waits for the warp's own accesses */
    OP_LOAD,
    OP_STORE,
    OP_ATOMIC,  /* read-modify-write at L2 (global) or shared memory */
    OP_CONVERT, /* between integers, single and double precision; counts and
                 * order of bits, which run where conversions do */
    OP_IMAD,    /* a move, shift or addition in the form of a multiply-add, as
                 * NVIDIA's assembler has it from compute capability 7.0 on */
    OP_CLASSES
};

enum mem_space {
    SPACE_NONE,
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_SHARED,
    SPACE_CONST,
    SPACE_TEXTURE,
    SPACES
};

#define NO_INST UINT32_MAX

/* A static instruction. Registers 0..REG_COUNT-1; guards and address registers
 * are sources, every register of a vector load a destination. */
struct inst {
    uint32_t pc;   /* byte address in the kernel's code */
    uint32_t line; /* line in the source file, 0 when unknown */
    uint8_t op;    /* enum op_class */
    uint8_t space; /* enum mem_space, SPACE_NONE unless a memory operation */
    uint8_t width; /* bytes a lane moves, 0 unless a memory operation */
    uint8_t dst_count, src_count;
    /* The last of them, which an operand of 64 bits or more stands for beside
     * the register that names it. */
    uint8_t dst_implied, src_implied;
    bool block_start; /* first instruction of a basic block */
    bool past_l1;     /* a load that an L1 may not serve, whatever it keeps */
    bool warpgroup;   /* OP_TENSOR: of four warps together (wgmma) */
    uint8_t sync;     /* enum sync_kind */
    uint16_t dst[INST_MAX_DST], src[INST_MAX_SRC];
    uint32_t macs;       /* OP_TENSOR: multiply-adds of .f16 that a warp's takes
                          * as long as; 0: those of the GPU's own instruction */
    uint32_t target;     /* branches: index of the target, or NO_INST */
    uint32_t reconverge; /* branches: where their lanes meet, or NO_INST */
    uint32_t phase;      /* set by phases_analyse() */
    uint32_t phase_distance;      /* cycles to the end of the phase, likewise */
    uint32_t dependence_distance; /* of the phase by dependence alone */
    char mnemonic[16];
};

enum address_form {
    ADDR_NONE,
    ADDR_STRIDE, /* lane l accesses base + l * stride */
    ADDR_LIST,   /* lane l accesses lane_address[l] */
    ADDR_BOX     /* a copy without registers: rows from base on */
};

#define BOX_SIDES 4 /* beside the row */

/* Rows of `bytes` bytes side by side: row (i, j, ..) begins at base + i *
 * stride[0] + j * stride[1] .., i < count[0], j < count[1] .. */
struct box {
    uint64_t bytes;
    uint32_t count[BOX_SIDES];
    int64_t stride[BOX_SIDES];
};

/* What steps do with the counts of their block, which order its warps. */
enum sync_kind {
    SYNC_NONE,
    SYNC_WAIT,  /* raise `signal`, then the warp waits for `await` */
    SYNC_RAISE, /* `signal` is raised when `await` has been; no warp waits */
    SYNC_RESULT /* no warp waits, also for the unit, and `signal` is raised
                 * when the result is there; all of a warp raise the same */
};

/* One dynamic instruction of one warp. */
struct step {
    uint32_t inst;       /* index into kernel.inst */
    uint32_t mask;       /* active lanes, bit l = lane l */
    uint32_t taken_mask; /* branches: lanes that jump */
    enum address_form form;
    uint64_t base;
    int64_t stride;
    union {
        uint64_t lane_address[WARP_LANES]; /* only lanes in mask count */
        struct box box;
    };
    /* Only where inst.sync says so: counts of the block, numbered from 1, 0:
     * none. The step raises `signal` by one, memory operations when they are
     * complete, others at issue. It waits until `await` has been raised
     * await_count times; steps do so that stand before it in some order of all
     * the block's steps. */
    uint32_t signal, await, await_count;
};

struct stop;

struct dim3 {
    uint32_t x, y, z;
};

struct kernel;

/* A front end's stream. All functions are pure in the kernel: any number of
 * threads may run streams of one kernel at the same time, each with its own
 * state. The same (kernel, block, warp) yields the same steps every time,
 * however reads of different warps interleave. */
struct kernel_source_ops {
    /* Bytes of state for one resident block; the engine allocates it once per
     * block slot (aligned as malloc) and reuses it for block after block. */
    size_t (*state_size)(const struct kernel *k);
    /* Begin block `block` (linear id, 0..blocks-1). False with e set on a read
     * error; the state is then not open. */
    bool (*open)(const struct kernel *k, void *state, uint64_t block,
                 struct error *e);
    /* The next step of warp `warp` (0..warps_per_block-1) of the open block.
     * False when the warp has ended: then *out is not touched. Every warp's
     * last step is its OP_EXIT with all remaining lanes. */
    bool (*next)(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out);
    /* As next, for who does not ask what happens inside an SM: a step whose
     * instruction does not reach the L2 (inst_reaches_l2) may come without its
     * address, as ADDR_NONE. NULL: next is no slower. */
    bool (*skim)(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out);
    /* How many steps a warp of the open block has in all, where that is known
     * without reading them, else 0. NULL: it never is. */
    uint64_t (*steps)(const struct kernel *k, const void *state, uint32_t warp);
    /* Whether an open state is its bytes alone: a copy of them, which is not
     * closed, goes on as it would. NULL: it is not. */
    bool (*is_bytes)(const struct kernel *k, const void *state);
    void (*close)(const struct kernel *k, void *state);
    /* See kernel_streams_check(). NULL: streams do not break off. */
    bool (*check)(const struct kernel *k, struct error *e);
    /* Free kernel->source. */
    void (*destroy)(struct kernel *k);
};

/* A phase (paws, Sec. III-A): consecutive static instructions none of which
 * reads what a long-latency instruction of the same phase produces. */
struct phase {
    uint32_t first, count; /* instructions */
    uint32_t length;       /* cycles, by the phase latency table */
    uint32_t loads;        /* long-latency loads inside */
    const char *ended_by;  /* "dependence", "basic block" or "end" */
};

/* A range of global memory that the kernel file names. */
struct buffer {
    uint64_t address, bytes;
    bool host; /* the host writes it anew before every launch but the first */
};

struct kernel {
    char *name;    /* "lud": file name without extension, or the trace's */
    char *summary; /* one line, may be empty */
    char *path;    /* where it came from */
    char *note;    /* lines on what is left out or went wrong; NULL: none */
    struct dim3 grid, block;
    uint64_t blocks; /* grid.x * grid.y * grid.z */
    uint32_t row;    /* blocks after which what they touch goes on in another
                      * dimension, where a grid was given that does not change
                      * it; 0: grid.x */
    uint64_t period; /* block b does what block b + period does, at the same
                      * addresses; 0: no such period is known */
    uint32_t threads_per_block, warps_per_block;
    uint32_t regs_per_thread, shared_bytes;
    char regs_from[64]; /* PTX: where regs_per_thread comes from, else empty */
    struct inst *inst;
    uint32_t inst_count;
    struct phase *phase;
    uint32_t phase_count;
    struct buffer *buffer; /* none for traces */
    uint32_t buffers;
    const struct stop *stop; /* when whole launches that are executed for a
                              * stream, and long walks of streams, are given up
                              * with STATUS_STOPPED; NULL: never */
    uint64_t hash; /* of everything that decides the streams, for fit keys */
    const struct kernel_source_ops *ops;
    void *source; /* the front end's own, read-only once loaded */
};

/* The kernels of an input, in the order they are launched. */
struct kernel_list {
    struct kernel **kernel;
    size_t count;
    char *application; /* its name, when they are the launches of one
                        * application over the same buffers; NULL: each
                        * stands for itself (one for most inputs) */
};

void kernel_list_free(struct kernel_list *list);
void kernel_free(struct kernel *k);

/* Whether every stream read so far went to its end. False with e set when one
 * broke off, by a read error or a fault of the program: what was found out from
 * the streams is then worth nothing. Ask when the last block is closed. */
bool kernel_streams_check(const struct kernel *k, struct error *e);

/* For long walks of streams: to be called at every step with a count that the
 * walk keeps. False with e set, STATUS_STOPPED, when k->stop is due, which is
 * looked at now and then. */
bool kernel_walk_goes_on(const struct kernel *k, uint64_t *steps,
                         struct error *e);

/* Steps of a warp before the next one's turn, where the warps of a block are
 * walked side by side: so no front end has to hold many steps of one of them
 * while another is read. Chosen. */
#define WALK_TURN 64

/* A step by `skim`, or by `next` where that is NULL. */
bool kernel_skim(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out);

/* How many steps each warp of a block has, into steps[warps_per_block], read
 * from a stream of its own. False with e set. */
bool kernel_block_steps(uint64_t *steps, const struct kernel *k, uint64_t block,
                        struct error *e);

/* Active threads of a block's warp w when every lane is on. */
uint32_t kernel_full_mask(const struct kernel *k, uint32_t warp);

/* paws Sec. III-A and IV-B1; see kernels/form/phases.h for the latency table.
 * Fills kernel.phase, inst.phase and the two distances. distance_max = 0:
 * distances do not saturate. */
bool phases_analyse(struct kernel *k, uint32_t distance_max, struct error *e);

/* Whether the L2 sees what the instruction accesses. */
bool inst_reaches_l2(const struct inst *i);

/* Whether inst is a long-latency instruction in the sense of paws footnote 1,
 * and whether its destinations are long-op registers. */
bool inst_is_long_latency(const struct inst *i);
bool inst_has_long_op_destination(const struct inst *i);

#endif
