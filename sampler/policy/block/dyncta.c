/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DYNCTA (Kayiran et al., PACT 2013), as perfsat Sec. VI-B tells it: each SM
 * begins with half of the blocks that fit and takes one more or one less after
 * each period, by thresholds on the cycles it was idle and on those all its
 * warps waited for memory. One less takes effect when a block ends: no block is
 * paused. Blocks go out as under rr. */
#include "sampler/policy/block/block_policy.h"

enum { PERIOD, IDLE, MEMORY_LOW, MEMORY_HIGH };

struct throttle {
    int blocks;
    bool started;
    uint64_t due;                 /* next sample */
    uint64_t idle, memory, slots; /* when the period began */
    uint32_t periods, ups, downs;
    double idle_cycles, memory_cycles; /* of the last period */
};

static void kernel_start(void *state, const struct block_context *context)
{
    struct throttle *all = state;
    int half = context->max_blocks / 2;
    for (int i = 0; i < context->sms; i++)
        all[i] =
            (struct throttle){.blocks = half > 0 ? half : 1, .due = UINT64_MAX};
}

static int limit(void *state, const struct block_context *context, int sm)
{
    (void)context;
    return ((struct throttle *)state)[sm].blocks;
}

static uint64_t sample_at(const void *state, int sm)
{
    return ((const struct throttle *)state)[sm].due;
}

static void begin_period(struct throttle *m, const double *param,
                         const struct block_event *e)
{
    m->idle = e->stalls[STALL_IDLE];
    m->memory = e->stalls[STALL_SB_MEM];
    m->slots = 0;
    for (int i = 0; i < STALLS; i++)
        m->slots += e->stalls[i];
    m->due = e->cycle + (uint64_t)param[PERIOD];
}

/* Idle cycles speak for one more block; else little waiting for memory does,
 * and much for one less. */
static int step(const double *param, double idle, double memory)
{
    if (idle >= param[IDLE] || memory < param[MEMORY_LOW])
        return 1;
    return memory >= param[MEMORY_HIGH] ? -1 : 0;
}

/* Slots count once a scheduler: cycles are their share of the period. */
static void sample(struct throttle *m, const struct block_context *context,
                   const struct block_event *e)
{
    struct throttle before = *m;
    begin_period(m, context->param, e);
    double cycle = (double)(m->slots - before.slots) / context->param[PERIOD];
    m->idle_cycles = (double)(m->idle - before.idle) / cycle;
    m->memory_cycles = (double)(m->memory - before.memory) / cycle;
    m->periods++;
    int blocks =
        m->blocks + step(context->param, m->idle_cycles, m->memory_cycles);
    if (blocks < 1 || blocks > context->max_blocks)
        return;
    m->ups += blocks > m->blocks;
    m->downs += blocks < m->blocks;
    m->blocks = blocks;
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    struct throttle *all = state;
    struct throttle *m = &all[e->sm];
    if (e->type == BLOCK_EVENT_START && !m->started) {
        m->started = true;
        begin_period(m, context->param, e);
    } else if (e->type == BLOCK_EVENT_SAMPLE) {
        if (block_grid_over(context))
            m->due = UINT64_MAX;
        else
            sample(m, context, e);
    }
}

static void explain(const void *state, const struct block_context *context,
                    int sm, FILE *out)
{
    const struct throttle *m = (const struct throttle *)state + sm;
    fprintf(out,
            "kernel %d SM %d: N=%d of %d after %u periods, %u up, %u down; in "
            "the last %.0f cycles idle, %.0f waiting for memory\n",
            context->kernel_index, sm, m->blocks, context->max_blocks,
            m->periods, m->ups, m->downs, m->idle_cycles, m->memory_cycles);
}

const struct block_policy block_dyncta = {
    .info = {.name = "dyncta",
             .summary = "resident blocks up and down by idle and memory cycles",
             .paper = "Kayiran et al. PACT 2013; perfsat Sec. VI-B",
             .param = {{.name = "period",
                        .fallback = 2048,
                        .min = 1,
                        .max = 1e9,
                        .help = "cycles between decisions"},
                       {.name = "idle",
                        .fallback = 16,
                        .min = 0,
                        .max = 1e9,
                        .help = "this many idle cycles: one more"},
                       {.name = "low",
                        .fallback = 128,
                        .min = 0,
                        .max = 1e9,
                        .help =
                            "fewer cycles all warps wait for memory: one more"},
                       {.name = "high",
                        .fallback = 384,
                        .min = 0,
                        .max = 1e9,
                        .help = "that many: one less"}}},
    .sm_state_size = sizeof(struct throttle),
    .kernel_start = kernel_start,
    .limit = limit,
    .sample_at = sample_at,
    .event = event,
    .explain = explain,
};
