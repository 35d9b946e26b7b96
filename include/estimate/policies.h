/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies: those built in, by name, and those that a program brings itself.
 *
 * A policy is named with its parameters as on the command line, "gto" or
 * "tlgto:8". A context holds the policies that a program has registered; where
 * one is asked for, NULL stands for the built-in ones alone. */
#ifndef ESTIMATE_POLICIES_H
#define ESTIMATE_POLICIES_H

#include <estimate/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum estimate_policy_kind {
    ESTIMATE_WARP,  /* which warp of a scheduler issues */
    ESTIMATE_BLOCK, /* which SM gets which thread block, and how many */
    ESTIMATE_L1     /* which line of the L1 is replaced */
};

struct estimate_context;
ESTIMATE_API struct estimate_context *
estimate_context_create(struct estimate_error *e);
/* Studies made with it must be gone. */
ESTIMATE_API void estimate_context_free(struct estimate_context *c);

/* ---- what there is ------------------------------------------------------- */

struct estimate_policy;

/* Policy i of a kind, those registered behind the built-in ones; NULL behind
 * the last. */
ESTIMATE_API const struct estimate_policy *
estimate_policy(const struct estimate_context *c,
                enum estimate_policy_kind kind, size_t i);
/* The name of the policy that is meant where none is named. */
ESTIMATE_API const char *
estimate_policy_default(enum estimate_policy_kind kind);

ESTIMATE_API const char *estimate_policy_name(const struct estimate_policy *p);
ESTIMATE_API const char *
estimate_policy_summary(const struct estimate_policy *p);
/* Where it is from: "paws Sec. IV-B2". */
ESTIMATE_API const char *estimate_policy_paper(const struct estimate_policy *p);

/* Parameters are whole numbers, given after colons in this order. */
struct estimate_param {
    const char *name;
    double fallback, min, max; /* fallback: where it is not given */
    const char *help;          /* may be NULL */
};
/* Parameter i; false behind the last. `size` is that of *out. */
ESTIMATE_API bool estimate_policy_param(struct estimate_param *out, size_t size,
                                        const struct estimate_policy *p,
                                        size_t i);

/* "tlgto:8" as results name it: parameters at their default at the end left
 * out, so two texts mean the same policy when their labels are equal. False for
 * unknown names, with the nearest, and for wrong parameters. */
ESTIMATE_API bool estimate_policy_label(char *out, size_t size,
                                        const struct estimate_context *c,
                                        enum estimate_policy_kind kind,
                                        const char *text,
                                        struct estimate_error *e);
/* The L1 policy that a warp scheduler always brings with it, NULL: none. `text`
 * must be a valid one. */
ESTIMATE_API const char *estimate_scheduler_l1(const struct estimate_context *c,
                                               const char *text);

/* ---- a warp scheduler of one's own --------------------------------------- */

#define ESTIMATE_PARAMS 4 /* parameters that a policy has at most */

/* What a warp scheduler sees of its SM: masks with one bit a warp slot, arrays
 * with one entry a slot. Slots s with s mod schedulers == index are its own. */
struct estimate_warps {
    int slots, schedulers;
    uint64_t live;            /* resident and not ended */
    uint64_t finished;        /* has issued its last instruction */
    uint64_t has_instruction; /* a decoded instruction waits */
    uint64_t hazard_free;     /* and no register holds it back */
    uint64_t long_wait;       /* and it waits for a long-latency result */
    uint64_t head_is_load;    /* and it is a global or local load */
    uint64_t at_barrier;
    uint64_t branch_wait;        /* a branch is not resolved yet */
    const uint64_t *age;         /* launch order: smaller is older */
    const uint32_t *distance;    /* cycles to the end of its phase */
    const uint32_t *block_slot;  /* where its block is on the SM */
    const uint64_t *block;       /* its block in the grid */
    const uint64_t *block_insts; /* by block slot: warp instructions issued */
    const uint32_t *warp_in_block;
};

/* Bits of estimate_scheduler.events. */
enum estimate_warp_event_type {
    ESTIMATE_EVENT_ISSUE = 1 << 0,
    ESTIMATE_EVENT_COMMIT = 1 << 1,
    ESTIMATE_EVENT_BRANCH = 1 << 2,      /* its outcome is known */
    ESTIMATE_EVENT_LOAD_RETURN = 1 << 3, /* all data of a load is back */
    ESTIMATE_EVENT_BARRIER_WAIT = 1 << 4,
    ESTIMATE_EVENT_BARRIER_RELEASE = 1 << 5,
    ESTIMATE_EVENT_L1_HIT = 1 << 6,
    ESTIMATE_EVENT_L1_MISS = 1 << 7,
    ESTIMATE_EVENT_L1_EVICT = 1 << 8, /* a line of the warp's was evicted */
    ESTIMATE_EVENT_BLOCK_LAUNCH = 1 << 9,
    ESTIMATE_EVENT_WARP_LAUNCH = 1 << 10, /* its slot has a new warp */
    ESTIMATE_EVENT_WARP_END = 1 << 11,
    ESTIMATE_EVENT_BLOCK_END = 1 << 12,
    ESTIMATE_EVENT_LAST_BLOCK = 1 << 13, /* of the kernel, launched anywhere */
    ESTIMATE_EVENT_WARP_EXIT = 1 << 14   /* its last instruction is issued */
};

struct estimate_warp_event {
    enum estimate_warp_event_type type;
    uint64_t cycle;
    int warp, block_slot;      /* -1: of no single one */
    uint32_t instruction;      /* its index in the code */
    uint32_t mask, taken_mask; /* active lanes; branches: those that jump */
    uint64_t line;             /* cache events: the line's address */
};

struct estimate_scheduler_start {
    void *user; /* estimate_scheduler.user */
    int index;
    int issue_period;    /* it is asked in every such cycle, from 0 on */
    uint64_t owned;      /* mask of its slots */
    const double *param; /* [ESTIMATE_PARAMS] */
};

/* How the model, which knows of no callbacks, is to see the scheduler. */
enum estimate_family {
    ESTIMATE_ROUND_ROBIN, /* warps advance together */
    ESTIMATE_GREEDY,      /* oldest or same warp first: they spread out */
    ESTIMATE_BY_PHASE     /* the shortest way to the end of its phase first */
};

/* The contract. Callbacks are called from many threads at once, each with a
 * state of its own, and keep nothing anywhere else; what `user` points to they
 * only read. The same calls must have the same answers, or results differ from
 * run to run. */
struct estimate_scheduler {
    size_t size; /* set by estimate_scheduler_init() */
    const char *name, *summary, *paper;
    const struct estimate_param *param; /* [params] */
    size_t params;                      /* at most ESTIMATE_PARAMS */
    enum estimate_family family;
    void *user;
    size_t state_size; /* bytes of one scheduler's state, zeroed at the start */
    uint32_t events;   /* those that it wants */
    bool whole_sm;     /* of all the SM's warps, not of its own alone */
    /* Optional: the start of a run. */
    void (*init)(void *state, const struct estimate_scheduler_start *start);
    /* The slot of `ready` that issues at `cycle`, -1 to let none go. `ready` is
     * never 0, and what it holds can issue now. */
    int (*pick)(void *state, const struct estimate_warps *warps, uint64_t ready,
                uint64_t cycle);
    /* Optional: its own warps that may issue at all, asked before pick when
     * something changed; and the cycle at which that changes by time alone,
     * UINT64_MAX: never. */
    uint64_t (*eligible)(void *state, const struct estimate_warps *warps,
                         uint64_t cycle);
    uint64_t (*next_change)(const void *state);
    /* Optional. */
    void (*event)(void *state, const struct estimate_warps *warps,
                  const struct estimate_warp_event *event);
};

ESTIMATE_API void estimate_scheduler_init(struct estimate_scheduler *s,
                                          size_t size);
/* Make it known by its name. ESTIMATE_USAGE when the name is taken or what the
 * contract requires is missing. */
ESTIMATE_API bool
estimate_scheduler_register(struct estimate_context *c,
                            const struct estimate_scheduler *s,
                            struct estimate_error *e);

/* ---- a thread-block scheduler of one's own ------------------------------- */

/* A kernel's grid and where its blocks are. */
struct estimate_grid {
    void *user;          /* estimate_block_scheduler.user */
    const double *param; /* [ESTIMATE_PARAMS] */
    int sms;
    int max_blocks; /* resident blocks that an SM has room for */
    uint64_t blocks, handed_out;
    uint32_t x, y, z;
    int kernel_index;    /* position in the application, 0 first */
    const int *resident; /* [sms] blocks that each SM holds */
    int next_sm;         /* successor of the SM that took or finished a block
                          * last; 0 first */
};

enum estimate_block_event_type {
    ESTIMATE_BLOCK_START,
    ESTIMATE_BLOCK_END,
    ESTIMATE_BLOCK_SAMPLE /* the cycle that sample_at named has come */
};

struct estimate_block_event {
    enum estimate_block_event_type type;
    uint64_t cycle;
    int sm;
    uint64_t block;
    uint64_t block_insts; /* warp instructions of the block that ended */
    uint64_t sm_insts;    /* warp instructions of the SM since the launch */
    /* Issue slots of the SM since the launch, in the order of
     * estimate_point.stall. */
    const uint64_t *slots;
};

/* All callbacks are optional; what is left out is as "in turn" does it. */
struct estimate_block_scheduler {
    size_t size; /* set by estimate_block_scheduler_init() */
    const char *name, *summary, *paper;
    const struct estimate_param *param; /* [params] */
    size_t params;
    void *user;
    /* Bytes of state, and behind these for each SM; zeroed before the first
     * kernel, kept through all kernels of an application. */
    size_t state_size, sm_state_size;
    void (*kernel_start)(void *state, const struct estimate_grid *grid);
    /* The SM that is served first this cycle; else grid->next_sm. */
    int (*first_sm)(void *state, const struct estimate_grid *grid);
    /* The block that `sm`, which has room, is to launch now, -1: none. Every
     * block is handed out once; else the next in grid order. */
    int64_t (*next)(void *state, const struct estimate_grid *grid, int sm);
    /* Blocks that may be resident on sm now; else grid->max_blocks. */
    int (*limit)(void *state, const struct estimate_grid *grid, int sm);
    /* The next cycle at which an event is to tell of sm, UINT64_MAX: none. */
    uint64_t (*sample_at)(const void *state, int sm);
    void (*event)(void *state, const struct estimate_grid *grid,
                  const struct estimate_block_event *event);
};

ESTIMATE_API void
estimate_block_scheduler_init(struct estimate_block_scheduler *s, size_t size);
ESTIMATE_API bool
estimate_block_scheduler_register(struct estimate_context *c,
                                  const struct estimate_block_scheduler *s,
                                  struct estimate_error *e);

/* ---- an L1 policy of one's own ------------------------------------------- */

struct estimate_l1_start {
    void *user;          /* estimate_l1_policy.user */
    const double *param; /* [ESTIMATE_PARAMS] */
    int sets, ways;
};

struct estimate_l1_access {
    uint64_t line;    /* address in lines */
    uint64_t address; /* of its first byte */
    uint32_t instruction;
    int warp; /* slot */
    bool write;
};

struct estimate_l1_policy {
    size_t size; /* set by estimate_l1_policy_init() */
    const char *name, *summary, *paper;
    const struct estimate_param *param; /* [params] */
    size_t params;
    void *user;
    /* Bytes of state of a cache, and behind these for each way of each set, by
     * set, then way; zeroed at the start. */
    size_t state_size, way_state_size;
    /* Optional: the start; an access found its line; one comes into the way;
     * it makes room for another; it became invalid without. */
    void (*init)(void *state, const struct estimate_l1_start *start);
    void (*hit)(void *state, int set, int way,
                const struct estimate_l1_access *a);
    void (*fill)(void *state, int set, int way,
                 const struct estimate_l1_access *a);
    void (*evict)(void *state, int set, int way);
    void (*drop)(void *state, int set, int way);
    /* The way of `set` to replace, all being valid. Ways with locked[way] != 0
     * may not be chosen; -1 when all are. */
    int (*victim)(void *state, int set, const uint8_t *locked,
                  const struct estimate_l1_access *a);
};

ESTIMATE_API void estimate_l1_policy_init(struct estimate_l1_policy *p,
                                          size_t size);
ESTIMATE_API bool
estimate_l1_policy_register(struct estimate_context *c,
                            const struct estimate_l1_policy *p,
                            struct estimate_error *e);

#ifdef __cplusplus
}
#endif

#endif
