/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a two-pass policy knows beforehand: how long every warp took in a first
 * run under lrr. A caller that has both done makes the first run lrr's own, by
 * an oracle of its own (sampler_options.oracle), all zero at first. */
#ifndef SAMPLER_ORACLE_H
#define SAMPLER_ORACLE_H

#include "kernels/form/kernel.h"
#include "sampler/sampler.h"

struct oracle {
    int kernels;
    uint64_t first_block; /* of the window both runs see */
    bool recording;       /* the first run is on */
    bool complete;        /* it has come to its end */
    /* By kernel: cycles from launch to end of warp w of block b at
     * [(b - first_block) * warps_per_block + w], 0 when it did not end. */
    uint32_t **warp_cycles;
};

/* False when memory is out; oracle_free in any case. */
bool oracle_init(struct oracle *o, struct kernel *const *kernels, int count,
                 const struct sampler_options *options);
void oracle_free(struct oracle *o);
void oracle_record(struct oracle *o, int kernel, uint32_t warps_per_block,
                   const struct sampler_warp *w);

#endif
