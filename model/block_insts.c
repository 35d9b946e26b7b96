/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/block_insts.h"

#include "model/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block whose warp instructions were counted. */
struct counted {
    uint64_t block;
    double insts;
};

/* By block. */
struct counting {
    const struct kernel *kernel;
    void *stream;
    uint64_t steps; /* of all of them */
    struct counted of[COUNTED_BLOCKS];
    int count;
};

/* Those of the open block, its warps in turn. */
static bool count_open(struct counting *c, double *insts, struct error *e)
{
    const struct kernel *k = c->kernel;
    uint64_t before = c->steps;
    bool ended[MAX_WARPS_A_BLOCK] = {false};
    struct step s = {.inst = 0};
    uint32_t left = k->warps_per_block;
    for (uint32_t w = 0; left > 0; w = (w + 1) % k->warps_per_block)
        for (int n = 0; n < CROWD_TURN && !ended[w]; n++) {
            if (!kernel_walk_goes_on(k, &c->steps, e))
                return false;
            ended[w] = !k->ops->next(k, c->stream, w, &s);
            left -= ended[w];
        }
    *insts = (double)(c->steps - before - k->warps_per_block);
    return true;
}

/* Count a block and put it behind the first `at` of them. */
static bool count_block(struct counting *c, int at, uint64_t block,
                        struct error *e)
{
    const struct kernel *k = c->kernel;
    struct counted new = {.block = block};
    if (!k->ops->open(k, c->stream, block, e))
        return false;
    bool ok = count_open(c, &new.insts, e);
    k->ops->close(k, c->stream);
    memmove(&c->of[at + 1], &c->of[at],
            (size_t)(c->count - at) * sizeof(c->of[0]));
    c->of[at] = new;
    c->count++;
    return ok;
}

/* Of the blocks between two that were counted, what is not known. Blocks that
 * are alike may have others between them. */
static double unknown(const struct counted *a, const struct counted *b)
{
    double between = (double)(b->block - a->block - 1);
    double apart = fabs(a->insts - b->insts);
    return between * fmax(apart, COUNTED_ALIKE * fmax(a->insts, b->insts));
}

static double sum(const struct counting *c)
{
    double all = (c->of[0].insts + c->of[c->count - 1].insts) / 2;
    for (int i = 1; i < c->count; i++)
        all += (double)(c->of[i].block - c->of[i - 1].block) *
               (c->of[i].insts + c->of[i - 1].insts) / 2;
    return all;
}

/* Count one more where least is known; *done when that is little, too. */
static bool count_more(struct counting *c, bool *done, struct error *e)
{
    int at = 1;
    for (int i = 2; i < c->count; i++)
        if (unknown(&c->of[i - 1], &c->of[i]) >
            unknown(&c->of[at - 1], &c->of[at]))
            at = i;
    const struct counted *a = &c->of[at - 1], *b = &c->of[at];
    *done = unknown(a, b) <= COUNTED_ENOUGH * sum(c);
    return *done || count_block(c, at, a->block + (b->block - a->block) / 2, e);
}

static bool count_all(struct counting *c, struct error *e)
{
    uint64_t blocks = c->kernel->blocks;
    bool done = blocks < 2;
    if (!count_block(c, 0, 0, e) || (!done && c->steps < COUNTED_STEPS &&
                                     !count_block(c, 1, blocks - 1, e)))
        return false;
    while (!done && c->count > 1 && c->count < COUNTED_BLOCKS &&
           c->steps < COUNTED_STEPS)
        if (!count_more(c, &done, e))
            return false;
    return true;
}

bool block_insts_mean(double *out, const struct kernel *k, struct error *e)
{
    struct counting *c = calloc(1, sizeof(*c));
    void *stream = malloc(k->ops->state_size(k) + 1);
    bool ok = (c != NULL && stream != NULL) || error_no_memory(e);
    if (ok) {
        *c = (struct counting){.kernel = k, .stream = stream};
        ok = count_all(c, e) && kernel_streams_check(k, e);
        bool known = c->count > 2 || (uint64_t)c->count == k->blocks;
        *out = known ? sum(c) / (double)k->blocks : 0;
    }
    free(stream);
    free(c);
    return ok;
}
