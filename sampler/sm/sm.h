/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One streaming multiprocessor. A cycle (sm_tick) goes backwards through the
 * pipeline so that what a stage frees the stage before it sees in the next
 * cycle:
 *
 *   1. completions due now: results written back, instructions decoded, blocks
 *      that begin (writeback.c, front.c)
 *   2. load/store unit: one step of the oldest memory instruction (ldst.c)
 *   3. operand collectors: dispatch what is complete, read registers
 * (collect.c)
 *   4. issue: every scheduler picks a warp (issue.c)
 *   5. fetch: instructions for warps whose buffer is empty (front.c)
 *
 * Dependent instructions issue latency + 1 cycles apart: the one is spent in
 * the collector. */
#ifndef SAMPLER_SM_SM_H
#define SAMPLER_SM_SM_H

#include "base/bits.h"
#include "base/pool.h"
#include "configs/exec.h"
#include "configs/gpu.h"
#include "kernels/form/coalesce.h"
#include "kernels/form/kernel.h"
#include "sampler/memory/cache.h"
#include "sampler/memory/memory.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"
#include "sampler/sm/cpl.h"
#include "sampler/sm/icache.h"
#include "sampler/sm/line_set.h"
#include "sampler/sm/share.h"

#include <stdbool.h>
#include <stdint.h>

#define WHEEL_SIZE       4096 /* > longest fixed latency: constant miss, cycles */
#define MAX_SCHEDULERS   8
#define MAX_POOLS        (EXEC_UNITS * MAX_SCHEDULERS)
#define MAX_COLLECTORS   256 /* six classes of 24, seven of 2 x 8 registers */
#define MAX_UNITS        64
#define RESULT_CYCLES    1024 /* > longest latency of a unit */
#define SCOREBOARD_WORDS (REG_COUNT / 64)
#define NO_OP            NO_RECORD

struct warp {
    bool done_fetching; /* the stream has ended */
    bool fetching;      /* instructions are on their way */
    bool refused;       /* ... but the cache must be asked again */
    bool exited;        /* its last instruction was issued */
    uint8_t buffered, incoming, head; /* instructions in the buffer */
    uint8_t head_unit;                /* in whose mask of heads it may stand */
    uint32_t block_slot, in_block;
    uint32_t loads, stores; /* memory instructions not complete */
    uint32_t alu;           /* other instructions not complete */
    uint32_t insts;         /* issued */
    uint64_t launched;      /* cycle */
    uint64_t ready_since;   /* cycle its next instruction became free */
    uint64_t sched_wait;    /* cycles from there to issue, summed up */
    uint32_t phase;         /* of its latest instruction */
    uint64_t pending[SCOREBOARD_WORDS];      /* registers to be written */
    uint64_t long_pending[SCOREBOARD_WORDS]; /* ... by memory */
    uint64_t loaded[SCOREBOARD_WORDS]; /* last written by it, come or not */
    struct step *buffer;               /* ring of buffer_size instructions */
};

struct block_slot {
    bool used;
    uint64_t id;
    uint32_t warps_running; /* have not exited: a barrier waits for these */
    uint32_t warps_left;    /* have not ended */
    uint32_t warps_at_barrier;
    uint64_t launched;
    uint64_t warps; /* mask of its slots */
    void *stream;   /* front end's state */
};

/* What happens at a known cycle. */
enum completion_kind {
    DONE_ALU,
    DONE_MEMORY,
    DONE_ANSWER, /* one transaction of a memory operation */
    DONE_FETCH,
    DONE_BRANCH,
    DONE_START
};

struct completion {
    uint32_t next;
    uint32_t inst; /* or memory operation, or block slot */
    uint8_t kind;
    uint8_t warp;
};

/* A memory instruction from issue to its last answer. */
struct memory_op {
    uint32_t next_free;
    uint32_t inst;
    uint32_t outstanding; /* transactions not answered */
    uint8_t warp;
    bool all_sent;
    bool load; /* has a result: load or atomic */
};

/* A memory instruction that waits for or is in the load/store unit. */
struct ldst_entry {
    uint32_t op;
    uint16_t count, next; /* transactions, the one to go next */
    uint16_t conflict;    /* shared memory passes */
    uint8_t space, serial;
    struct transaction transaction[MAX_TRANSACTIONS];
};

/* Where an issued instruction stands: without stage.registers always in a
 * collector. */
enum stage { STAGE_ISSUED, STAGE_COLLECTING, STAGE_READY, STAGES };

struct collector {
    uint32_t inst;
    uint8_t warp, scheduler, pool, unit, exec, stage;
    uint8_t side;                   /* its pool of pipeline registers */
    uint8_t left;                   /* operands to read */
    uint16_t operand[INST_MAX_SRC]; /* banks of those left */
    uint16_t entry;                 /* ldst_entry of a memory instruction */
};

/* What a step of memory work that is held up waits for. */
struct ldst_wait {
    bool fill;   /* an L1 fill */
    bool credit; /* room at the port to the L2 */
    bool queue;  /* room in the queue of an L1 bank */
};

/* An access on its way through the L1, with ldst.late_tags. */
struct l1_access {
    uint64_t due; /* cycle of its look-up */
    uint32_t op;
    struct transaction transaction;
};
struct l1_queue {
    struct l1_access *access; /* ring of l1.latency */
    int head, count;
    struct ldst_wait wait;
};

/* An L1 miss on its way. */
struct l1_mshr {
    uint32_t waiting; /* list of waiters */
    uint16_t merged;
    int set, way;
};
struct l1_waiter {
    uint32_t next, op, need; /* sectors it still needs */
};

/* What an empty slot was put down to and why: of the warps that only want a
 * unit and of those that wait, which want memory. */
struct blamed {
    uint64_t ready, waiting, ready_mem, waiting_mem;
    enum stall stall;
};

struct scheduler {
    uint64_t owned;
    void *state;
    enum stall stall;
    uint64_t since; /* cycle the present stall state began */
    struct blamed blamed;
};

/* Of a step of memory work: a blocked one has changed nothing. */
enum progress { STEP_DONE, STEP_BLOCKED };

struct machine;

struct sm {
    struct machine *machine;
    const struct gpu *gpu;
    const struct kernel *kernel;
    int id;

    /* warps and blocks */
    struct warp_table table;
    struct cpl *cpl; /* NULL: nothing asks for criticality */
    struct warp warp[MAX_WARP_SLOTS];
    struct step *buffers; /* [slots * buffer_size] */
    int buffer_size;
    struct block_slot *block;
    int block_slots, resident;
    uint64_t ages;

    /* heads of the buffers by unit, for readiness */
    uint64_t head_unit[EXEC_UNITS];
    uint64_t want_fetch; /* live warps with room and nothing on its way */
    int fetch_next;

    struct scheduler scheduler[MAX_SCHEDULERS];
    struct share share; /* of this cycle, where schedulers share warps */
    uint64_t stalls[STALLS];

    /* collectors and units */
    struct collector collector[MAX_COLLECTORS];
    uint8_t active[MAX_COLLECTORS]; /* collectors in use, oldest first */
    int active_count;
    int staged[STAGES]; /* of them, with stage.registers */
    int before_free[MAX_POOLS], after_free[MAX_POOLS]; /* registers */
    uint8_t free_collector[MAX_COLLECTORS];
    int free_collector_count;
    int pool_free[MAX_POOLS];
    int moves[EXEC_UNITS];     /* into and out of collectors a step */
    bool own_pool[EXEC_UNITS]; /* every scheduler has its own */
    int sub_cores;     /* schedulers when they own units and banks, else 1 */
    bool shares_warps; /* schedulers lend each other collectors */
    uint64_t unit_free[EXEC_UNITS][MAX_UNITS]; /* cycle each is free */
    int unit_count[EXEC_UNITS];
    uint64_t bank_step[256]; /* read step of the latest use */
    uint8_t bank_used[256];
    uint64_t result_cycle[RESULT_CYCLES]; /* cycle modulo RESULT_CYCLES */
    uint8_t result_used[RESULT_CYCLES];   /* results that end in it */

    /* memory */
    struct cache l1, constant, texture;
    struct icache icache;
    struct line_set evicted; /* of the L1, with options.criticality */
    struct ldst_entry *entry;
    int entries;
    uint16_t *free_entry;
    int free_entry_count;
    uint16_t *queue; /* entries in the load/store unit, in order */
    int queue_head, queue_count, queue_size;
    uint64_t ldst_free; /* cycle the unit takes its next step */
    struct ldst_wait ldst_wait;
    struct ldst_wait *wait; /* of the work now done */
    struct l1_queue *l1_queue;
    int l1_queues;
    struct l1_access *l1_accesses;
    uint32_t *answer; /* ring of operations that wait for write-back */
    uint32_t answer_capacity, answer_head, answers;
    int fills; /* requests to the L2 that L1 misses wait for */
    struct memory_op *op;
    struct pool ops;
    struct l1_mshr *mshr;
    uint32_t *free_mshr;
    int free_mshr_count;
    struct l1_waiter *waiter;
    struct pool waiters;

    /* time wheel of completions */
    uint32_t wheel[WHEEL_SIZE];
    uint64_t wheel_used[WHEEL_SIZE / 64];
    struct completion *completion;
    uint32_t completion_capacity, free_completion;

    uint64_t now;
    uint64_t wake; /* next cycle with work, NO_EVENT: only a reply wakes it */
    bool active_cycle; /* something moved in this cycle */

    /* instructions in flight over time */
    uint32_t alu_flying, mem_flying;
    uint64_t flying_since;
    uint64_t insts;
    struct sampler_counts counts;
};

/* ---- sm.c --------------------------------------------------------------- */

bool sm_init(struct sm *sm, struct machine *machine, int id, int block_slots);
void sm_free(struct sm *sm);
/* Before each kernel: block slots for its streams, policies' state. */
bool sm_start_kernel(struct sm *sm, const struct kernel *k);
/* Place block `id` in a free slot; it begins after launch.block_cycles. NULL
 * with e set when its stream cannot be opened. */
const struct block_slot *sm_launch(struct sm *sm, uint64_t id, uint64_t now,
                                   struct error *e);
/* Whether the predictor finds the warp critical; false where none runs. */
bool sm_is_critical(const struct sm *sm, int warp);
/* Warp instructions the block has issued. */
uint64_t sm_block_insts(const struct sm *sm, const struct block_slot *slot);
void sm_tick(struct sm *sm, uint64_t now);
/* A reply from the memory system. */
void sm_reply(struct sm *sm, const struct request *r, uint64_t now);
/* Bring stall and load counters up to `now`. */
void sm_settle(struct sm *sm, uint64_t now);
/* One line on what the first stuck warps wait for. */
void sm_describe_stuck(const struct sm *sm, char *out, size_t size);

/* Complete `kind` at `time` (after sm->now, within the wheel). */
void sm_schedule(struct sm *sm, uint64_t time, enum completion_kind kind,
                 int warp, uint32_t inst);
void sm_event(struct sm *sm, const struct sched_event *event);
/* Take note that warp's instructions in flight changed by the given numbers. */
void sm_count_flying(struct sm *sm, int alu, int mem);
/* The warp has issued its last instruction. */
void sm_leave_kernel(struct sm *sm, int warp);
/* End the warp if nothing of it is left; called whenever something completed.
 */
void sm_try_end_warp(struct sm *sm, int warp);

/* ---- front.c: fetch, decode, readiness ---------------------------------- */

bool front_has_work(const struct sm *sm);
void front_fetch(struct sm *sm);
void front_decoded(struct sm *sm, int warp);
/* Recompute what the table says of the warp's next instruction. */
void front_refresh(struct sm *sm, int warp);
void front_update_want(struct sm *sm, int warp);
const struct step *front_head(const struct sm *sm, int warp);

/* ---- issue.c ------------------------------------------------------------ */

void issue_cycle(struct sm *sm);
void issue_release_barrier(struct sm *sm, uint32_t block_slot);

/* ---- collect.c ---------------------------------------------------------- */

bool collect_init(struct sm *sm);
/* Whether scheduler s finds a collector for `unit`. */
bool collect_has_room(const struct sm *sm, int scheduler, int unit);
/* Whether schedulers have collectors of their own for `unit`, and units enough
 * to go round: where not, warp sharing does nothing. */
bool collect_is_own(const struct sm *sm, int unit);
/* For an instruction of warp that `scheduler`, as a rule its own, issues. */
void collect_allocate(struct sm *sm, int scheduler, int warp, uint32_t inst,
                      int unit, uint16_t entry);
void collect_cycle(struct sm *sm);
/* The cycle, after now, in which a collector can go on by itself, or NO_EVENT.
 */
uint64_t collect_wake(const struct sm *sm);
void collect_mark_write(struct sm *sm, int warp, const struct inst *i);

/* ---- writeback.c -------------------------------------------------------- */

void writeback_alu(struct sm *sm, int warp, uint32_t inst);
void writeback_memory(struct sm *sm, uint32_t op);
/* A transaction of memory operation `op` is answered; where answers are written
 * back one a cycle it queues for that. */
void writeback_answer(struct sm *sm, uint32_t op);
/* Queue it for write-back, from this cycle on. */
void writeback_queue(struct sm *sm, uint32_t op);
/* Write an answer back. */
void writeback_cycle(struct sm *sm);

/* ---- ldst.c ------------------------------------------------------------- */

bool ldst_init(struct sm *sm);
void ldst_free(struct sm *sm);
/* Coalesce the step into a fresh entry and memory operation. */
uint16_t ldst_prepare(struct sm *sm, int warp, const struct step *s);
bool ldst_has_entry(const struct sm *sm);
bool ldst_has_room(const struct sm *sm);
void ldst_accept(struct sm *sm, uint16_t entry);
void ldst_cycle(struct sm *sm);
void ldst_reply(struct sm *sm, const struct request *r);
/* An L1 fill has come: what waited for one goes on. */
void ldst_filled(struct sm *sm);
/* Slices have room again: whether the unit waited for that. */
bool ldst_credit_returned(struct sm *sm);
/* The cycle, after now, in which memory work goes on by itself, or NO_EVENT. */
uint64_t ldst_wake(const struct sm *sm);
/* Send the transaction past the L1. */
enum progress ldst_past_l1(struct sm *sm, uint32_t op,
                           const struct transaction *t, uint8_t serial);
/* One transaction of memory operation `op` is served. */
void ldst_answered(struct sm *sm, uint32_t op);
/* Whether a load's or store's transactions are lines of the L1, else of L2. */
bool ldst_in_l1(const struct gpu *g, const struct inst *i);
/* The L1 bank of an access, 0 unless banked. */
int ldst_bank(const struct gpu *g, const struct transaction *t);
struct cache_access ldst_access(const struct sm *sm, const struct memory_op *op,
                                uint64_t line);
/* The L2 line and sectors that hold the given sectors of a first-level line,
 * which lies inside one L2 line. */
struct transaction ldst_to_l2(const struct gpu *g, uint64_t line,
                              uint32_t sectors, int line_bytes,
                              int sector_bytes);
/* Whether a request to the L2 can go now; notes that it waits. */
bool ldst_may_send(struct sm *sm);
/* Send *r; its sm is filled in. */
void ldst_send(struct sm *sm, const struct request *r);

static inline bool ldst_held_up(const struct ldst_wait *w)
{
    return w->fill || w->credit || w->queue;
}

static inline int warp_scheduler(const struct sm *sm, int warp)
{
    return warp % sm->table.schedulers;
}

#endif
