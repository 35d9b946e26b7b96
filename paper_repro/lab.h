/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where claims get their numbers: points run in full detail, each once. A quick
 * lab cuts every point down to a part of its work, the same part whatever the
 * policies, so that they compare. */
#ifndef PAPER_REPRO_LAB_H
#define PAPER_REPRO_LAB_H

#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/sampler.h"

/* What a quick lab runs. Single launches: at most so many waves of blocks, the
 * last one as uneven as the grid's own, and no more than the instructions (one
 * full wave at least). Warps begin in step and take some ten waves to drift
 * apart, under lrr most of all. On the whole GPU where the fewest waves fit,
 * since a slice has few memory channels and bursts weigh more there; else on a
 * few SMs with their share of the memory system. Applications: the first
 * launches up to the same instructions, on the whole GPU, since the first one
 * alone begins cold; where the heaviest takes more, so much of it as if it were
 * single. Nothing is cut on GPUs on a mesh, where the subject is what a launch
 * leaves to the next ones and which part of the grid an SM gets: a window
 * begins cold, and its chunks are others than the grid's. Warp instructions
 * all. */
#define QUICK_WAVES        20
#define QUICK_FEWEST_WAVES 10
#define QUICK_SMS          4
#define QUICK_INSTS        5e6

struct point {
    const char *kernel, *gpu;
    /* "warp[/block[/l1]]", empty: rr and lru. "gto//cacp" */
    const char *policies;
    const char *key; /* of the GPU, set to value; NULL: none */
    double value;
    int launches;     /* the first so many; 0 = all */
    bool criticality; /* run the predictor for its counts */
};

struct lab;

/* NULL when out of memory. */
struct lab *lab_create(bool full);
void lab_free(struct lab *l);

/* The counts of a point, from memory when it has run before; valid until
 * lab_free. NULL with e. */
const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e);

#endif
