/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What most parts of an SM work on: its time, its kernel, the warps and blocks
 * it holds, the table that policies see, its counters, its time wheel; and the
 * events by which a part tells observers what it did. Every part keeps the rest
 * of its state to itself and has a pointer to this. */
#ifndef SAMPLER_SM_CORE_H
#define SAMPLER_SM_CORE_H

#include "base/error.h"
#include "configs/exec.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"
#include "sampler/sm/scoreboard.h"
#include "sampler/sm/wheel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_OBSERVERS 4

/* Instructions for which no warp waits that a scheduler has under way at most.
 * Chosen: how long the queue of a tensor core is is not published, and with as
 * many it is never empty. */
#define RESULTS_AHEAD 8

/* What the pipeline needs of a static instruction, looked up once. */
struct decoded {
    uint8_t unit;          /* enum exec_unit, EXEC_UNITS when it needs none */
    uint8_t exec;          /* enum exec_class */
    bool load;             /* global or local load */
    uint8_t reads, writes; /* register operands, predicates apart */
    uint32_t interval;     /* cycles until its pipeline takes another */
    uint32_t late;   /* cycles its results come after those of its class */
    uint8_t sources; /* registers that the collector reads */
    uint16_t source[INST_MAX_SRC];
    struct registers_named uses; /* that it reads or writes */
};

struct warp {
    uint32_t block_slot, in_block;
    uint32_t loads, stores; /* memory instructions not complete */
    uint32_t copies;        /* ... that take no registers */
    uint32_t alu;           /* other instructions not complete */
    uint32_t insts;         /* issued */
    uint32_t phase;         /* of its latest instruction */
    bool exited;            /* its last instruction is issued */
    uint64_t launched;      /* cycle */
    uint64_t ready_since;   /* cycle its next instruction became free */
    uint64_t sched_wait;    /* cycles from there to issue, summed up */
    uint32_t result_count;  /* of its block: raised by asynchronous results */
    uint32_t await, await_count; /* the count of the block it waits for */
};

struct block_slot {
    bool used;
    uint64_t id;
    uint32_t warps_running; /* have not exited: a barrier waits for these */
    uint32_t warps_left;    /* have not ended */
    uint32_t warps_at_barrier;
    uint64_t launched; /* cycle */
    uint64_t warps;    /* mask of its slots */
    uint32_t first;    /* of its slots, that of warp 0 */
    uint64_t awaiting; /* those of them that wait for a count */
    uint32_t *raised;  /* how often each count was raised, by its number */
    uint32_t counts;   /* of which there are entries */
    struct raise_later {
        uint32_t signal, await, await_count;
    } * later; /* counts to be raised once others have been */
    size_t laters;
    void *stream; /* front end's state */
};

/* What happens at a known cycle; the wheel entry's subject. */
enum completion {
    DONE_ALU,    /* result of a warp's instruction */
    DONE_MEMORY, /* all of a memory operation */
    DONE_FILL,   /* an MSHR of the L1 */
    DONE_ANSWER, /* one transaction of a memory operation */
    DONE_FETCH,  /* decode of what a warp fetched */
    DONE_BRANCH, /* a warp's branch */
    DONE_START   /* launch of the block in a slot */
};

struct observer {
    uint32_t events; /* mask of the sched_event_types it wants */
    void *user;
    void (*tell)(void *user, const struct sched_event *event);
};

struct criticality;

/* What every cycle looks at comes first: it shares cache lines. */
struct sm_core {
    uint64_t now;
    bool active_cycle; /* something moved in this cycle */
    bool failed;       /* with *error set: the run ends */
    uint32_t observed; /* types of events that any observer wants */
    const struct gpu *gpu;
    const struct kernel *kernel;
    const struct decoded *decoded;         /* [kernel->inst_count] */
    uint32_t alu_in_flight, mem_in_flight; /* instructions */
    uint64_t in_flight_since; /* cycle in which they changed last */
    uint8_t results_ahead[MAX_SCHEDULERS]; /* instructions of a scheduler under
                                            * way for which no warp waits */
    const struct exec_table *exec;
    int id;
    int kernel_index; /* in the application */
    struct error *error;

    struct warp_table table;
    struct warp warp[MAX_WARP_SLOTS];
    struct block_slot *block; /* blocks.h */
    struct wheel wheel;
    const struct criticality *criticality;   /* NULL: nobody asks for it */
    struct observer observer[MAX_OBSERVERS]; /* told in this order */
    int observers;
    struct sampler_counts counts;
};

static inline int warp_scheduler(const struct sm_core *core, int warp)
{
    return warp % core->table.schedulers;
}

/* ---- failure ------------------------------------------------------------ */

/* End the run, as memory is out or (STATUS_FAILED) for another reason. Nothing
 * may be left half done that a part relies on, for the cycle goes on to its
 * end. */
void core_no_memory(struct sm_core *core);
void core_fail(struct sm_core *core, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- time --------------------------------------------------------------- */

/* Complete `kind` at `time`, at the earliest in the next cycle. */
static inline void core_schedule(struct sm_core *core, uint64_t time,
                                 enum completion kind, int warp,
                                 uint32_t subject)
{
    time = latest(time, core->now + 1);
    if (!wheel_schedule(&core->wheel, core->now, time, (uint8_t)kind,
                        (uint8_t)warp, subject))
        core_no_memory(core);
}

/* ---- events ------------------------------------------------------------- */

/* Observers stay for good. Those added first are told first. */
void core_observe(struct sm_core *core, const struct observer *observer);
/* Tell those who want events of this type. */
void core_tell(const struct sm_core *core, const struct sched_event *event);

static inline bool core_is_observed(const struct sm_core *core,
                                    enum sched_event_type type)
{
    return (core->observed & type) != 0;
}

/* Something happened to a block (slot -1: to no single one). */
static inline void core_block_event(const struct sm_core *core,
                                    enum sched_event_type type, int slot)
{
    if (core_is_observed(core, type))
        core_tell(core, &(struct sched_event){.type = type,
                                              .cycle = core->now,
                                              .warp = -1,
                                              .block_slot = slot});
}

/* Something happened to a warp. */
static inline struct sched_event
warp_event(const struct sm_core *core, enum sched_event_type type, int warp)
{
    return (struct sched_event){.type = type,
                                .cycle = core->now,
                                .warp = warp,
                                .block_slot = (int)core->warp[warp].block_slot};
}

static inline void core_warp_event(const struct sm_core *core,
                                   enum sched_event_type type, int warp)
{
    if (!core_is_observed(core, type))
        return;
    struct sched_event e = warp_event(core, type, warp);
    core_tell(core, &e);
}

/* Something happened to an instruction of a warp. */
static inline struct sched_event inst_event(const struct sm_core *core,
                                            enum sched_event_type type,
                                            int warp, uint32_t inst)
{
    struct sched_event e = warp_event(core, type, warp);
    e.inst = &core->kernel->inst[inst];
    e.inst_index = inst;
    return e;
}

static inline void core_inst_event(const struct sm_core *core,
                                   enum sched_event_type type, int warp,
                                   uint32_t inst)
{
    if (!core_is_observed(core, type))
        return;
    struct sched_event e = inst_event(core, type, warp, inst);
    core_tell(core, &e);
}

static inline void core_step_event(const struct sm_core *core,
                                   enum sched_event_type type, int warp,
                                   const struct step *s)
{
    if (!core_is_observed(core, type))
        return;
    struct sched_event e = inst_event(core, type, warp, s->inst);
    e.mask = s->mask;
    e.taken_mask = type == EVENT_BRANCH ? s->taken_mask : 0;
    core_tell(core, &e);
}

/* ---- instructions in flight --------------------------------------------- */

/* Bring the counters of cycles with instructions in flight up to now. */
void core_settle_in_flight(struct sm_core *core);

/* The instructions in flight change by these numbers. */
static inline void core_count_in_flight(struct sm_core *core, int alu, int mem)
{
    if (core->now != core->in_flight_since)
        core_settle_in_flight(core);
    core->alu_in_flight += (uint32_t)alu;
    core->mem_in_flight += (uint32_t)mem;
}

#endif
