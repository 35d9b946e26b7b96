/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mma, ldmatrix, stmatrix, movmatrix and wmma. What the hardware does inside a
 * sum is not documented (section 9.7.14.5): here products and sums are of 64
 * bits, rounded once. */
#include "kernels/ptx/execute/exec.h"
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/forms/matrix.h"

#include <string.h>

#define SIDE_M 16
#define SIDE_N 8
#define SIDE_K 32

struct matrices {
    double a[SIDE_M][SIDE_K], b[SIDE_K][SIDE_N], c[SIDE_M][SIDE_N];
};

/* Element e of a register. */
static double element(uint64_t bits, enum ptx_type type, unsigned e)
{
    switch (type) {
    case PTX_F16:
        return half_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_BF16:
        return bfloat_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_TF32: /* the low 13 bits are not looked at */
        return (double)float_from_bits(bits & 0xFFFFE000);
    case PTX_F32:
        return (double)float_from_bits(bits);
    case PTX_F64:
        return double_from_bits(bits);
    case PTX_S8:
        return (int8_t)(bits >> 8 * e);
    case PTX_U8:
        return (uint8_t)(bits >> 8 * e);
    default:
        return (int32_t)bits;
    }
}

static void take_factors(struct matrices *x, const struct ptx_inst *inst,
                         const uint64_t *const *s, unsigned lane)
{
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 1; i <= 2; i++) {
        enum ptx_type type = (enum ptx_type)inst->type[i];
        unsigned elements = ptx_elements(type);
        unsigned tall = i == 1 && ptx_shape_of(inst).m == 16 ? 2 : 1;
        unsigned registers = ptx_matrix_registers(inst, i);
        for (unsigned j = 0; j < registers; j++, s++) {
            unsigned at = elements * (t + 4 * (j / tall));
            for (unsigned e = 0; e < elements; e++) {
                double value = element((*s)[lane], type, e);
                if (i == 1)
                    x->a[g + 8 * (j % tall)][at + e] = value;
                else
                    x->b[at + e][g] = value;
            }
        }
    }
}

static void take_sum(struct matrices *x, const struct ptx_inst *inst,
                     const uint64_t *const *s, unsigned lane)
{
    enum ptx_type type = (enum ptx_type)inst->type[3];
    unsigned elements = ptx_elements(type);
    unsigned values = ptx_matrix_registers(inst, 3) * elements;
    for (unsigned i = 0; i < values; i++)
        x->c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2] =
            element(s[i / elements][lane], type, i % elements);
}

/* d as the type of the result; whole numbers wrap, or stop with .satfinite. */
static uint64_t encode(const struct ptx_inst *inst, double d)
{
    switch ((enum ptx_type)inst->type[0]) {
    case PTX_F16:
        return half_from_double(d, WORD_RN);
    case PTX_F32:
        return d == d ? float_bits((float)d) : 0x7FFFFFFF;
    case PTX_F64:
        return double_bits(d);
    default:
        break;
    }
    if (inst->word[GROUP_SAT] != WORD_NONE)
        d = d > INT32_MAX ? INT32_MAX : d < INT32_MIN ? INT32_MIN : d;
    return (uint32_t)(int64_t)d;
}

static double dot(const struct matrices *x, unsigned m, unsigned n, unsigned k)
{
    double sum = x->c[m][n];
    for (unsigned i = 0; i < k; i++)
        sum += x->a[m][i] * x->b[i][n];
    return sum;
}

static void multiply(struct ptx_block *b, const struct ptx_warp *w,
                     const struct ptx_op *op)
{
    const struct ptx_inst *inst = op->inst;
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    struct matrices x;
    unsigned factors =
        ptx_matrix_registers(inst, 1) + ptx_matrix_registers(inst, 2);
    unsigned elements = ptx_elements((enum ptx_type)inst->type[0]);
    for (int i = 0; i < op->sources; i++)
        s[i] = ptx_slot(b, w, op->source[i]);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        take_factors(&x, inst, s, lane);
        take_sum(&x, inst, s + factors, lane);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < op->results * elements; i++)
            value[i / elements][lane] |=
                encode(inst, dot(&x, lane / 4 + 8 * (i / 2),
                                 2 * (lane % 4) + i % 2, ptx_shape_of(inst).k))
                << 16 * (i % elements);
    for (int i = 0; i < op->results; i++)
        ptx_write(b, w, op->result[i], UINT32_MAX, value[i]);
}

/* Lane 8 j + r holds the address of row r of matrix j: 8 values of 16 bits. */
static bool load(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op)
{
    bool transposed = op->inst->word[GROUP_TRANSPOSE] != WORD_NONE;
    uint64_t value[WARP_LANES];
    ptx_addresses(b, w, op->base, op->offset, b->event.address);
    for (int j = 0; j < op->results; j++) {
        uint16_t matrix[8][8];
        for (int r = 0; r < 8; r++) {
            const uint8_t *row = ptx_bytes_at(
                b, w, op, (enum ptx_space)op->space, 8 * j + r,
                b->event.address[8 * j + r], sizeof(matrix[r]), false);
            if (row == NULL)
                return false;
            memcpy(matrix[r], row, sizeof(matrix[r]));
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

static bool store(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op)
{
    bool transposed = op->inst->word[GROUP_TRANSPOSE] != WORD_NONE;
    ptx_addresses(b, w, op->base, op->offset, b->event.address);
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
            uint8_t *row = ptx_bytes_at(b, w, op, (enum ptx_space)op->space,
                                        8 * j + r, b->event.address[8 * j + r],
                                        sizeof(matrix[r]), true);
            if (row == NULL)
                return false;
            memcpy(row, matrix[r], sizeof(matrix[r]));
        }
    }
    return true;
}

/* Lane 4 g + t has values 2 t and 2 t + 1 of row g, and gets those of column g.
 */
static void turn(const struct ptx_block *b, const struct ptx_warp *w,
                 const struct ptx_op *op)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    uint64_t value[WARP_LANES] = {0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int i = 0; i < 2; i++) {
            int g = lane / 4, row = 2 * (lane % 4) + i;
            uint64_t bits = from[4 * row + g / 2] >> 16 * (g % 2) & UINT16_MAX;
            value[lane] |= bits << 16 * i;
        }
    ptx_write(b, w, op->result[0], UINT32_MAX, value);
}

/* ---- wmma --------------------------------------------------------------- */

/* Value v of a lane between its registers and memory. */
static bool move_value(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, const struct ptx_fragment *f,
                       unsigned lane, unsigned v, uint64_t *reg)
{
    unsigned row, column, size = ptx_types[f->type].bytes;
    unsigned shift = 8 * size * (v % f->elements);
    bool stores = op->action == ACTION_STORE_FRAGMENT;
    ptx_fragment_place(f, lane, v, &row, &column);
    uint64_t bits = *reg >> shift;
    uint8_t *at =
        ptx_bytes_at(b, w, op, (enum ptx_space)op->space, (int)lane,
                     b->event.address[lane] +
                         ptx_fragment_offset(f, row, column, b->event.stride),
                     size, stores);
    if (at == NULL)
        return false;
    if (stores) {
        memcpy(at, &bits, size);
        return true;
    }
    bits = 0;
    memcpy(&bits, at, size);
    *reg |= bits << shift;
    return true;
}

static bool move_fragment(struct ptx_block *b, struct ptx_warp *w,
                          const struct ptx_op *op)
{
    struct ptx_fragment f;
    bool stores = op->action == ACTION_STORE_FRAGMENT;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    if (!ptx_fragment_of(&f, op->inst, 0))
        return ptx_fault(b, w, op, "found a shape that is not known");
    unsigned first = stores ? f.used : 0;
    ptx_addresses(b, w, op->base, op->offset, b->event.address);
    b->event.stride =
        op->sources > first ? (uint32_t)*ptx_slot(b, w, op->source[first]) : 0;
    for (unsigned j = 0; stores && j < f.used; j++)
        memcpy(value[j], ptx_slot(b, w, op->source[j]), sizeof(value[j]));
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
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
            out[row * f.columns + column] = element(
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

static void multiply_fragments(struct ptx_block *b, const struct ptx_warp *w,
                               const struct ptx_op *op)
{
    const struct ptx_shape shape = ptx_shape_of(op->inst);
    const uint64_t *s[PTX_PARTS_MAX], *const *next = s;
    uint64_t value[PTX_PARTS_MAX][WARP_LANES] = {{0}};
    struct ptx_fragment d;
    struct tiles x;
    for (int i = 0; i < op->sources; i++)
        s[i] = ptx_slot(b, w, op->source[i]);
    next = take_tile(x.a, op->inst, 1, next);
    next = take_tile(x.b, op->inst, 2, next);
    take_tile(x.c, op->inst, 3, next);
    ptx_fragment_of(&d, op->inst, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned v = 0; v < d.values; v++) {
            unsigned row, column;
            ptx_fragment_place(&d, lane, v, &row, &column);
            value[v / d.elements][lane] |=
                encode(op->inst, tile_dot(&x, &shape, row, column))
                << 16 * (v % d.elements);
        }
    for (unsigned j = 0; j < d.used; j++)
        ptx_write(b, w, op->result[j], UINT32_MAX, value[j]);
}

bool ptx_execute_matrix(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    if (mask != UINT32_MAX)
        return ptx_fault(b, w, op, "found lanes missing, expected all 32");
    switch ((enum ptx_action)op->action) {
    case ACTION_LOAD_MATRIX:
        return load(b, w, op);
    case ACTION_STORE_MATRIX:
        return store(b, w, op);
    case ACTION_MOVE_MATRIX:
        turn(b, w, op);
        return true;
    case ACTION_LOAD_FRAGMENT:
    case ACTION_STORE_FRAGMENT:
        return move_fragment(b, w, op);
    case ACTION_MULTIPLY_FRAGMENTS:
        multiply_fragments(b, w, op);
        return true;
    default:
        multiply(b, w, op);
        return true;
    }
}
