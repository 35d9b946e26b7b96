/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lazy CTA scheduling (Lee et al., HPCA 2014), as perfsat Sec. VI-B tells it:
 * an SM holds all the blocks that fit until its first one ends; what its other
 * blocks computed in that time sufficed to hide that block's latency. Made for
 * greedy warp schedulers. Blocks go out as under rr. */
#include "sampler/policy/block/block_policy.h"

struct lazy {
    int blocks; /* 0 until the SM's first block has ended */
    uint64_t cycle, sm_insts, block_insts; /* of that moment */
};

static void kernel_start(void *state, const struct block_context *context)
{
    struct lazy *all = state;
    for (int i = 0; i < context->sms; i++)
        all[i] = (struct lazy){.blocks = 0};
}

static int limit(void *state, const struct block_context *context, int sm)
{
    int blocks = ((struct lazy *)state)[sm].blocks;
    return blocks > 0 ? blocks : context->max_blocks;
}

static bool settled(const void *state, int sm)
{
    return ((const struct lazy *)state)[sm].blocks > 0;
}

/* Instructions of all the SM's blocks over those of the first one to end,
 * rounded up. (perfsat's text prints the ratio upside down.) */
static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    struct lazy *all = state;
    struct lazy *m = &all[e->sm];
    if (e->type != BLOCK_EVENT_END || m->blocks > 0)
        return;
    uint64_t max = (uint64_t)context->max_blocks, ratio = max;
    if (e->block_insts > 0)
        ratio = (e->sm_insts + e->block_insts - 1) / e->block_insts;
    m->blocks = (int)(ratio < max ? ratio : max);
    m->cycle = e->cycle;
    m->sm_insts = e->sm_insts;
    m->block_insts = e->block_insts;
}

static void explain(const void *state, const struct block_context *context,
                    int sm, FILE *out)
{
    const struct lazy *m = (const struct lazy *)state + sm;
    fprintf(out, "kernel %d SM %d: ", context->kernel_index, sm);
    if (m->blocks == 0)
        fprintf(out, "stopped N=%d of %d: no block ended\n",
                context->max_blocks, context->max_blocks);
    else
        fprintf(out,
                "done N=%d of %d: at cycle %llu the SM had issued %llu "
                "instructions, its first block %llu\n",
                m->blocks, context->max_blocks, (unsigned long long)m->cycle,
                (unsigned long long)m->sm_insts,
                (unsigned long long)m->block_insts);
}

const struct block_policy block_lcs = {
    .info = {.name = "lcs",
             .summary =
                 "resident blocks by what others issued in a block's life",
             .paper = "Lee et al. HPCA 2014; perfsat Sec. VI-B"},
    .sm_state_size = sizeof(struct lazy),
    .kernel_start = kernel_start,
    .limit = limit,
    .event = event,
    .settled = settled,
    .explain = explain,
};
