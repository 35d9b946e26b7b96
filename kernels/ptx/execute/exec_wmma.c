/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wmma (PTX ISA 9.0, section 9.7.14.4). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/matrix_tile.h"

#include <string.h>

/* ---- loads and stores ---------------------------------------------------- */

struct move {
    struct ptx_block *b;
    struct ptx_warp *w;
    const struct ptx_op *op;
    struct ptx_fragment f;
    bool stores;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES]; /* of the registers */
};

/* Value v of a lane between its registers and memory. */
static bool move_value(struct move *m, int lane, unsigned v)
{
    const struct ptx_fragment *f = &m->f;
    unsigned row, column, size = ptx_types[f->type].bytes;
    unsigned shift = 8 * size * (v % f->elements);
    uint64_t *reg = &m->value[v / f->elements][lane], bits = *reg >> shift;
    struct ptx_access a = {.space = (enum ptx_space)m->op->space,
                           .lane = lane,
                           .bytes = size,
                           .write = m->stores};
    ptx_fragment_place(f, (unsigned)lane, v, &row, &column);
    a.address = m->b->event.address[lane] +
                ptx_fragment_offset(f, row, column, m->b->event.stride);
    uint8_t *at = ptx_bytes_at(m->b, m->w, m->op, &a);
    if (at == NULL)
        return false;
    if (m->stores) {
        memcpy(at, &bits, size);
        return true;
    }
    bits = 0;
    memcpy(&bits, at, size);
    *reg |= bits << shift;
    return true;
}

static bool move_values(struct move *m)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (unsigned v = 0; v < m->f.values; v++)
            if (!move_value(m, lane, v))
                return false;
    return true;
}

/* One part of a register of a lane. */
static inline void move_part(const struct move *m, uint8_t *at, uint64_t *reg,
                             size_t shift, size_t bytes)
{
    uint64_t part = *reg >> shift;
    if (m->stores) {
        memcpy(at, &part, bytes);
        return;
    }
    part = 0;
    memcpy(&part, at, bytes);
    *reg |= part << shift;
}

/* Between registers and a matrix without gaps, in parts of so many bytes. */
static inline void move_registers(struct move *m, uint8_t *matrix, size_t bytes)
{
    const struct ptx_fragment_steps p = ptx_fragment_steps_of(&m->f);
    size_t size = ptx_types[m->f.type].bytes;
    size_t parts = size * m->f.elements / bytes;
    for (unsigned j = 0; j < m->f.used; j++) {
        unsigned first = ptx_fragment_index(&m->f, 0, j * m->f.elements);
        for (size_t lane = 0; lane < WARP_LANES; lane++)
            for (size_t e = 0; e < parts; e++) {
                size_t at = first + lane / 4 * p.group + lane % 4 * p.thread +
                            e * p.element;
                move_part(m, matrix + at * size, &m->value[j][lane],
                          8 * bytes * e, bytes);
            }
    }
}

/* What a register holds side by side goes at once. */
static void move_all_registers(struct move *m, uint8_t *matrix)
{
    size_t size = ptx_types[m->f.type].bytes;
    bool side_by_side = ptx_fragment_steps_of(&m->f).element == 1;
    switch (side_by_side ? size * m->f.elements : size) {
    case 1:
        move_registers(m, matrix, 1);
        break;
    case 2:
        move_registers(m, matrix, 2);
        break;
    case 4:
        move_registers(m, matrix, 4);
        break;
    default:
        move_registers(m, matrix, 8);
        break;
    }
}

/* ---- whole matrices ------------------------------------------------------ */

#define MATRIX_BYTES_MAX 1024 /* 256 values of 32 bits */
#define PIECE_BYTES_MAX  16   /* what all rows are multiples of, or less */

/* A matrix in memory is rows, or columns, of pieces. */
struct pieces {
    uint64_t base, row_bytes; /* from row to row */
    size_t bytes, in_row, count;
};

static struct pieces pieces_of(const struct move *m)
{
    const struct ptx_fragment *f = &m->f;
    size_t rows = f->by_rows ? f->rows : f->columns;
    size_t length =
        (size_t)f->rows * f->columns / rows * ptx_types[f->type].bytes;
    size_t bytes = length < PIECE_BYTES_MAX ? length : PIECE_BYTES_MAX;
    return (struct pieces){.base = m->b->event.address[0],
                           .row_bytes = ptx_fragment_offset(
                               f, f->by_rows, !f->by_rows, m->b->event.stride),
                           .bytes = bytes,
                           .in_row = length / bytes,
                           .count = rows * length / bytes};
}

static void move_piece(const struct move *m, uint8_t *at, uint8_t *matrix,
                       size_t bytes)
{
    memcpy(m->stores ? at : matrix, m->stores ? matrix : at, bytes);
}

/* `group` pieces at a time. False: some are not all there, in one piece. */
static bool move_pieces(const struct move *m, uint8_t *matrix,
                        const struct pieces *p, size_t group)
{
    const struct ptx_access a = {.space = (enum ptx_space)m->op->space,
                                 .bytes = p->bytes,
                                 .write = m->stores};
    uint32_t mask = UINT32_MAX >> (WARP_LANES - group);
    for (size_t first = 0; first < p->count; first += group) {
        uint64_t address[WARP_LANES] = {0};
        struct ptx_reach r;
        for (size_t i = 0; i < group; i++)
            address[i] = p->base + (first + i) / p->in_row * p->row_bytes +
                         (first + i) % p->in_row * p->bytes;
        if (!ptx_reach_lanes(m->b, m->w, m->op, &a, address, mask, &r))
            return false;
        for (size_t i = 0; i < group; i++) {
            uint8_t *at = ptx_reach_lane(&r, address[i], 0);
            uint8_t *piece = matrix + (first + i) * p->bytes;
            if (p->bytes == PIECE_BYTES_MAX)
                move_piece(m, at, piece, PIECE_BYTES_MAX);
            else
                move_piece(m, at, piece, p->bytes);
        }
    }
    return true;
}

static bool is_one_address(const uint64_t *address)
{
    uint64_t differs = 0;
    for (size_t lane = 1; lane < WARP_LANES; lane++)
        differs |= address[lane] ^ address[0];
    return differs == 0;
}

/* As a whole, or row by row. False: it has to go value by value. */
static bool move_matrix(struct move *m)
{
    uint8_t matrix[MATRIX_BYTES_MAX];
    const struct pieces p = pieces_of(m);
    size_t most = p.count < WARP_LANES ? p.count : WARP_LANES;
    if (m->op->space == PTX_LOCAL || !is_one_address(m->b->event.address))
        return false;
    if (m->stores)
        move_all_registers(m, matrix);
    if (!move_pieces(m, matrix, &p, most) &&
        !move_pieces(m, matrix, &p, p.in_row))
        return false;
    if (!m->stores)
        move_all_registers(m, matrix);
    return true;
}

bool ptx_execute_wmma_move(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask)
{
    struct move m = {b, w, op, .stores = op->action == ACTION_STORE_FRAGMENT};
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    if (!ptx_fragment_of(&m.f, op->inst, 0))
        return ptx_fault(b, w, op, "found a shape that is not known");
    unsigned first = m.stores ? m.f.used : 0;
    ptx_addresses(b, w, op, b->event.address);
    b->event.stride =
        op->sources > first ? (uint32_t)*ptx_slot(b, w, op->source[first]) : 0;
    for (unsigned j = 0; m.stores && j < m.f.used; j++)
        memcpy(m.value[j], ptx_slot(b, w, op->source[j]), sizeof(m.value[j]));
    if (!move_matrix(&m) && !move_values(&m))
        return false;
    for (unsigned j = 0; !m.stores && j < m.f.used; j++)
        ptx_write(b, w, op->result[j], UINT32_MAX, m.value[j]);
    return true;
}

/* ---- products ------------------------------------------------------------ */

bool ptx_execute_wmma_mma(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_shape shape = ptx_shape_of(op->inst);
    const uint64_t *s[PTX_PARTS_MAX], *const *next = s;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES];
    struct ptx_fragment f[4];
    struct matrix_tiles x;
    double *const tile[] = {NULL, x.a, x.b, x.c};
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    ptx_sources(b, w, op, s);
    for (unsigned i = 0; i < 4; i++)
        ptx_fragment_of(&f[i], op->inst, i);
    for (unsigned i = 1; i < 4; next += f[i++].used)
        matrix_tile_take(tile[i], &f[i], next);
    matrix_tile_multiply(&x, &shape);
    matrix_tile_put(value, &f[0], x.c, op->inst);
    for (unsigned j = 0; j < f[0].used; j++)
        ptx_write(b, w, op->result[j], UINT32_MAX, value[j]);
    return true;
}
