/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a kernel's performance goes with the blocks that an SM holds, as perfsat
 * looks at it, and what its search at run time makes of it. Under gto, the
 * scheduler of its Sec. III-A. */
#ifndef PAPER_REPRO_SATURATION_H
#define PAPER_REPRO_SATURATION_H

#include "paper_repro/tables.h"
#include "paper_repro/view.h"

#define SATURATION_BLOCKS 32

/* "Less than 2 % performance improvement" (Sec. V-B). */
#define SATURATION_GAIN 0.02
/* MEM: at the most blocks it is slower than at the best count by more than what
 * is even (rules.h). The paper gives no number. */
#define SATURATION_FALL 0.01

/* Runs with 1 to max resident blocks, [1] to [max]. */
struct saturation {
    int max;
    const struct sampler_run *run[SATURATION_BLOCKS + 1];
    /* The count after which one more gains less than 2 %. Which of them, where
     * there are several, the paper leaves open: the first, or the one behind
     * the last that gains as much. */
    int best, last_best;
    enum perfsat_class class; /* by the first */
};

/* What the search at run time found: of a full lab on the whole grid, else in
 * a long window, since in a quick one the grid ends before the search. */
struct saturation_search {
    int max;
    double blocks;    /* mean over the SMs */
    int settled, sms; /* SMs whose search ended, of those that ran */
    double speedup;   /* over as many blocks as fit */
};

/* The view's Fermi board, or the Kepler one beside it. */
const char *saturation_gpu(const struct view *v, enum perfsat_board board);

/* Speed with n blocks over that with m. */
double saturation_speedup(const struct saturation *s, int n, int m);
/* Of issue slots, with n blocks. */
double saturation_scoreboard(const struct saturation *s, int n);
double saturation_pipeline(const struct saturation *s, int n);

bool saturation_sweep(struct saturation *out, const struct view *v,
                      const char *gpu, const char *kernel, struct error *e);
bool saturation_search(struct saturation_search *out, const struct view *v,
                       const char *gpu, const char *kernel, struct error *e);

#endif
