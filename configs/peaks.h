/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a GPU can do at most, in a core cycle, all SMs and slices together. */
#ifndef CONFIGS_PEAKS_H
#define CONFIGS_PEAKS_H

#include "base/result.h"
#include "configs/gpu.h"

struct peaks {
    double issue;   /* warp instructions */
    double l1;      /* accesses of lines or sectors */
    double shared;  /* passes over the banks */
    double l2;      /* bytes through the slices' ports */
    double network; /* flits in one direction: through a crossbar what ports
                     * pass that wait for each other, over a mesh what its
                     * bisection does when destinations are random */
    double dram;    /* bytes */
};

void peaks_of(struct peaks *out, const struct gpu *g);

/* A peak as people know it, and its unit: GB/s, warp instructions a cycle and
 * SM, ...; that of a pipeline is all of its cycles, 1. */
double peak_value(const struct gpu *g, enum use use);
const char *peak_unit(enum use use);

#endif
