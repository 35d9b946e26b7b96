/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One warp alone on its SM: in-order issue, register dependences, unloaded
 * latencies, once for each place its loads may be served from. Cut into phases
 * at every wait for memory and every barrier. */
#ifndef MODEL_WALK_H
#define MODEL_WALK_H

#include "model/bursts.h"
#include "model/counts.h"
#include "model/lines.h"
#include "model/moves.h"
#include "model/profile.h"

/* First access of a block to some sectors of a line, to see what blocks share.
 */
struct first_touch {
    uint64_t line;
    uint32_t sectors;
    bool cold; /* the first to the line */
    bool reads;
    /* Of a cold one: the block's requests to the L2 at least, and of its
     * atomics, those that the L2 does one after another. */
    uint32_t sent, serial;
    uint32_t inst;
    uint32_t phase; /* its first instruction */
    size_t access;  /* which of the access log */
    double weight;
};

/* Of the global and texture instructions of some blocks, one after another: the
 * accesses of their first lanes. */
struct access_log {
    bool keep;
    struct access *access;
    size_t count, capacity;
};

/* What walks add to. Phases are told apart by their first instruction. */
struct walk_sums {
    const struct kernel *kernel;
    const struct gpu *gpu;
    struct timing timing;
    struct reuse_tracker tracker, texture;
    struct line_sizes lines;
    /* Times of the trackers when the warps began the phases they are in: as one
     * waits for memory at the end of each, they are in them together. */
    uint64_t round, texture_round;
    struct profile_phase **phase; /* [inst_count], NULL where none begins */
    bool *executed;               /* [inst_count] */
    double *code; /* cycles of the code's phases, [phase_count], of all warps:
                   * from one issue to the next, but for waits for memory */
    struct reuse_histogram l1_wait[REUSE_KINDS]; /* of loaded sectors */
    struct reuse_histogram l1_time, texture_time, l2_time, store_time;
    double accesses, texture_accesses, thread_insts;
    struct event_sums events;
    double code_misses;   /* of one warp alone in the instruction cache */
    double weight;        /* of the block being walked */
    struct counts counts; /* of that block */
    bool keep_touches;
    struct first_touch *touch;
    double drain; /* of warps that have issued all, until they end */
    size_t touches, touch_capacity;
    struct access_log log;
};

/* A warp's time if all its loads were served by the same memory level. */
struct warp_clock {
    double now, start; /* earliest next issue; begin of the phase */
    double fetch;      /* when what is being fetched arrives */
    int buffered, incoming;
    double slot; /* time of the issue slot taken last */
    double ldst; /* the load/store unit is free */
    double done; /* the last of its accesses is complete */
    double unit[EXEC_UNITS];
    double ready[REG_COUNT];
};

#define CODE_LINES 64

struct walker {
    unsigned warp;
    bool ended, at_barrier;
    uint32_t last;    /* instruction issued last */
    bool holds;       /* its next step waits for a count */
    struct step held; /* ... and is this one */
    uint64_t steps;
    struct warp_clock clock[MEMORY_LEVELS];
    uint64_t waits[REG_COUNT / 64];      /* registers memory will write */
    struct profile_phase *phase;         /* under way, or NULL */
    uint64_t phase_start, texture_start; /* tracker times when it began */
    /* Reuse of the phase's accesses that would be the first to miss. */
    bool any_load;
    uint64_t worst_l1, worst_l2;
    enum reuse_kind worst_kind;
    uint32_t code[CODE_LINES]; /* first bytes of the lines of code used last,
                                * newest first */
    int code_count;
    /* Of the phase, for the load/store unit (UNIT_MEM) and slower ones. */
    struct burst_search burst[EXEC_UNITS];
    int slot_insts; /* in the last issue slot, and their units */
    uint32_t slot_units;
};

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

void walker_start(struct walker *w, unsigned warp);
/* Run until a phase ends; false when out of memory, or when the kernel's stop
 * is due on a long way there. Sets at_barrier or ended when that is what ended
 * the phase, holds when a count must be raised first, by other warps. */
bool walker_run(struct walker *w, struct walk_sums *sums, void *stream);
/* Let the warp go on from a barrier that opened at the given times. */
void walker_release(struct walker *w, const double time[MEMORY_LEVELS]);

/* What a memory instruction takes: cycles of the load/store unit, transactions
 * that return one after the other, and latency by level. */
struct access_cost {
    double unit, last;
    double latency[MEMORY_LEVELS];
};

/* Note what the memory instruction of w's phase touches, and what it takes.
 * False when out of memory. (walk_memory.c) */
bool walk_access(struct walker *w, struct walk_sums *s, const struct inst *i,
                 const struct step *step, struct access_cost *cost);

#endif
