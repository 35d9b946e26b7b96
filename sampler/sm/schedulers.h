/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The warp schedulers of an SM: in every issue slot each finds the warps that
 * can issue, has its policy pick one, and puts an empty slot down to what held
 * its warps up. */
#ifndef SAMPLER_SM_SCHEDULERS_H
#define SAMPLER_SM_SCHEDULERS_H

#include "sampler/policy/policy.h"
#include "sampler/sm/collectors.h"
#include "sampler/sm/core.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/issue.h"
#include "sampler/sm/share.h"

#include <stdbool.h>
#include <stdint.h>

/* What an empty slot was put down to, and the warps for which that was found:
 * those that lack nothing but a unit and those that wait, and which of either
 * want memory. */
struct attribution {
    uint64_t ready, waiting, ready_mem, waiting_mem;
    enum stall stall;
};

/* Warps with an instruction, none of which could issue: all, those that lack
 * nothing but a unit, and those that wait for memory. */
struct held {
    bool known;
    uint64_t warps, free, waiting_mem;
    uint32_t freed; /* collectors.freed */
};

struct scheduler {
    uint64_t owned; /* mask of its warp slots */
    void *state;    /* its policy's */
    enum stall stall;
    uint64_t since; /* cycle the present stall state began */
    struct attribution latest;
};

struct schedulers {
    struct sm_core *core;
    struct frontend *frontend;
    struct collectors *collectors;
    const struct issue *issue;
    const struct choice *choice; /* the policy and its parameters */
    struct held held;            /* by the slots of the latest cycle */
    uint64_t first_cycle;        /* in which the SM had warps */
    uint64_t stalls[STALLS];     /* slots up to each scheduler's `since` */
    struct scheduler scheduler[MAX_SCHEDULERS];
    struct share share; /* of this cycle, where schedulers share warps */
    bool departed;      /* in a kernel before this one */
};

/* With all pointers set; observes the core's events for the policy. False when
 * memory is out; schedulers_free in any case. */
bool schedulers_init(struct schedulers *s);
void schedulers_free(struct schedulers *s);
/* Bring the policy's state to where a kernel begins; what context says of a
 * single scheduler is filled in. */
void schedulers_start_kernel(struct schedulers *s,
                             const struct warp_context *context);

/* The slots of a cycle. */
void schedulers_cycle(struct schedulers *s);
/* The cycle, after now, in which a policy may let warps go that it holds back,
 * or UINT64_MAX. */
uint64_t schedulers_wake(const struct schedulers *s);
/* Warps have begun: what was found of the slots' former warps is void. */
void schedulers_warps_started(struct schedulers *s);

/* Whether the policy may have done what its base would not have. */
bool schedulers_departed(const struct schedulers *s);

/* Bring the count of slots up to now. */
void schedulers_settle(struct schedulers *s);
/* From now on slots are idle, until one is not. */
void schedulers_rest(struct schedulers *s);

#endif
