/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which blocks of a grid one sample runs. It depends on kernel, GPU, block
 * count, the error asked for and what a sample may take, and on nothing else.
 *
 * A grid of few waves begins and ends more than it goes on: its window is its
 * start, and what comes behind it takes as long as on a slice of the GPU that
 * runs its share of the grid; where that is too much, or no slice tells, a
 * brief start goes with a part of a wave in the middle, and two waves of one SM
 * there (brief_sample.h). Where heavy waves share their lines it is some waves
 * from the grid's start on, or such a brief start and middle. Another window is
 * in the middle of the grid, on the whole GPU: as many blocks as are resident
 * at once begin in their middle, as far from step and as far in their
 * instructions as the grid's first wave says, or anywhere where that is not
 * run; others follow; the caches have what those before left there. Where the
 * L2 takes what is stored for a good part of the grid it lies behind that part,
 * and the grid's start is as long as it. Where not even one wave of it can be
 * measured a slice of the GPU may run it, or, where that would be a small one,
 * its share of the grid beside the grid's start. So it finds the GPU as it is
 * between the grid's start and its end. */
#ifndef CALIB_WINDOW_H
#define CALIB_WINDOW_H

#include "calib/steady.h"

#include <stdbool.h>
#include <stdint.h>

enum window_kind {
    WINDOW_GRID,  /* the whole grid: full detail */
    WINDOW_START, /* of few waves, the first of them */
    WINDOW_MIDDLE,
    WINDOW_FIRST_WAVE, /* beside a middle one, to the wave's end, or a part */
    WINDOW_SLICE,      /* beside a start, of its grid's share, all of it */
};

/* What a window is cut from. */
struct window_grid {
    uint64_t blocks;    /* of the grid */
    int gpu_sms;        /* of the GPU */
    double block_insts; /* warp instructions of a block */
    int gpu_channels;   /* of the GPU's memory */
    bool shared;        /* hardly a line is touched by one block alone */
    uint64_t period;    /* blocks after which their addresses come again
                         * (kernel.period); 0: they do not */
    double insts_error; /* standard error of block_insts, as a share */
    double filled;      /* share of the grid after which the L2 is full of what
                         * blocks store, which slows them down; 1: it is not */
    bool unsteady; /* the L1s may hold more, or less, than when it begins */
    bool crowded;  /* some slices of the L2 get far more than others */
};

/* The longest block of a grid, if it is run by itself (long_block.h). */
struct long_block {
    uint64_t block;
    double length, insts; /* in mean lengths; warp instructions, 0: it is not */
};

struct window {
    enum window_kind kind;
    uint64_t first, count; /* blocks that may be launched */
    uint64_t resident;     /* blocks at once */
    int tb;                /* of them on an SM */
    uint64_t warm;         /* blocks before the first, to look at */
    uint64_t underway;     /* blocks that begin in their middle */
    double settle, insts;  /* warp instructions: before, and while measuring */
    double start; /* ... of the grid's start, which is run beside the middle, at
                   * least, or less than a wave where waves are heavy and few;
                   * 0: the grid is so long that it does not matter, or its
                   * waves so heavy that there is no room for it */
    double start_settle; /* of those of the start, before it is measured how
                          * fast the grid goes on until the L2 is full of
                          * stores; 0: it is not */
    double in_step; /* ... of the middle, those before measuring among them,
                     * where the start shows that blocks are in step; 0: as
                     * many as where it does not */
    /* Warp instructions that measuring goes on for, whole waves of them, where
     * its parts differ by a standard error above `enough`. */
    double more, enough;
    double wave; /* warp instructions of its resident blocks; not set of a whole
                  * grid */
    bool shared; /* window_grid.shared, of one with a brief start */
    /* SMs of a slice of the GPU (gpu_slice), 0: none. Of a start: on which
     * their share of the grid is run beside it, of so many blocks. Of a middle
     * whose waves are too heavy: which run it; how long it is, and the blocks
     * resident at once, are given as though all SMs did. Beside a brief start
     * one SM runs its share, of so many blocks, or, of many waves, two of its
     * own: 0. */
    int slice_sms;
    uint64_t slice_blocks;
    struct long_block long_block;
};

void window_whole(struct window *out, const struct window_grid *grid, int tb);

/* The window whose time of the whole grid should have an interval of error_pct,
 * within cap_insts warp instructions, or few_cap_insts for a whole grid of few
 * waves, for one of heavy waves with its start, and for a slice of few waves
 * where a smaller one would not do. Where that is more than
 * cap_insts a whole grid of few waves whose blocks share their lines, of which
 * no slice tells, may take still more. */
void window_plan(struct window *out, const struct window_grid *grid, int tb,
                 double error_pct, double cap_insts, double few_cap_insts);

/* A window in the middle that a slice of the GPU runs within cap_insts; false
 * where one of the whole GPU measures a wave or more within them, or the grid
 * has few, or its blocks share their lines, which no slice shows. */
bool window_plan_slice(struct window *out, const struct window_grid *grid,
                       int tb, double cap_insts);

/* The run beside a middle from the grid's beginning, by the same blocks, which
 * measures so many warp instructions behind the first `settle`. */
struct window window_first_wave(const struct window *w, double settle,
                                double insts);
/* Waves of the grid that are behind a middle's blocks when it begins. */
double window_waves_before(const struct window *w);

/* The run of a share of the grid beside a start, and the SMs that run it. */
struct window window_slice(const struct window *w);
int window_slice_sms(const struct window *w);

/* The window as the slice that runs it has it; itself where there is none. */
struct window window_on_slice(const struct window *w);
/* SMs of that slice, as a share of the GPU's. */
double window_slice_share(const struct window *w);

/* Whether it is run to the end of its blocks. */
bool window_is_whole(const struct window *w);

/* Whether the grid's first wave is looked at where warps take turns, though the
 * grid is so long that its time does not matter: a middle on the whole GPU, of
 * several blocks an SM. */
bool window_may_look(const struct window *w);

/* Whether what is run of the grid's start is less than its first wave. */
bool window_start_is_brief(const struct window *w);

/* The window of blocks that the start shows to be in step. */
struct window window_in_step(const struct window *w);

/* Warp instructions the window takes, where it is enough. */
double window_cost(const struct window *w, const struct window_grid *grid);

/* Deviation of log cycles of a grid's time by what a window measured, of which
 * the instructions and their error count; 0 of a whole grid. */
double window_deviation(const struct window *w, const struct window_grid *grid,
                        const struct steady *measured);

/* Blocks that are resident at once, as a share of the grid's. */
double window_share(const struct window_grid *grid, int tb);

/* Warp instructions with which a point would have an interval of error_pct: of
 * the smallest slice, of a longer window, or else the whole grid. */
double window_insts_for(const struct window_grid *grid, int tb,
                        double error_pct);

#endif
