/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/oracle.h"

#include <stdlib.h>

bool oracle_init(struct oracle *o, struct kernel *const *kernels, int count,
                 const struct sampler_options *options)
{
    *o =
        (struct oracle){.first_block = options->first_block, .recording = true};
    o->warp_cycles = calloc((size_t)count, sizeof(*o->warp_cycles));
    if (o->warp_cycles == NULL)
        return false;
    for (; o->kernels < count; o->kernels++) {
        const struct kernel *k = kernels[o->kernels];
        uint64_t blocks =
            options->block_count > 0 ? options->block_count : k->blocks;
        uint32_t *cycles = calloc(blocks, k->warps_per_block * sizeof(*cycles));
        if (cycles == NULL)
            return false;
        o->warp_cycles[o->kernels] = cycles;
    }
    return true;
}

void oracle_free(struct oracle *o)
{
    for (int i = 0; i < o->kernels; i++)
        free(o->warp_cycles[i]);
    free(o->warp_cycles);
    *o = (struct oracle){0};
}

void oracle_record(struct oracle *o, int kernel, uint32_t warps_per_block,
                   const struct sampler_warp *w)
{
    uint64_t cycles = w->end - w->start;
    uint64_t at = (w->block - o->first_block) * warps_per_block + w->warp;
    o->warp_cycles[kernel][at] =
        cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}
