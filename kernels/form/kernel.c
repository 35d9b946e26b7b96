/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/kernel.h"

#include "base/stop.h"

#include <stdlib.h>

#define STEPS_A_LOOK 4096 /* at the clock, in a walk of streams */

uint32_t kernel_full_mask(const struct kernel *k, uint32_t warp)
{
    uint32_t before = warp * WARP_LANES;
    if (before >= k->threads_per_block)
        return 0;
    uint32_t lanes = k->threads_per_block - before;
    return lanes >= WARP_LANES ? UINT32_MAX : ((uint32_t)1 << lanes) - 1;
}

bool kernel_streams_check(const struct kernel *k, struct error *e)
{
    return k->ops->check == NULL || k->ops->check(k, e);
}

bool kernel_walk_goes_on(const struct kernel *k, uint64_t *steps,
                         struct error *e)
{
    if (++*steps % STEPS_A_LOOK != 0 || !stop_due(k->stop))
        return true;
    return error_set(e, STATUS_STOPPED,
                     "%s: a limit came while its streams were read", k->name);
}

bool inst_reaches_l2(const struct inst *i)
{
    bool memory = i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ATOMIC;
    return memory && (i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL ||
                      i->space == SPACE_TEXTURE);
}

bool kernel_skim(const struct kernel *k, void *state, uint32_t warp,
                 struct step *out)
{
    return k->ops->skim != NULL ? k->ops->skim(k, state, warp, out)
                                : k->ops->next(k, state, warp, out);
}

/* Of the open block, warps in turn. */
static void count_steps(uint64_t *steps, const struct kernel *k, void *state)
{
    uint32_t left = k->warps_per_block;
    struct step s;
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        steps[w] = 0;
    for (uint64_t to = WALK_TURN; left > 0; to += WALK_TURN)
        for (uint32_t w = 0; w < k->warps_per_block; w++) {
            bool goes_on = steps[w] + WALK_TURN == to;
            while (goes_on && steps[w] < to) {
                goes_on = kernel_skim(k, state, w, &s);
                steps[w] += goes_on;
                left -= !goes_on;
            }
        }
}

bool kernel_block_steps(uint64_t *steps, const struct kernel *k, uint64_t block,
                        struct error *e)
{
    void *state = malloc(k->ops->state_size(k) + 1);
    bool ok = state != NULL || error_no_memory(e);
    ok = ok && k->ops->open(k, state, block, e);
    if (ok) {
        count_steps(steps, k, state);
        k->ops->close(k, state);
    }
    free(state);
    return ok;
}

void kernel_free(struct kernel *k)
{
    if (k == NULL)
        return;
    if (k->ops != NULL && k->source != NULL)
        k->ops->destroy(k);
    free(k->name);
    free(k->summary);
    free(k->path);
    free(k->note);
    free(k->inst);
    free(k->phase);
    free(k->buffer);
    free(k);
}

void kernel_list_free(struct kernel_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        kernel_free(list->kernel[i]);
    free(list->kernel);
    free(list->application);
    *list = (struct kernel_list){0};
}
