/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three kinds of policy plug-in: warp scheduler, thread-block scheduler, L1
 * replacement. A policy is one file with one const struct and one line in its
 * kind's table (sampler/policy/warp/table.c,
 * sampler/policy/block/table.c,
 * sampler/policy/l1/table.c). Engines allocate state_size bytes (zeroed) a
 * scheduler, a GPU or a cache, and own creation and release. A policy reads
 * only what its callbacks are handed and keeps no other state. */
#ifndef SAMPLER_POLICY_POLICY_H
#define SAMPLER_POLICY_POLICY_H

#include "base/error.h"
#include "base/result.h"

#include <stdint.h>
#include <stdio.h>

struct inst;

struct policy_param {
    const char *name;
    double fallback, min, max; /* integers all */
    const char *help;
};

/* What every kind of policy tells of itself; `estimate list` prints it. */
struct policy_info {
    const char *name;    /* as on the command line */
    const char *summary; /* one line */
    const char *paper;   /* key and section, "paws Sec. IV-B2" */
    struct policy_param param[POLICY_MAX_PARAMS]; /* name NULL ends */
};

/* ---- warp schedulers ---------------------------------------------------- */

#define MAX_WARP_SLOTS 64

/* What a warp scheduler may see of the SM: one bit or entry a warp slot. Slots
 * s with s mod schedulers == index belong to scheduler index. Written by the
 * SM only. */
struct warp_table {
    int slots, schedulers;
    uint64_t live;            /* resident and not ended */
    uint64_t finished;        /* ... and its last instruction is issued: it ends
                               * when what it has in flight is complete */
    uint64_t has_inst;        /* a decoded instruction waits in the buffer */
    uint64_t hazard_free;     /* ... and no scoreboard hazard holds it */
    uint64_t long_wait;       /* ... and it reads or overwrites a register of an
                               * outstanding long-latency operation */
    uint64_t head_is_load;    /* ... and it is a global or local load */
    uint64_t head_reads_load; /* ... and it is a fence that waits, or reads a
                               * register that global or local memory or a
                               * texture wrote last (where a policy needs it) */
    uint64_t at_barrier;
    uint64_t branch_wait;              /* a branch of it is not resolved yet */
    uint64_t age[MAX_WARP_SLOTS];      /* launch order: smaller is older */
    uint32_t distance[MAX_WARP_SLOTS]; /* phase distance at that instruction */
    uint32_t block_slot[MAX_WARP_SLOTS];
    uint64_t block_id[MAX_WARP_SLOTS];
    uint64_t block_insts[MAX_WARP_SLOTS]; /* by block slot: warp instructions
                                           * the block has issued */
    uint32_t warp_in_block[MAX_WARP_SLOTS];
    double criticality[MAX_WARP_SLOTS]; /* where a predictor runs */
};

enum sched_event_type {
    EVENT_ISSUE = 1 << 0,
    EVENT_COMMIT = 1 << 1,
    EVENT_BRANCH = 1 << 2,      /* outcome known: taken_mask of mask */
    EVENT_LOAD_RETURN = 1 << 3, /* all data of a load is back */
    EVENT_BARRIER_WAIT = 1 << 4,
    EVENT_BARRIER_RELEASE = 1 << 5,
    EVENT_L1_HIT = 1 << 6,
    EVENT_L1_MISS = 1 << 7,
    EVENT_L1_EVICT = 1 << 8, /* line of `warp` evicted */
    EVENT_BLOCK_LAUNCH = 1 << 9,
    EVENT_WARP_LAUNCH = 1 << 10,
    EVENT_WARP_END = 1 << 11,
    EVENT_BLOCK_END = 1 << 12,
    EVENT_WARP_EXIT = 1 << 14, /* it has issued its last instruction */
    EVENT_LAST_BLOCK =
        1 << 13 /* the kernel's last block was issued somewhere */
};

struct sched_event {
    enum sched_event_type type;
    uint64_t cycle;
    int warp;                /* slot, -1 when the event is of no single warp */
    int block_slot;          /* likewise */
    const struct inst *inst; /* issue, commit, branch, load: the instruction */
    uint32_t inst_index;
    uint32_t mask, taken_mask;
    uint64_t line; /* cache events: line address */
};

/* How the interval model sees a policy (design: model.md section 3). */
enum policy_family {
    FAMILY_ROUND_ROBIN, /* warps advance together */
    FAMILY_GREEDY,      /* oldest or same warp first: warps spread out */
    FAMILY_PHASE,       /* shortest phase distance first */
    FAMILY_LIMIT        /* only some warps may issue */
};
struct policy_traits {
    enum policy_family family;
    bool two_level; /* param[0] is the size of the ready queue */
};

struct warp_context {
    int index;        /* this scheduler */
    int issue_period; /* it is asked in every such cycle, from 0 on */
    uint64_t owned;   /* mask of its slots */
    const double *param;
    /* Oracle of a two-pass policy: execution cycles of warp w of block b at
     * [(b - first_block) * warps_per_block + w], or NULL. */
    const uint32_t *warp_cycles;
    uint64_t first_block;
    uint32_t warps_per_block;
};

struct warp_policy {
    struct policy_info info;
    struct policy_traits traits;
    size_t state_size;      /* of one scheduler */
    uint32_t events;        /* mask of the sched_event_types it wants */
    bool whole_sm;          /* ... of all the SM's warps, not just its own */
    bool warp_sharing;      /* the SM lends collectors between schedulers */
    bool two_pass;          /* needs warp_cycles from a first run under lrr */
    bool needs_criticality; /* the SM keeps warp_table.criticality */
    bool needs_loaded;      /* ... and head_reads_load */
    const char *l1_policy;  /* the L1 policy it brings, or NULL */
    void (*init)(void *state, const struct warp_context *context);
    /* The one of `ready` (never 0, owned, hazard-free, unit free) to issue at
     * `cycle`, or -1 to let none go. Must be in `ready`. */
    int (*pick)(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle);
    /* Optional, before pick in every cycle in which something changed: owned
     * warps that may issue now. Policies that hold warps back implement it;
     * others leave it NULL and all owned warps may. */
    uint64_t (*eligible)(void *state, const struct warp_table *table,
                         uint64_t cycle);
    /* The cycle at which what eligible says may change by time alone,
     * UINT64_MAX: never (optional). */
    uint64_t (*next_change)(const void *state);
    void (*event)(void *state, const struct warp_table *table,
                  const struct sched_event *event); /* optional */
};

/* ---- thread-block schedulers -------------------------------------------- */

struct block_context {
    int sms;
    int max_blocks;  /* resident blocks an SM has room for, after tb= */
    uint64_t blocks; /* of the kernel now launched */
    uint32_t grid_x, grid_y, grid_z;
    int kernel_index; /* position in the application, 0 first */
    const double *param;
};

enum block_event_type {
    BLOCK_EVENT_START,
    BLOCK_EVENT_END,
    BLOCK_EVENT_SAMPLE /* the cycle asked for by sample_at has come */
};

struct block_event {
    enum block_event_type type;
    uint64_t cycle;
    int sm;
    uint64_t block;
    uint64_t block_insts; /* warp instructions of the block (END) */
    uint64_t sm_insts;    /* warp instructions of the SM since the launch */
    /* Issue slots of the SM since the launch, all schedulers together. */
    const uint64_t *stalls; /* [STALLS] */
};

struct block_policy {
    struct policy_info info;
    /* Bytes of state for a GPU of context->sms SMs. State lives through all
     * kernels of an application. */
    size_t (*state_size)(const struct block_context *context);
    void (*kernel_start)(void *state, const struct block_context *context);
    /* The SM to be served first when blocks are handed out this cycle. */
    int (*first_sm)(void *state, const struct block_context *context);
    /* The block SM `sm`, which has room for one more, is to launch now, or -1:
     * nothing for this SM at present. */
    int64_t (*next)(void *state, const struct block_context *context, int sm);
    /* How many blocks may be resident on sm now (optional: max_blocks). */
    int (*limit)(void *state, const struct block_context *context, int sm);
    /* The next cycle at which sm's counters are to be looked at, UINT64_MAX:
     * none (optional). BLOCK_EVENT_SAMPLE then moves it on. */
    uint64_t (*sample_at)(const void *state, int sm);
    void (*event)(void *state, const struct block_context *context,
                  const struct block_event *event); /* optional */
    /* A search for the number of resident blocks that comes to an end: whether
     * sm's has (optional). */
    bool (*settled)(const void *state, int sm);
    /* Lines on what was decided for sm in this kernel, and why (optional). */
    void (*explain)(const void *state, const struct block_context *context,
                    int sm, FILE *out);
};

/* ---- L1 replacement policies -------------------------------------------- */

struct cache_access {
    uint64_t line;    /* line address (byte address >> line bits) */
    uint64_t address; /* of the line's first byte */
    uint32_t pc;      /* of the instruction, in instructions */
    int warp;         /* slot */
    bool critical;    /* warp is critical, where a criticality predictor runs */
    bool write;
};

struct cache_policy {
    struct policy_info info;
    bool needs_criticality;
    size_t (*state_size)(int sets, int ways);
    void (*init)(void *state, int sets, int ways, const double *param);
    void (*hit)(void *state, int set, int way, const struct cache_access *a);
    /* The way of `set` to replace; ways with locked[way] != 0 (reserved for a
     * fill) may not be chosen. -1 when all are locked. Ways not valid are used
     * before this is asked, except where `partitioned` is set. */
    int (*victim)(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a);
    void (*fill)(void *state, int set, int way, const struct cache_access *a);
    void (*evict)(void *state, int set, int way); /* optional */
    /* A line became invalid without being replaced (optional). */
    void (*drop)(void *state, int set, int way);
    bool partitioned; /* ask for a victim even when ways are invalid */
};

/* ---- tables ------------------------------------------------------------- */

extern const struct warp_policy *const warp_policies[]; /* NULL-ended */
extern const struct block_policy *const block_policies[];
extern const struct cache_policy *const cache_policies[];

/* Parse "name" or "name:8[:n]". Unknown names and bad parameters are
 * STATUS_USAGE with the nearest valid name. */
bool warp_choice_parse(struct warp_choice *out, const char *text,
                       struct error *e);
bool block_choice_parse(struct block_choice *out, const char *text,
                        struct error *e);
bool cache_choice_parse(struct cache_choice *out, const char *text,
                        struct error *e);
/* "tlgto:8", or the bare name when every parameter has its default. */
void policy_label(char *out, size_t size, const struct policy_info *info,
                  const double *param);

#endif
