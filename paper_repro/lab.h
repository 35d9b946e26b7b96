/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where claims get their numbers: points run in full detail, each once. A quick
 * lab cuts every point down to a part of its work, the same part whatever the
 * policies, so that they compare. */
#ifndef PAPER_REPRO_LAB_H
#define PAPER_REPRO_LAB_H

#include "configs/gpu.h"
#include "kernels/kernel.h"
#include "sampler/sampler.h"

/* What a quick lab runs. Full waves of a single launch, on so many SMs with
 * their share of the memory system; the first launches of an application on the
 * whole GPU, until they come to that many warp instructions; applications whose
 * first launch alone takes more as single launches. */
#define QUICK_WAVES 3
#define QUICK_SMS   4
#define QUICK_INSTS 1.5e6

struct point {
    const char *kernel, *gpu;
    const char
        *policies;   /* "warp[/block[/l1]]", "" = rr and lru: "gto//cacp" */
    const char *key; /* of the GPU, set to value; NULL: none */
    double value;
    int launches;     /* the first so many; 0 = all */
    bool criticality; /* run the predictor for its counts */
};

struct lab;

/* NULL when out of memory. */
struct lab *lab_create(bool full);
void lab_free(struct lab *l);
bool lab_is_full(const struct lab *l);

/* The counts of a point, from memory when it has run before; valid until
 * lab_free. NULL with e. */
const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e);

#endif
