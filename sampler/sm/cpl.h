/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Criticality prediction logic (cawa Sec. 3.1): how far behind each warp is,
 *
 *   criticality = instructions * CPI + stall cycles,
 *
 * where instructions are those that the branches a warp took put before it less
 * all that it has committed, CPI is the warp's own since its launch, and the
 * stall cycles are those between its issues. In code without branches the count
 * is so the progress of the warp, below 0; with `is_signed` off it stays at 0
 * there. The numbers stand in warp_table.criticality and change only when
 * something happens to a warp. */
#ifndef SAMPLER_SM_CPL_H
#define SAMPLER_SM_CPL_H

#include "kernels/form/kernel.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"

#include <stdbool.h>
#include <stdint.h>

struct cpl_warp {
    uint64_t launched, last_issue; /* cycles */
    uint64_t insts;                /* issued */
    int64_t pending;               /* nInst */
    uint64_t stalled;              /* nStall, cycles */
    uint64_t slow_looks;           /* of the accuracy's looks, found slow */
};

struct cpl {
    struct cpl_warp warp[MAX_WARP_SLOTS];
    uint64_t live;                  /* warps between launch and end */
    uint64_t looks[MAX_WARP_SLOTS]; /* by block slot, since its launch */
    uint64_t period, next_look;     /* of the accuracy, cycles */
    bool is_signed;                 /* nInst may be below 0 */
};

void cpl_init(struct cpl *c, uint64_t period, bool is_signed);

/* The table already has the warp's block slot. */
void cpl_launch(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle);
void cpl_issue(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle);
/* A branch counts as committed when its outcome is known: `insts` come. */
void cpl_branch(struct cpl *c, struct warp_table *t, int warp, uint64_t insts,
                uint64_t cycle);
/* Any other instruction has committed. */
void cpl_commit(struct cpl *c, struct warp_table *t, int warp, uint64_t cycle);
/* The warp has ended. */
void cpl_end(struct cpl *c, const struct warp_table *t, int warp,
             uint64_t cycle);
/* A block has ended, its slowest warp last: count in how many of the looks the
 * prediction held. */
void cpl_block_end(struct cpl *c, int block_slot, int last_warp,
                   struct sampler_counts *counts);

/* Instructions a branch (at `index`) puts before a warp (cawa Algorithm 2): a
 * forward one those of the sides its lanes take, up to the immediate
 * post-dominator, a taken backward one the loop's body. Where the
 * post-dominator is not known the target is taken for it, as in an if without
 * else. */
uint64_t cpl_branch_insts(const struct inst *branch, uint32_t index,
                          uint32_t mask, uint32_t taken_mask);

/* Whether the warp is slow: its criticality is at least that of half of
 * `mates`, the resident warps of its block, itself among them (cawa Sec. 5.2).
 */
bool cpl_slow(const struct warp_table *t, int warp, uint64_t mates);

/* Whether the warp is the critical, that is the slowest one of its block (cawa
 * Sec. 2.2): no criticality of `mates` is above its own. */
bool cpl_critical(const struct warp_table *t, int warp, uint64_t mates);

#endif
