/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mma, ldmatrix, stmatrix and movmatrix (PTX ISA 9.0, section 9.7.14.5). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/matrix_tile.h"
#include "kernels/ptx/execute/matrix_value.h"

#include <string.h>

#define ROW_BYTES 16 /* of ldmatrix and stmatrix */

/* ---- four products of 8 x 8 x 4 ------------------------------------------ */

#define QUADS      4
#define QUAD_SIDE  8
#define QUAD_DEPTH 4

struct quad {
    double a[QUAD_SIDE][QUAD_DEPTH], b[QUAD_DEPTH][QUAD_SIDE];
    double c[QUAD_SIDE][QUAD_SIDE];
};

/* The values of operand `i` that a lane has; its registers begin at s[0]. */
static void take(struct quad *x, const struct ptx_inst *inst, unsigned i,
                 const uint64_t *const *s, unsigned lane)
{
    enum ptx_type type = (enum ptx_type)inst->type[i];
    unsigned elements = ptx_elements(type);
    unsigned values = ptx_matrix_registers(inst, i) * elements;
    for (unsigned k = 0; k < values; k++) {
        struct ptx_cell at = ptx_quad_cell(inst, i, lane, k);
        double value =
            ptx_matrix_element(s[k / elements][lane], type, k % elements);
        if (i == 1)
            x[at.product].a[at.row][at.column] = value;
        else if (i == 2)
            x[at.product].b[at.row][at.column] = value;
        else
            x[at.product].c[at.row][at.column] = value;
    }
}

static double dot(const struct quad *x, const struct ptx_cell *at)
{
    double sum = x[at->product].c[at->row][at->column];
    for (unsigned i = 0; i < QUAD_DEPTH; i++)
        sum += x[at->product].a[at->row][i] * x[at->product].b[i][at->column];
    return sum;
}

static void multiply_quads(uint64_t (*value)[WARP_LANES],
                           const struct ptx_inst *inst,
                           const uint64_t *const *s)
{
    struct quad x[QUADS];
    unsigned elements = ptx_elements((enum ptx_type)inst->type[0]);
    unsigned values = ptx_matrix_registers(inst, 0) * elements;
    for (unsigned i = 1; i <= 3; s += ptx_matrix_registers(inst, i), i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            take(x, inst, i, s, lane);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < values; i++) {
            struct ptx_cell at = ptx_quad_cell(inst, 0, lane, i);
            value[i / elements][lane] |= ptx_matrix_result(inst, dot(x, &at))
                                         << 16 * (i % elements);
        }
}

/* ---- mma ------------------------------------------------------------------
 */

static void multiply(uint64_t (*value)[WARP_LANES], const struct ptx_inst *inst,
                     const uint64_t *const *s)
{
    const struct ptx_shape shape = ptx_shape_of(inst);
    const struct ptx_fragment d = ptx_fragment_of_mma(inst, 0);
    struct matrix_tiles x;
    double *const tile[] = {NULL, x.a, x.b, x.c};
    for (unsigned i = 1; i <= 3; i++) {
        const struct ptx_fragment f = ptx_fragment_of_mma(inst, i);
        matrix_tile_take(tile[i], &f, s);
        s += f.used;
    }
    matrix_tile_multiply(&x, &shape);
    matrix_tile_put(value, &d, x.c, inst);
}

bool ptx_execute_mma(struct ptx_block *b, struct ptx_warp *w,
                     const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    ptx_sources(b, w, op, s);
    if (ptx_matrix_is_quad(op->inst))
        multiply_quads(value, op->inst, s);
    else
        multiply(value, op->inst, s);
    for (int i = 0; i < op->results; i++)
        ptx_write(b, w, op->result[i], UINT32_MAX, value[i]);
    return true;
}

/* ---- rows of matrices -----------------------------------------------------
 */

/* Lane 8 j + r holds the address of row r of matrix j: 8 values of 16 bits. */
static uint8_t *matrix_row(struct ptx_block *b, const struct ptx_warp *w,
                           const struct ptx_op *op, int lane, bool write)
{
    const struct ptx_access a = {.space = (enum ptx_space)op->space,
                                 .lane = lane,
                                 .address = b->event.address[lane],
                                 .bytes = ROW_BYTES,
                                 .write = write};
    return ptx_bytes_at(b, w, op, &a);
}

bool ptx_execute_ldmatrix(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    bool transposed = op->inst->modifier[GROUP_TRANSPOSE] != MOD_NONE;
    uint64_t value[WARP_LANES];
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    ptx_addresses(b, w, op, b->event.address);
    for (int j = 0; j < op->results; j++) {
        uint16_t matrix[8][8];
        for (int r = 0; r < 8; r++) {
            const uint8_t *row = matrix_row(b, w, op, 8 * j + r, false);
            if (row == NULL)
                return false;
            memcpy(matrix[r], row, ROW_BYTES);
        }
        for (int lane = 0; lane < WARP_LANES; lane++) {
            int g = lane / 4, t = 2 * (lane % 4);
            uint32_t low = transposed ? matrix[t][g] : matrix[g][t];
            uint32_t high = transposed ? matrix[t + 1][g] : matrix[g][t + 1];
            value[lane] = low | high << 16;
        }
        ptx_write(b, w, op->result[j], UINT32_MAX, value);
    }
    return true;
}

bool ptx_execute_stmatrix(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    bool transposed = op->inst->modifier[GROUP_TRANSPOSE] != MOD_NONE;
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    ptx_addresses(b, w, op, b->event.address);
    for (int j = 0; j < op->sources; j++) {
        const uint64_t *value = ptx_slot(b, w, op->source[j]);
        uint16_t matrix[8][8];
        for (int lane = 0; lane < WARP_LANES; lane++)
            for (int i = 0; i < 2; i++) {
                int g = lane / 4, t = 2 * (lane % 4) + i;
                uint16_t half = (uint16_t)(value[lane] >> 16 * i);
                matrix[transposed ? t : g][transposed ? g : t] = half;
            }
        for (int r = 0; r < 8; r++) {
            uint8_t *row = matrix_row(b, w, op, 8 * j + r, true);
            if (row == NULL)
                return false;
            memcpy(row, matrix[r], ROW_BYTES);
        }
    }
    return true;
}

/* Lane 4 g + t has values 2 t and 2 t + 1 of row g, and gets those of column
 * g. */
bool ptx_execute_movmatrix(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    uint64_t value[WARP_LANES] = {0};
    if (mask != UINT32_MAX)
        return ptx_lanes_missing(b, w, op);
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int i = 0; i < 2; i++) {
            int g = lane / 4, row = 2 * (lane % 4) + i;
            uint64_t bits = from[4 * row + g / 2] >> 16 * (g % 2) & UINT16_MAX;
            value[lane] |= bits << 16 * i;
        }
    ptx_write(b, w, op->result[0], UINT32_MAX, value);
    return true;
}
