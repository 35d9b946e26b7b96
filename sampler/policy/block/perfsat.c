/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perf-Sat (perfsat Sec. IV): each SM looks for the number of resident blocks
 * after which its stalled cycles no longer fall. Blocks go out as under rr. The
 * first period begins when the SM's first block has ended; a period in which
 * the grid ran out is no sample, so the search of a short grid stays
 * unfinished. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/perfsat_search.h"

struct searcher {
    struct perfsat_search search;
    bool started;
    uint64_t start;   /* cycle of the SM's first block */
    uint64_t period;  /* cycles; 0 until that block has ended */
    uint64_t due;     /* next sample */
    uint64_t stalled; /* slots when the period began */
};

static void kernel_start(void *state, const struct block_context *context)
{
    struct searcher *all = state;
    for (int i = 0; i < context->sms; i++) {
        all[i] = (struct searcher){.due = UINT64_MAX};
        perfsat_search_start(&all[i].search, context->max_blocks,
                             context->param[0] != 0);
    }
}

static int limit(void *state, const struct block_context *context, int sm)
{
    (void)context;
    return ((struct searcher *)state)[sm].search.blocks;
}

static uint64_t sample_at(const void *state, int sm)
{
    return ((const struct searcher *)state)[sm].due;
}

static bool settled(const void *state, int sm)
{
    return ((const struct searcher *)state)[sm].search.state == PERFSAT_DONE;
}

/* The stalled cycle count (Sec. IV-A): scoreboard and pipeline stalls. */
static uint64_t stalled_slots(const uint64_t *stalls)
{
    return stalls[STALL_SB_MEM] + stalls[STALL_SB_ALU] +
           stalls[STALL_PIPE_MEM] + stalls[STALL_PIPE_ALU];
}

/* Sec. IV-B1: a period lasts as long as the first block, times Nmax. */
static void first_block_ended(struct searcher *m,
                              const struct block_context *context,
                              const struct block_event *e)
{
    m->period = e->cycle - m->start;
    if (context->param[1] > 0)
        m->period = m->period * (uint64_t)context->max_blocks /
                    (uint64_t)m->search.blocks;
    else
        m->period *= (uint64_t)context->max_blocks;
    if (m->search.state == PERFSAT_DONE)
        return;
    m->stalled = stalled_slots(e->stalls);
    m->due = e->cycle + m->period;
}

static void sample(struct searcher *m, bool grid_over,
                   const struct block_event *e)
{
    m->due = UINT64_MAX;
    if (grid_over)
        return;
    uint64_t now = stalled_slots(e->stalls);
    perfsat_search_sample(&m->search, now - m->stalled);
    m->stalled = now;
    if (m->search.state != PERFSAT_DONE)
        m->due = e->cycle + m->period;
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    struct searcher *all = state;
    struct searcher *m = &all[e->sm];
    if (e->type == BLOCK_EVENT_START && !m->started) {
        m->started = true;
        m->start = e->cycle;
    } else if (e->type == BLOCK_EVENT_END && m->period == 0)
        first_block_ended(m, context, e);
    else if (e->type == BLOCK_EVENT_SAMPLE)
        sample(m, block_grid_over(context), e);
}

static void explain(const void *state, const struct block_context *context,
                    int sm, FILE *out)
{
    const struct searcher *m = (const struct searcher *)state + sm;
    char prefix[64];
    snprintf(prefix, sizeof(prefix), "kernel %d SM %d: ", context->kernel_index,
             sm);
    if (m->period > 0)
        fprintf(out, "%speriod %llu cycles\n", prefix,
                (unsigned long long)m->period);
    perfsat_search_explain(&m->search, prefix, out);
}

const struct block_policy block_perfsat = {
    .info = {.name = "perfsat",
             .summary = "resident blocks searched until stalls no longer fall",
             .paper = "perfsat Sec. IV",
             .param = {{.name = "turn_counts",
                        .fallback = 1,
                        .min = 0,
                        .max = 1,
                        .help = "0: after a turn of direction one more sample "
                                "has to agree before it is settled"},
                       {.name = "side_by_side",
                        .fallback = 0,
                        .min = 0,
                        .max = 1,
                        .help = "1: a period is what as many blocks as fit "
                                "take side by side, not one by one"}}},
    .sm_state_size = sizeof(struct searcher),
    .kernel_start = kernel_start,
    .limit = limit,
    .sample_at = sample_at,
    .event = event,
    .settled = settled,
    .explain = explain,
};
