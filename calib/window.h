/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which blocks of a grid one sample runs, and on how many SMs. */
#ifndef CALIB_WINDOW_H
#define CALIB_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum window_kind {
    WINDOW_GRID,   /* the whole grid on the whole GPU: full detail */
    WINDOW_SHARE,  /* all blocks the slice's SMs get of the grid */
    WINDOW_PART,   /* whole waves of that share, run to their end */
    WINDOW_STREAM, /* of very many waves: stopped in the steady state */
};

/* What a window is cut from. */
struct window_grid {
    uint64_t blocks;    /* of the grid */
    int gpu_sms;        /* of the whole GPU */
    double block_insts; /* warp instructions of a block */
};

struct window {
    enum window_kind kind;
    int sms;               /* of the slice */
    uint64_t first, count; /* blocks to run at most */
    uint64_t share;        /* blocks these SMs get of the whole grid */
    uint64_t wave;         /* blocks resident at once on these SMs */
    bool early_stop;       /* STREAM: may end before count, once precise */
};

/* The window of a sample of `sms` SMs at tb blocks an SM that should take about
 * cap_insts warp instructions. It always holds a whole wave, so it may take
 * more: see window_cost(). */
void window_plan(struct window *out, const struct window_grid *grid, int sms,
                 int tb, double cap_insts);

/* SMs of such a sample: each doubling takes away a good part of what a slice
 * misses, so as many as leave it ENOUGH_WAVES waves or the whole share, but no
 * more than a quarter of the GPU. */
int window_sms(const struct window_grid *grid, int tb, double cap_insts);

/* Whether the whole GPU runs the grid in less than two waves: then it has no
 * steady state. */
bool window_few_waves(const struct window_grid *grid, int tb);

/* Warp instructions the window takes at most. */
double window_cost(const struct window *w, const struct window_grid *grid);

#endif
