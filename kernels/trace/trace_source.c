/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The streams of a traced kernel. */
#include "kernels/trace/trace_parse.h"

#include "kernels/trace/trace_code.h"

#include <assert.h>
#include <stdlib.h>

/* Above all addresses of global memory. */
#define LOCAL_BASE (UINT64_C(1) << 56)

struct block_state {
    uint64_t block;
    struct trace_decoder warp[];
};

static size_t state_size(const struct kernel *k)
{
    return sizeof(struct block_state) +
           k->warps_per_block * sizeof(struct trace_decoder);
}

static bool read_failed(struct trace_source *s, struct error *e)
{
    atomic_store(&s->read_failed, true);
    return error_set(e, STATUS_FAILED,
                     "cannot read the trace's temporary file in %s",
                     s->spool->directory);
}

/* The traced warps of a traced block. Returns their number. */
static uint32_t present_warps(const struct trace_source *s,
                              const struct trace_extent *extent,
                              uint8_t present[MAX_WARPS_A_BLOCK])
{
    uint32_t count = 0;

    for (uint32_t w = 0; w < s->warps; w++)
        if (extent[w].start < extent[w].end)
            present[count++] = (uint8_t)w;
    return count;
}

static bool open_block(const struct kernel *k, void *state, uint64_t block,
                       struct error *e)
{
    struct trace_source *s = k->source;
    struct block_state *b = state;
    struct trace_extent extent[MAX_WARPS_A_BLOCK];
    uint8_t present[MAX_WARPS_A_BLOCK];
    uint64_t place = s->directory[block % s->block_count] + sizeof(uint64_t);
    uint32_t count;

    if (atomic_load(&s->read_failed) ||
        !trace_spool_read(s->spool, place, extent,
                          s->warps * (uint32_t)sizeof(extent[0])))
        return read_failed(s, e);
    b->block = block;
    count = present_warps(s, extent, present);
    assert(count > 0);
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        uint32_t from = w;

        if (w >= s->warps || extent[w].start == extent[w].end)
            from = present[w % count];
        trace_decode_start(&b->warp[w], extent[from].start, extent[from].end);
    }
    return true;
}

/* Local memory of a warp's lanes is interleaved: what they have at one offset
 * lies side by side, in words of the access's width, four bytes at least (CUDA
 * C++ Programming Guide, "Local Memory": consecutive 32-bit words belong to
 * consecutive threads). */
static void place_local(const struct kernel *k, uint64_t warp, struct step *s)
{
    const struct trace_source *source = k->source;
    uint32_t width = k->inst[s->inst].width;
    uint64_t word = width < 4 ? 4 : width;
    uint64_t region = (source->local_bytes + 15) / 16 * 16 * WARP_LANES;
    uint64_t start = LOCAL_BASE + warp * region;
    bool uniform = s->form == ADDR_STRIDE && s->stride == 0;

    if (s->form == ADDR_NONE)
        return;
    for (unsigned l = 0; l < (uniform ? 1 : WARP_LANES); l++) {
        uint64_t offset =
            (s->form == ADDR_LIST ? s->lane_address[l]
                                  : s->base + (uint64_t)s->stride * l) -
            source->local_low;
        uint64_t inside = offset % word;

        s->lane_address[l] = start + (offset - inside) * WARP_LANES + inside +
                             (uint64_t)l * word;
    }
    s->form = uniform ? ADDR_STRIDE : ADDR_LIST;
    s->base = s->lane_address[0];
    s->stride = (int64_t)word;
}

static bool next_step(const struct kernel *k, void *state, uint32_t warp,
                      struct step *out)
{
    struct trace_source *s = k->source;
    struct block_state *b = state;
    enum trace_decoded got = trace_decode(&b->warp[warp], s->spool, out);

    if (got != TRACE_STEP) {
        if (got == TRACE_READ_FAILED)
            read_failed(s, NULL);
        return false;
    }
    out->inst = s->order[out->inst];
    if (k->inst[out->inst].space == SPACE_LOCAL)
        place_local(k, b->block * k->warps_per_block + warp, out);
    return true;
}

static void close_block(const struct kernel *k, void *state)
{
    (void)k;
    (void)state;
}

static bool check(const struct kernel *k, struct error *e)
{
    struct trace_source *s = k->source;

    return !atomic_load(&s->read_failed) || read_failed(s, e);
}

static void destroy(struct kernel *k)
{
    struct trace_source *s = k->source;

    trace_spool_release(s->spool);
    free(s->directory);
    free(s->order);
    free(s);
    k->source = NULL;
}

const struct kernel_source_ops trace_source_ops = {
    .state_size = state_size,
    .open = open_block,
    .next = next_step,
    .close = close_block,
    .check = check,
    .destroy = destroy,
};
