/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/acting.h"

#include "configs/gpu.h"
#include "sampler/policy/block/table.h"
#include "sampler/policy/warp/table.h"

/* A block's warps have slots that follow each other, and a scheduler every
 * n-th slot. Schedulers with collectors of their own may lend them. */
struct policy_set policies_acting(const struct policy_set *p,
                                  const struct gpu *g, int tb,
                                  uint32_t warps_per_block)
{
    struct policy_set acting = *p;
    if (p->warp.warp->acts_as == NULL)
        return acting;
    int schedulers = g->sm.schedulers;
    int warps = (tb * (int)warps_per_block + schedulers - 1) / schedulers;
    bool lent = g->sm.sub_core && schedulers > 1;
    acting.warp = warp_policy_acting(&p->warp, warps, lent);
    return acting;
}

int policies_block_limit(const struct policy_set *p, const struct gpu *g,
                         int tb, uint64_t blocks)
{
    uint64_t sms = (uint64_t)g->sms;
    uint64_t dealt = (blocks + sms - 1) / sms;
    bool in_turn = p->block.block == &block_rr;
    return in_turn && dealt < (uint64_t)tb ? (int)dealt : tb;
}

bool policies_turn_to_base(struct policy_set *p)
{
    const struct warp_policy *base = p->warp.warp->base;
    if (base != NULL)
        p->warp = choice_of(&base->info);
    return base != NULL;
}

bool policies_take_turns(const struct policy_set *p)
{
    return p->warp.warp->traits.family == FAMILY_ROUND_ROBIN;
}

bool policies_turn_to_first_pass(struct policy_set *p)
{
    bool twice = p->warp.warp->two_pass;
    if (twice)
        p->warp = choice_of(&warp_lrr.info);
    return twice;
}

bool policies_are_across(const struct policy_set *p)
{
    return p->block.block->across_kernels;
}
