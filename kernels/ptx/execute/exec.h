/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functional execution of one block, warp by warp and instruction by
 * instruction, with a stack of paths for diverged lanes. */
#ifndef KERNELS_PTX_EXECUTE_EXEC_H
#define KERNELS_PTX_EXECUTE_EXEC_H

#include "kernels/form/kernel.h"
#include "kernels/ptx/execute/decode.h"
#include "kernels/ptx/execute/memory.h"

#include <stdio.h>

#define PTX_BLOCK_STEPS_MAX (UINT64_C(1) << 30)

#define PTX_BARRIERS 16 /* of a block (PTX ISA 9.0, section 9.7.13.1) */

struct ptx_checks;
struct ptx_shadow;
struct ptx_block;
struct ptx_warp;
struct ptx_access;
typedef void ptx_look(struct ptx_block *b, const struct ptx_warp *w,
                      const struct ptx_op *op, const struct ptx_access *a,
                      enum ptx_space space, uint64_t inside);

/* A launch: read-only while blocks run. */
struct ptx_launch {
    const struct ptx_program *program;
    uint32_t entry; /* function */
    struct dim3 grid, block;
    struct dim3 cluster;   /* blocks of one; x = 0: each is alone */
    uint64_t shared_bytes; /* of a block, static and dynamic */
    uint64_t dynamic_shared_bytes;
    uint8_t *param; /* bytes of the entry's parameters */
    uint64_t param_bytes;
    uint64_t steps_max;      /* of a warp: one that makes more never ends; of
                              * all warps of a block: PTX_BLOCK_STEPS_MAX */
    const struct stop *stop; /* when to give up, NULL: never */
    /* What a grid that waits for all its blocks (cooperative groups'
     * grid.sync()) counts them in: its address, 0: it cannot; its bytes, NULL:
     * each block is run as if all others were there already. */
    uint64_t workspace;
    uint8_t *workspace_bytes;
    struct ptx_checks *checks; /* NULL: none (check.h) .. */
    ptx_look *check;           /* .. and ptx_check() */
    FILE *print;               /* for printf() of the kernel, NULL: dropped */
};

/* Where a block's shared memory that its system keeps begins: behind the
 * block's own, which begins at 0 here; and where all of it ends. */
static inline uint64_t ptx_reserved_shared(const struct ptx_launch *l)
{
    return (l->shared_bytes + 15) / 16 * 16;
}

static inline uint64_t ptx_shared_room(const struct ptx_launch *l)
{
    uint64_t reserved = l->program->reserved_bytes;
    return reserved > 0 ? ptx_reserved_shared(l) + reserved : l->shared_bytes;
}

/* Lanes that go on together: from pc until they reach `reconverge`, where the
 * path below takes them up, unless they leave one of the `depth` loops around
 * what they do until then. */
struct ptx_path {
    uint32_t pc, reconverge, mask, depth;
};

struct ptx_frame { /* of a call */
    uint32_t function;
    const struct ptx_op *call; /* NULL: the entry */
    uint32_t mask;             /* lanes that called */
    size_t regs;               /* its rows begin here in warp.reg */
    const uint32_t *row;       /* slot -> row */
    uint64_t local;            /* its local memory begins here */
    size_t paths;              /* its paths begin here */
};

enum ptx_warp_state {
    WARP_READY,
    WARP_AT_BARRIER,
    WARP_POLLING, /* it is before a test of an mbarrier that does not hold */
    WARP_ENDED
};

/* A warp's asynchronous operations of one kind: how many it made, how many when
 * its latest groups were closed, and the count of the streams that they raise.
 */
#define PTX_GROUPS_KEPT 64

enum ptx_async_kind { ASYNC_COPY, ASYNC_BULK, ASYNC_PRODUCT, ASYNC_KINDS };

struct ptx_async {
    uint32_t count; /* 0: none yet */
    uint32_t made;
    uint64_t groups;
    uint32_t group[PTX_GROUPS_KEPT];
};

struct ptx_warp {
    uint32_t index, live; /* lanes that have not ended */
    enum ptx_warp_state state;
    const struct ptx_op *waiting; /* the instruction it waits at */
    uint32_t waiting_mask;
    bool tests_once;  /* nothing else goes on: the test may fail */
    uint64_t steps;   /* instructions executed */
    size_t ticket;    /* where to look for its next one (tickets.h) */
    uint32_t in_vain; /* claims in a row that changed nothing ... */
    uint64_t vain_at; /* ... at these addresses, a hash of them */
    struct ptx_async async[ASYNC_KINDS];
    uint64_t cluster_arrivals; /* at the cluster's barrier */
    uint64_t *reg;
    size_t regs_room;
    struct ptx_path *path;
    size_t paths;
    struct ptx_frame *frame;
    size_t frames;
    uint8_t *local; /* lane l: local_bytes from l * local_bytes on */
    uint64_t local_bytes;
};

struct ptx_barrier {
    uint32_t arrived;  /* threads, by whole warps */
    uint32_t expected; /* 0: all of the block that have not ended */
    uint32_t joined;   /* of them, threads that brought a predicate (.red) */
    uint32_t holds;    /* ... that holds */
    uint32_t signal;   /* of who waits for some of the warps only, or 0 */
};

/* What the streams tell of an mbarrier object; its state is in shared memory
 * (mbarrier.h). */
struct ptx_mbarrier {
    uint32_t address;
    uint32_t signal, events;       /* of its current phase, 0: none yet */
    uint32_t passed, passed_count; /* of the phase before */
};

/* A phase of the cluster's barrier: the count that the block's own warps raise,
 * and how often. */
#define PTX_CLUSTER_PHASES 4

#define PTX_STRETCHES 8 /* a power of two */

struct ptx_cluster_phase {
    uint64_t number;
    uint32_t signal, events;
};

/* What the last step did, for who wants to follow. */
struct ptx_event {
    const struct ptx_op *op;
    uint32_t mask, taken;
    uint64_t address[WARP_LANES];
    uint64_t stride; /* of a matrix fragment, ptx_fragment_offset() */
    struct box box;  /* of a bulk copy, from address[first lane] on */
    uint32_t signal, await, await_count; /* as of struct step */
};

struct ptx_block {
    const struct ptx_launch *launch;
    struct ptx_view view; /* of global memory */
    struct dim3 id;
    uint64_t number;
    struct ptx_warp *warp;
    uint32_t warps;
    uint8_t *shared;
    struct ptx_barrier barrier[PTX_BARRIERS];
    /* The blocks of its cluster by rank, itself among them, and those of them
     * that are its own to run along. */
    struct ptx_block **peer, *others;
    uint32_t peers, rank;
    struct ptx_cluster_phase cluster_phase[PTX_CLUSTER_PHASES];
    struct ptx_mbarrier *mbarrier;
    size_t mbarriers;
    uint32_t signals;   /* numbers of counts given away */
    uint32_t fruitless; /* turns given to tests that failed, in a row */
    struct ptx_event event;
    /* Stretches of global memory found last, by the instruction. */
    struct ptx_stretch stretch[PTX_STRETCHES];
    uint8_t workspace[PTX_GRID_BYTES]; /* of a block as if all were there */
    struct ptx_shadow *shadow; /* of shared memory, where there are checks */
    uint32_t epoch;            /* barriers that all warps have passed */
    bool orders_all;     /* so far warps have waited for all others only */
    bool looked;         /* at what other blocks do: its turn ends */
    uint64_t lane_steps; /* instructions executed, times active lanes */
    uint64_t warp_steps;
    uint64_t steps_before; /* warp_steps when this block was started */
    uint64_t patience;     /* instructions of all warps after which a run of the
                            * block is left unfinished; 0: it is not */
    struct error *e;
    bool failed; /* e is set */
};

/* Make room for blocks of the launch that see global memory as `view` says,
 * nothing written privately yet. False with e set: no memory. */
bool ptx_block_open(struct ptx_block *b, const struct ptx_launch *launch,
                    struct ptx_view view, struct error *e);
void ptx_block_close(struct ptx_block *b);

/* The first block of a block's cluster. */
uint64_t ptx_cluster_first(const struct ptx_launch *l, uint64_t block);

/* Start block `number` from its first instruction, and the others of its
 * cluster. */
bool ptx_block_start(struct ptx_block *b, uint64_t number);

/* Execute one instruction of a ready warp, b->event says which. False when the
 * run is over with b->e set. */
bool ptx_step(struct ptx_block *b, struct ptx_warp *w);

/* Run the started block to its end, until it has looked at a grid's workspace
 * that it shares with others, or until b->patience is at an end; `see`,
 * when there is one, is called after every instruction with what it did in
 * b->event. The other blocks of the cluster run along. False also when the
 * launch's stop is due, with STATUS_STOPPED. */
bool ptx_block_run(struct ptx_block *b);
typedef void ptx_visit(void *user, const struct ptx_block *b,
                       const struct ptx_warp *w);
bool ptx_block_run_visited(struct ptx_block *b, ptx_visit *visit, void *user);

/* Let each warp of the cluster have one turn; *ended: none has another to come.
 */
bool ptx_block_take_turn(struct ptx_block *b, bool *ended);

/* Let the cluster's warps that wait for mbarriers look again. */
void ptx_block_wake(struct ptx_block *b);

/* No warp of the cluster is ready: let tests of mbarriers fail. False when
 * there are none, or they have failed too often in a row. */
bool ptx_block_let_fail(struct ptx_block *b);

/* The fault of a warp that waits when no warp of the block can go on; false. */
bool ptx_block_stuck(struct ptx_block *b, const struct ptx_warp *w);

#endif
