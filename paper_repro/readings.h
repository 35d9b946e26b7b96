/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings: what a paper leaves open, its machine, and how much of the grids is
 * run. A claim that does not hold is judged under all of its paper's readings;
 * those under which it holds are its cause. */
#ifndef PAPER_REPRO_READINGS_H
#define PAPER_REPRO_READINGS_H

#include "paper_repro/view.h"

/* What it changes of every point: see struct view. */
struct reading {
    const char *paper; /* NULL: of every one */
    /* "window", "machine", "policy", "workload": kinds of causes; "bound": what
     * no reading allows, to show what can be reached at all */
    const char *group;
    const char *name;
    const char *gpu, *keys, *rename, *kernels;
    enum window window;
};

/* Ends with a NULL name. */
extern const struct reading readings[];

#endif
