/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contract of a warp scheduler: what it may see of the SM, what it is told
 * and what it answers. It is one file with a const struct warp_policy and one
 * line in table.h; old.c is a short one, gto.c one with a state. A policy reads
 * only what its callbacks are handed, and keeps what it remembers in its
 * state. */
#ifndef SAMPLER_POLICY_WARP_WARP_POLICY_H
#define SAMPLER_POLICY_WARP_WARP_POLICY_H

#include "sampler/policy/policy.h"

#include <stdint.h>

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
    uint64_t long_wait;       /* ... and it reads or overwrites a register that
                               * an outstanding access to global or local
                               * memory or a texture is to write */
    uint64_t long_open;       /* registers of it wait for such an access */
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
    /* Cache events: the line's address; whether the warp that accesses the
     * line, or brought the one evicted, is critical (where a predictor runs);
     * of a miss, whether the line was there or on its way; whether the line was
     * hit before, in case of a hit by a critical warp. */
    uint64_t line;
    bool critical, present, reused;
};

/* How the interval model sees a policy (model/params.c, model/estimate.c). */
enum policy_family {
    FAMILY_ROUND_ROBIN, /* warps advance together */
    FAMILY_GREEDY,      /* oldest or same warp first: warps spread out */
    FAMILY_PHASE,       /* shortest phase distance first */
    FAMILY_LIMIT        /* only some warps may issue */
};
/* Which parameter is the size of a ready queue or the limit of warps, its role
 * says (policy.h). */
struct policy_traits {
    enum policy_family family;
    bool throttles; /* it holds back as many warps as the L1 gains by */
};

struct warp_policy;

struct warp_context {
    const struct warp_policy *policy; /* set by warp_policy_start(): for one
                                       * that has data of its own behind it */
    int index;                        /* this scheduler */
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
    bool needs_open;        /* ... and long_open */
    const struct cache_policy *l1; /* the L1 policy it brings, or NULL */
    /* Optional, before each kernel, on a state that is all zeros. */
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
    /* Optional: which policy, with its own defaults, does the same in every
     * cycle where a scheduler has slots of at most `warps` warps and does or
     * does not get collectors lent; NULL: none. */
    const struct warp_policy *(*acts_as)(const double *param, int warps,
                                         bool lent);
    /* Optional, both or none: the policy that, with its own defaults, does the
     * same in every cycle until `departed` says of the state of one scheduler
     * that it may have done something else. So a run that ends before that
     * stands for one under the other policy. */
    const struct warp_policy *base;
    bool (*departed)(const void *state);
};

/* Bring the state of one scheduler, state_size bytes, to where a kernel
 * begins. */
void warp_policy_start(const struct warp_policy *policy, void *state,
                       const struct warp_context *context);

/* The policy that does the same as this one, itself where there is no other
 * (acts_as). */
struct choice warp_policy_acting(const struct choice *c, int warps, bool lent);

#endif
