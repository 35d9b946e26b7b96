/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/read_only.h"

#include "kernels/form/box.h"

#include <stdlib.h>

#define PIECE 16 /* bytes of a copy looked at together */

static bool stores(const struct inst *i)
{
    return (i->op == OP_STORE || i->op == OP_ATOMIC) &&
           i->space == SPACE_GLOBAL;
}

static bool overlaps(const struct address_range *r, uint64_t first,
                     uint64_t bytes)
{
    return first + bytes > r->first && first < r->first + r->bytes;
}

static void remove_bytes(struct address_ranges *r, uint64_t at, uint64_t bytes)
{
    for (size_t n = 0; n < r->count; n++)
        if (overlaps(&r->range[n], at, bytes))
            r->range[n--] = r->range[--r->count];
}

/* The ranges that the step writes to leave the list. */
static void remove_written(struct address_ranges *r, const struct inst *i,
                           const struct step *s)
{
    struct transaction t;
    if (s->form == ADDR_BOX) {
        struct box_walk walk = box_begin(s);
        while (box_next(&walk, PIECE, PIECE, &t))
            remove_bytes(r, t.line * PIECE, PIECE);
        return;
    }
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((s->mask >> lane & 1) == 0)
            continue;
        uint64_t at = s->form == ADDR_STRIDE
                          ? s->base + (uint64_t)s->stride * (uint64_t)lane
                          : s->lane_address[lane];
        remove_bytes(r, at, i->width);
    }
}

static bool remove_written_by_block(struct address_ranges *r,
                                    const struct kernel *k, void *state,
                                    uint64_t block, struct error *e)
{
    struct step s;
    uint64_t steps = 0;
    bool ok = true;
    if (!k->ops->open(k, state, block, e))
        return false;
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        while (ok && r->count > 0 && k->ops->next(k, state, w, &s)) {
            if (stores(&k->inst[s.inst]))
                remove_written(r, &k->inst[s.inst], &s);
            ok = kernel_walk_goes_on(k, &steps, e);
        }
    k->ops->close(k, state);
    return ok;
}

static bool remove_written_by_kernel(struct address_ranges *r,
                                     const struct kernel *k, struct error *e)
{
    size_t size = k->ops->state_size(k);
    void *state = malloc(size > 0 ? size : 1);
    if (state == NULL)
        return error_no_memory(e);
    bool ok = true;
    for (uint64_t b = 0; ok && r->count > 0 && b < k->blocks; b++)
        ok = remove_written_by_block(r, k, state, b, e);
    free(state);
    return ok && kernel_streams_check(k, e);
}

static bool launched_before(struct kernel *const *kernels, int i)
{
    for (int j = 0; j < i; j++)
        if (kernels[j]->hash == kernels[i]->hash)
            return true;
    return false;
}

bool read_only_ranges(struct address_ranges *out, struct kernel *const *kernels,
                      int count, struct error *e)
{
    const struct kernel *k = kernels[0];
    *out = (struct address_ranges){0};
    if (k->buffers == 0)
        return true;
    out->range = malloc(k->buffers * sizeof(*out->range));
    if (out->range == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < k->buffers; i++)
        out->range[out->count++] =
            (struct address_range){k->buffer[i].address, k->buffer[i].bytes};
    for (int i = 0; i < count; i++)
        if (!launched_before(kernels, i) &&
            !remove_written_by_kernel(out, kernels[i], e))
            return false;
    return true;
}

bool address_ranges_contain(const struct address_ranges *r, uint64_t address)
{
    for (size_t i = 0; i < r->count; i++)
        if (address >= r->range[i].first &&
            address < r->range[i].first + r->range[i].bytes)
            return true;
    return false;
}

void address_ranges_free(struct address_ranges *r)
{
    free(r->range);
    *r = (struct address_ranges){0};
}
