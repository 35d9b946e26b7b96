/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/resident.h"

#include <stdlib.h>

/* Turns of all blocks until they have ended. */
static bool run_turns(struct ptx_block *block, bool *ended, uint64_t blocks)
{
    for (uint64_t rest = blocks; rest > 0;) {
        for (uint64_t i = 0; i < blocks; i++) {
            if (ended[i])
                continue;
            if (!ptx_block_take_turn(&block[i], &ended[i]))
                return false;
            rest -= ended[i];
        }
    }
    return true;
}

static bool start_all(struct ptx_block *block, const struct ptx_launch *l,
                      struct ptx_view view, uint64_t blocks, uint64_t *opened,
                      struct error *e)
{
    for (uint64_t i = 0; i < blocks; i++) {
        if (!ptx_block_open(&block[i], l, view, e))
            return false;
        *opened = i + 1;
        if (!ptx_block_start(&block[i], i))
            return false;
    }
    return true;
}

bool ptx_launch_run_resident(const struct ptx_launch *l, struct ptx_view view,
                             struct ptx_totals *out, struct error *e)
{
    uint8_t grid[PTX_GRID_BYTES] = {0};
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z, opened = 0;
    struct ptx_launch shared = *l;
    struct ptx_block *block = calloc(blocks, sizeof(*block));
    bool *ended = calloc(blocks, sizeof(*ended));
    shared.workspace_bytes = grid;
    *out = (struct ptx_totals){.blocks = blocks};
    bool ok = block != NULL && ended != NULL;
    if (!ok)
        error_no_memory(e);
    ok = ok && start_all(block, &shared, view, blocks, &opened, e) &&
         run_turns(block, ended, blocks);
    for (uint64_t i = 0; i < opened; i++) {
        out->warp_steps += block[i].warp_steps;
        out->lane_steps += block[i].lane_steps;
        ptx_block_close(&block[i]);
    }
    free(block);
    free(ended);
    return ok;
}
