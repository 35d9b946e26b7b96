/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/address.h"

#include "configs/gpu.h"

struct place address_locate(const struct gpu *g, uint64_t line)
{
    uint64_t banks = (uint64_t)g->l2.banks;
    uint64_t per_chunk =
        (uint64_t)(g->dram.interleave_bytes / g->l2.line_bytes);
    if (per_chunk == 0)
        per_chunk = 1;
    uint64_t chunk = line / per_chunk, upper = chunk / banks;
    uint64_t rotate = 0;
    if (g->l2.hashed)
        for (uint64_t rest = upper; rest != 0; rest >>= 5)
            rotate += rest & 31;
    uint64_t slice = (chunk + rotate) % banks;
    uint64_t channels = (uint64_t)g->dram.channels;
    uint64_t slices_a_channel = (banks + channels - 1) / channels;
    uint64_t local = upper * per_chunk + line % per_chunk;
    uint64_t byte = (upper * slices_a_channel + slice % slices_a_channel) *
                        per_chunk * (uint64_t)g->l2.line_bytes +
                    line % per_chunk * (uint64_t)g->l2.line_bytes;
    uint64_t page = byte / (uint64_t)g->dram.row_bytes;
    uint64_t dram_banks = (uint64_t)g->dram.banks;
    uint64_t row = page / dram_banks;
    return (struct place){
        .slice = (int)slice,
        .channel = (int)(slice * channels / banks),
        .local_line = local,
        .row = row,
        .bank = (uint32_t)((page + row) % dram_banks),
    };
}
