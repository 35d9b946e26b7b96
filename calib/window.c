/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/window.h"

#include "calib/constants.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The blocks that the busiest `sms` SMs of the GPU get under round-robin. */
static uint64_t share_of(const struct window_grid *grid, int sms)
{
    uint64_t each =
        (grid->blocks + (uint64_t)grid->gpu_sms - 1) / (uint64_t)grid->gpu_sms;
    return min_u64(each * (uint64_t)sms, grid->blocks);
}

bool window_few_waves(const struct window_grid *grid, int tb)
{
    return share_of(grid, 1) < FEW_WAVES * (uint64_t)tb;
}

static void whole_grid(struct window *w, const struct window_grid *grid, int tb)
{
    *w = (struct window){.kind = WINDOW_GRID,
                         .sms = grid->gpu_sms,
                         .count = grid->blocks,
                         .share = grid->blocks,
                         .wave = (uint64_t)tb * (uint64_t)grid->gpu_sms};
}

/* As many waves as the cap allows, at least LEAST_WAVES, plus the share's own
 * partial wave, so that the run ends as the whole share does. */
static uint64_t part_count(const struct window *w, double cap_blocks)
{
    uint64_t rest = w->share % w->wave;
    double waves = (cap_blocks - (double)rest) / (double)w->wave;
    uint64_t whole = waves > LEAST_WAVES ? (uint64_t)waves : LEAST_WAVES;
    return min_u64(whole * w->wave + rest, w->share);
}

int window_sms(const struct window_grid *grid, int tb, double cap_insts)
{
    uint64_t enough = min_u64(share_of(grid, 1), ENOUGH_WAVES * (uint64_t)tb);
    double of_one = (double)enough * grid->block_insts;
    int sms = 1;
    while (2 * GPU_TO_SLICE * sms <= grid->gpu_sms &&
           2 * sms * of_one <= cap_insts)
        sms *= 2;
    return sms;
}

void window_plan(struct window *out, const struct window_grid *grid, int sms,
                 int tb, double cap_insts)
{
    double grid_insts = (double)grid->blocks * grid->block_insts;
    uint64_t wave = (uint64_t)tb * (uint64_t)sms;
    uint64_t share = share_of(grid, sms);
    bool few = window_few_waves(grid, tb);
    double allowed = (few ? FEW_WAVES_COST : 1) * cap_insts;
    if (sms >= grid->gpu_sms || grid_insts <= allowed) {
        whole_grid(out, grid, tb);
        return;
    }
    *out = (struct window){.sms = sms, .share = share, .wave = wave};
    double cap_blocks = cap_insts / grid->block_insts;
    if (few || (double)share <= cap_blocks) {
        out->kind = WINDOW_SHARE;
        out->count = share;
    } else {
        out->early_stop = share >= STREAM_WAVES * wave;
        out->kind = out->early_stop ? WINDOW_STREAM : WINDOW_PART;
        out->count = part_count(out, cap_blocks);
    }
    out->first = (grid->blocks - out->count) / 2;
}

double window_cost(const struct window *w, const struct window_grid *grid)
{
    return (double)w->count * grid->block_insts;
}
