/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the model keeps of a kernel: averages over the walked warps, so that a
 * design point is estimated without looking at the kernel again. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "model/constants.h"
#include "model/crowd.h"
#include "model/model.h"
#include "model/placement.h"
#include "model/reuse.h"
#include "model/shared_lines.h"
#include "model/timing.h"

enum reuse_kind {
    REUSE_SAME_WARP,
    REUSE_OTHER_WARP,
    REUSE_TEXTURE, /* in the texture cache, by any warp */
    REUSE_KINDS
};

/* What is summed over the executions of a phase. Once the profile is made all
 * are of one execution, and PHASE_COUNT is executions of an average warp. */
enum phase_metric {
    PHASE_COUNT,
    PHASE_INSTS,
    PHASE_SLOTS,   /* issue slots: fewer than instructions with dual issue */
    PHASE_COMPUTE, /* its length without the wait for memory at its end */
    PHASE_LDST,    /* cycles of the load/store unit */
    PHASE_SHARED,  /* cycles of the load/store unit for shared memory */
    /* Of those of the load/store unit, and of the intervals of a slower unit
     * (bursts.h), what comes at a time. */
    PHASE_LDST_BURST,
    PHASE_LDST_SPAN,
    PHASE_UNIT_BURST,
    PHASE_UNIT_SPAN,
    PHASE_CONSTANT, /* cycles of the constant cache */
    PHASE_LOAD_LINES,
    PHASE_LOAD_SECTORS,
    PHASE_STORE_LINES,
    PHASE_STORE_SECTORS,
    PHASE_STORE_PARTIAL, /* of them, where the L2 takes longer over what a
                          * store writes a part of */
    PHASE_ATOMIC_LINES,
    PHASE_ATOMIC_SECTORS,
    PHASE_ATOMIC_SERIAL, /* cycles of an L2 slice, which are the L2's */
    PHASE_BESIDE,        /* sectors that a block asks for the first time, but
                          * the L2 fetched with others of l2_miss.cold */
    /* Sectors new to a block whose neighbours are known, by whom they share
     * them with. */
    PHASE_SHARING,
    PHASE_EXEC = PHASE_SHARING + SHARING_SUMS, /* intervals of units by class */
    PHASE_LENGTH = PHASE_EXEC + EXEC_CLASSES, /* by memory level: from its first
                                               * issue to the next phase's */
    PHASE_METRICS = PHASE_LENGTH + MEMORY_LEVELS
};

/* A dynamic phase: what a warp does from one wait for memory (or barrier) to
 * the next. Phases that begin with the same instruction are one. */
struct profile_phase {
    uint32_t first;      /* instruction it begins with */
    bool barrier;        /* some execution ends at a barrier */
    uint32_t waits_in;   /* the code's phase whose last instruction the longest
                          * wait for memory at its end is behind ... */
    double longest_wait; /* ... cycles where DRAM serves it */
    double metric[PHASE_METRICS];
    /* Sectors that miss, and share of executions in which some access does,
     * by reuse time. */
    struct reuse_histogram l1_miss[REUSE_KINDS], l1_worst[REUSE_KINDS];
    struct reuse_histogram l2_miss, l2_worst;
};

/* Events that take energy; of the grid, once the profile is made. */
struct event_sums {
    double lanes[OP_CLASSES];
    double register_reads, register_writes; /* of lanes */
    double texture_accesses;
};

struct profile {
    struct timing timing;
    double blocks, warps_per_block;
    double period; /* blocks that touch other lines than those before */
    double warp_insts, thread_insts; /* of the grid */
    struct block_insts block_insts;
    struct along along;
    struct profile_phase phase[PROFILE_PHASES]; /* heaviest first */
    int phases;
    double *code; /* cycles of a warp in each of the code's phases (struct
                   * phase, codes of them) but for waits for memory */
    uint32_t codes;
    struct profile_phase warp; /* all of a warp, as though it were one phase;
                                * its worst accesses mean nothing */
    /* Cycles of a warp and of its block's longest path (at every barrier the
     * slowest warp) when nothing else runs, by the level that serves loads. */
    double unloaded[MEMORY_LEVELS], critical[MEMORY_LEVELS];
    double barriers; /* block-wide waits of a block */
    double drain;    /* cycles a warp waits for its last accesses when it has
                      * issued all */
    double spread;   /* coefficient of variation of critical, over blocks */
    double longest;  /* of so many blocks, how much longer than the mean the
                      * longest is, as a share of it */
    int longest_of;
    double sector_bytes; /* of all counts of sectors: the smaller of the L1's
                          * and the L2's */
    double block_lines;  /* distinct lines of a block */
    double code_lines;   /* distinct lines of the instruction cache */
    double code_again;   /* ... of which the next block finds none */
    double code_misses;  /* of a warp alone, beyond those lines */
    struct reuse_histogram store_miss; /* of stored sectors, by reuse time */
    /* Of the sectors loaded, those that have to wait, by reuse time. */
    struct reuse_histogram l1_wait[REUSE_KINDS];
    struct footprint l1_lines, texture_lines, l2_lines;
    struct shared_lines shared;
    /* As shared.by_chance, of sectors: the phases' SHARED_WIDE is the share of
     * first touches to which it applies. */
    double sectors_by_chance, sectors_in_middle;
    double sectors_crammed; /* as shared.crammed, on average; SHARED_ROOM of the
                             * phases is what another block came to first */
    double in_order; /* share of what distant blocks touch, too, that all come
                      * by in the same order */
    double stored_lines;  /* of block_lines, those that are stored to; 0 of few
                           * blocks */
    struct alike stored;  /* what blocks store to alike by chance */
    double private_lines; /* block_lines without other blocks' shares of them,
                           * of a period */
    struct placement placement;
    struct event_sums events;
};

#endif
