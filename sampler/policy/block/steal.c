/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steal: as flip, and an SM with room and nothing of its own left to launch
 * takes a block from another. What it took it keeps: the thief's queue and what
 * is left of the chunks are replayed by the next kernel. Algorithm 1 of ikra,
 * with the direction bits its listing leaves out. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/chunks.h"

#define STEAL_QUEUE 32 /* entries an SM (ikra Sec. 4.4) */

struct thief {
    struct chunk chunk;
    uint64_t queue[STEAL_QUEUE]; /* in the order of this kernel's launches */
    int size, launched;          /* of the queue */
};

struct steal {
    /* Successor of the SM that took a block last, in this kernel or the one
     * before. Which of several idle SMs steals first the paper leaves to its
     * simulator, GPGPU-Sim 3.2.1, whose round over the SMs goes on there
     * (gpgpu_sim::issue_block2core). */
    int first_sm;
    /* Direction bit of this kernel, the same for all SMs as all turn theirs at
     * every launch: chunks backwards, and queues before chunks. */
    bool flipped;
    bool dealt, reinit;
    uint32_t grid_x, grid_y, grid_z; /* ... that was dealt out */
    uint64_t blocks;
    struct thief sm[];
};

static bool same_grid(const struct steal *s, const struct block_context *c)
{
    return s->grid_x == c->grid_x && s->grid_y == c->grid_y &&
           s->grid_z == c->grid_z && s->blocks == c->blocks;
}

/* Younger stolen blocks first (Sec. 4.4). */
static void replay(struct thief *t)
{
    t->chunk.launched = 0;
    t->launched = 0;
    for (int i = 0, j = t->size - 1; i < j; i++, j--) {
        uint64_t kept = t->queue[i];
        t->queue[i] = t->queue[j];
        t->queue[j] = kept;
    }
}

/* Lines 2 to 9. */
static void kernel_start(void *state, const struct block_context *context)
{
    struct steal *s = state;
    bool fresh = !s->dealt || s->reinit || !same_grid(s, context);
    for (int i = 0; i < context->sms; i++)
        if (fresh)
            s->sm[i] = (struct thief){.chunk = chunk_of(context, i)};
        else
            replay(&s->sm[i]);
    s->dealt = true;
    s->reinit = false;
    s->grid_x = context->grid_x;
    s->grid_y = context->grid_y;
    s->grid_z = context->grid_z;
    s->blocks = context->blocks;
    s->flipped = context->kernel_index % 2 != 0;
}

static int first_sm(void *state, const struct block_context *context)
{
    (void)context;
    return ((struct steal *)state)->first_sm;
}

static int64_t queue_take(struct thief *t)
{
    return t->launched < t->size ? (int64_t)t->queue[t->launched++] : -1;
}

/* Lines 10 and 11, in the order of the direction bit. */
static int64_t take_own(struct thief *t, bool flipped)
{
    int64_t block = flipped ? queue_take(t) : chunk_take(&t->chunk, false);
    if (block >= 0)
        return block;
    return flipped ? chunk_take(&t->chunk, true) : queue_take(t);
}

/* Lines 35 to 38. */
static int64_t steal_from_queue(struct steal *s, int victim)
{
    struct thief *t = &s->sm[victim];
    return t->launched < t->size ? (int64_t)t->queue[--t->size] : -1;
}

/* Lines 39 to 42, at the end opposite to the victim's direction. */
static int64_t steal_from_chunk(struct steal *s, int victim)
{
    return chunk_steal(&s->sm[victim].chunk, s->flipped);
}

/* The SM beside sm, -1 where the row of SMs ends. */
static int neighbour(const struct block_context *context, int sm, int step)
{
    int other = sm + step;
    if (context->param[0] > 0)
        return (other + context->sms) % context->sms;
    return other < context->sms ? other : -1;
}

/* From the left neighbour, the right one, then any, the lowest id first. */
static int64_t steal_nearest(struct steal *s,
                             const struct block_context *context, int sm,
                             int64_t (*from)(struct steal *s, int victim))
{
    for (int step = -1; step <= 1; step += 2) {
        int victim = neighbour(context, sm, step);
        int64_t block = victim >= 0 ? from(s, victim) : -1;
        if (block >= 0)
            return block;
    }
    for (int victim = 0; victim < context->sms; victim++) {
        int64_t block = from(s, victim);
        if (block >= 0)
            return block;
    }
    return -1;
}

/* Lines 15 and 16; once the queue is full blocks go unrecorded, as the next
 * kernel is dealt out afresh. */
static void record(struct steal *s, struct thief *t, int64_t block)
{
    if (t->size == STEAL_QUEUE)
        return;
    t->queue[t->size++] = (uint64_t)block;
    t->launched = t->size;
    if (t->size == STEAL_QUEUE)
        s->reinit = true;
}

static int64_t next(void *state, const struct block_context *context, int sm)
{
    struct steal *s = state;
    struct thief *t = &s->sm[sm];
    int64_t block = take_own(t, s->flipped);
    bool waits = context->param[1] > 0 && context->resident[sm] > 0;
    if (block < 0 && !waits) {
        block = steal_nearest(s, context, sm, steal_from_queue);
        if (block < 0)
            block = steal_nearest(s, context, sm, steal_from_chunk);
        if (block >= 0)
            record(s, t, block);
    }
    if (block >= 0)
        s->first_sm = (sm + 1) % context->sms;
    return block;
}

const struct block_policy block_steal = {
    .info = {.name = "steal",
             .summary =
                 "flip, and SMs out of blocks take others' and keep them",
             .paper = "ikra Sec. 4.4, Alg. 1",
             .param = {{.name = "wrap",
                        .fallback = 0,
                        .min = 0,
                        .max = 1,
                        .help = "1: the first and the last SM are neighbours"},
                       {.name = "finished",
                        .fallback = 0,
                        .min = 0,
                        .max = 1,
                        .help = "1: an SM takes others' blocks only when its "
                                "own have ended, not when they have begun"}}},
    .across_kernels = true,
    .state_size = sizeof(struct steal),
    .sm_state_size = sizeof(struct thief),
    .kernel_start = kernel_start,
    .first_sm = first_sm,
    .next = next,
};
