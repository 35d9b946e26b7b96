/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warp sharing between schedulers (kaws Sec. 3, Fig. 3 and 4): a scheduler that
 * issues nothing of its own in a cycle takes a warp of another that only wants
 * a collector, when this scheduler's collector for it is the only free one. */
#ifndef SAMPLER_SM_SHARE_H
#define SAMPLER_SM_SHARE_H

#include "configs/exec.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdbool.h>
#include <stdint.h>

/* What the sharing unit sees of a cycle. Masks of warps and of schedulers. */
struct share {
    uint64_t unit_warps[EXEC_UNITS]; /* whose next instruction is of that class
                                      * and lacks nothing but a collector */
    uint32_t room[EXEC_UNITS];       /* schedulers with a collector for it */
    uint32_t idle;                   /* schedulers that issue nothing */
};

/* The warp that scheduler `receiver` is to issue, or -1: of the classes for
 * which it alone has a collector, the oldest warp. */
int share_pick(const struct share *s, const struct warp_table *t, int receiver);

#endif
