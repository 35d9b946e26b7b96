/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wmma (PTX ISA 9.0, section 9.7.14.4). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/matrix_value.h"
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/forms/matrix.h"

#include <string.h>

/* Value v of a lane between its registers and memory. */
static bool move_value(struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, const struct ptx_fragment *f,
                       int lane, unsigned v, uint64_t *reg)
{
    unsigned row, column, size = ptx_types[f->type].bytes;
    unsigned shift = 8 * size * (v % f->elements);
    struct ptx_access a = {.space = (enum ptx_space)op->space,
                           .lane = lane,
                           .bytes = size,
                           .write = op->action == ACTION_STORE_FRAGMENT};
    ptx_fragment_place(f, (unsigned)lane, v, &row, &column);
    a.address = b->event.address[lane] +
                ptx_fragment_offset(f, row, column, b->event.stride);
    uint64_t bits = *reg >> shift;
    uint8_t *at = ptx_bytes_at(b, w, op, &a);
    if (at == NULL)
        return false;
    if (a.write) {
        memcpy(at, &bits, size);
        return true;
    }
    bits = 0;
    memcpy(&bits, at, size);
    *reg |= bits << shift;
    return true;
}

bool ptx_execute_wmma_move(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fragment f;
    bool stores = op->action == ACTION_STORE_FRAGMENT;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    if (!ptx_fragment_of(&f, op->inst, 0))
        return ptx_fault(b, w, op, "found a shape that is not known");
    unsigned first = stores ? f.used : 0;
    ptx_addresses(b, w, op, b->event.address);
    b->event.stride =
        op->sources > first ? (uint32_t)*ptx_slot(b, w, op->source[first]) : 0;
    for (unsigned j = 0; stores && j < f.used; j++)
        memcpy(value[j], ptx_slot(b, w, op->source[j]), sizeof(value[j]));
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (unsigned v = 0; v < f.values; v++)
            if (!move_value(b, w, op, &f, lane, v,
                            &value[v / f.elements][lane]))
                return false;
    for (unsigned j = 0; !stores && j < f.used; j++)
        ptx_write(b, w, op->result[j], UINT32_MAX, value[j]);
    return true;
}

struct tiles { /* by rows */
    double a[32 * 16], b[16 * 32], c[256];
};

static const uint64_t *const *take_tile(double *out,
                                        const struct ptx_inst *inst, unsigned i,
                                        const uint64_t *const *s)
{
    struct ptx_fragment f;
    ptx_fragment_of(&f, inst, i);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned v = 0; v < f.values; v++) {
            unsigned row, column;
            ptx_fragment_place(&f, lane, v, &row, &column);
            out[row * f.columns + column] = ptx_matrix_element(
                s[v / f.elements][lane], (enum ptx_type)f.type, v % f.elements);
        }
    return s + f.used;
}

static double tile_dot(const struct tiles *x, const struct ptx_shape *s,
                       unsigned m, unsigned n)
{
    double sum = x->c[m * s->n + n];
    for (unsigned i = 0; i < s->k; i++)
        sum += x->a[m * s->k + i] * x->b[i * s->n + n];
    return sum;
}

bool ptx_execute_wmma_mma(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_shape shape = ptx_shape_of(op->inst);
    const uint64_t *s[PTX_PARTS_MAX], *const *next = s;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    struct ptx_fragment d;
    struct tiles x;
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    ptx_sources(b, w, op, s);
    next = take_tile(x.a, op->inst, 1, next);
    next = take_tile(x.b, op->inst, 2, next);
    take_tile(x.c, op->inst, 3, next);
    ptx_fragment_of(&d, op->inst, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned v = 0; v < d.values; v++) {
            unsigned row, column;
            ptx_fragment_place(&d, lane, v, &row, &column);
            value[v / d.elements][lane] |=
                ptx_matrix_result(op->inst, tile_dot(&x, &shape, row, column))
                << 16 * (v % d.elements);
        }
    for (unsigned j = 0; j < d.used; j++)
        ptx_write(b, w, op->result[j], UINT32_MAX, value[j]);
    return true;
}
