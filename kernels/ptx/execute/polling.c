/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warps that wait for mbarriers and for the barrier of a cluster. */
#include "kernels/ptx/execute/exec.h"

/* Tests of mbarriers that fail in a row while no phase ends: a loop round one
 * never ends. */
#define FRUITLESS_MAX 65536

void ptx_block_wake(struct ptx_block *b)
{
    b->peer[0]->fruitless = 0;
    for (uint32_t p = 0; p < b->peers; p++)
        for (uint32_t i = 0; i < b->warps; i++)
            if (b->peer[p]->warp[i].state == WARP_POLLING)
                b->peer[p]->warp[i].state = WARP_READY;
}

bool ptx_block_let_fail(struct ptx_block *b)
{
    bool any = false;
    if (b->peer[0]->fruitless == FRUITLESS_MAX)
        return false;
    b->peer[0]->fruitless++;
    for (uint32_t i = 0; i < b->peers * b->warps; i++) {
        struct ptx_warp *w = &b->peer[i / b->warps]->warp[i % b->warps];
        if (w->state != WARP_POLLING)
            continue;
        w->state = WARP_READY;
        w->tests_once = any = true;
    }
    return any;
}
