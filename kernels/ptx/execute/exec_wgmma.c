/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of warp groups (PTX ISA 9.0, section 9.7.15): warp w of four has
 * rows 16 (w mod 4) and the following of a and d. Each computes its rows when
 * it comes to the instruction. Sums begin with d and take the products in the
 * order of k, in 64 bits, rounded once (matrix_value.h).
 *
 * A matrix in shared memory is a descriptor: begin, two strides in units of 16
 * bytes, how addresses are swizzled. Along the side that lies together 8 rows
 * of 16, 32, 64 or 128 bytes, by the swizzle, follow one another; beyond them
 * one stride leads on, and along the other side the other (section 9.7.15.5.1,
 * "Shared Memory Matrix Layout"). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/async.h"
#include "kernels/ptx/execute/matrix_value.h"
#include "kernels/ptx/forms/matrix.h"

#include <string.h>

#define GROUP_WARPS 4
#define ROWS        16  /* of a warp */
#define N_MAX       256 /* columns */
#define K_MAX       32  /* of .e4m3, .s8 */
#define UNIT        16  /* bytes that lie together whatever the swizzle */

struct product {
    double a[ROWS][K_MAX], b[K_MAX][N_MAX];
};

/* ---- descriptors -------------------------------------------------------- */

struct matrix {
    uint64_t begin, leading, stride; /* bytes */
    unsigned units;   /* of 16 bytes in a swizzled row: 1 (none), 2, 4, 8 */
    unsigned pattern; /* rows of 128 bytes that the swizzle begins behind */
    unsigned bytes;   /* of an element */
    bool turned;      /* m or n lies together, not k */
};

static struct matrix unpack(uint64_t bits, enum ptx_type type, bool turned)
{
    static const uint8_t units[] = {1, 8, 4, 2};
    return (struct matrix){.begin = (bits & 0x3FFF) * UNIT,
                           .leading = (bits >> 16 & 0x3FFF) * UNIT,
                           .stride = (bits >> 32 & 0x3FFF) * UNIT,
                           .units = units[bits >> 62],
                           .pattern = (unsigned)(bits >> 49 & 7),
                           .bytes = 4 / ptx_elements(type),
                           .turned = turned};
}

/* Units of 16 bytes and 8 rows: where side, of m or n, and k stand. */
static uint64_t offset_of(const struct matrix *m, uint64_t side, uint64_t k)
{
    uint64_t in_unit = UNIT / m->bytes;
    if (!m->turned)
        return side % 8 * m->units * UNIT + side / 8 * m->stride +
               k / in_unit * (m->units > 1 ? UNIT : m->leading) +
               k % in_unit * m->bytes;
    uint64_t unit = side / in_unit;
    uint64_t along = m->units > 1
                         ? unit % m->units * UNIT + unit / m->units * m->leading
                         : unit * m->stride;
    return along + k % 8 * m->units * UNIT +
           k / 8 * (m->units > 1 ? m->stride : m->leading) +
           side % in_unit * m->bytes;
}

/* Bits 4 to 6 change with bits 7 to 9, as far as the row is long. */
static uint64_t swizzled(const struct matrix *m, uint64_t address)
{
    uint64_t row = (address >> 7) - m->pattern;
    return address ^ (row & (m->units - 1)) << 4;
}

struct reader {
    struct ptx_block *b;
    const struct ptx_warp *w;
    const struct ptx_op *op;
};

static bool read_element(const struct reader *r, const struct matrix *m,
                         enum ptx_type type, unsigned side, unsigned k,
                         double *out)
{
    uint64_t bits = 0;
    const struct ptx_access a = {
        .space = PTX_SHARED,
        .address = swizzled(m, m->begin + offset_of(m, side, k)),
        .bytes = m->bytes};
    const uint8_t *at = ptx_bytes_at(r->b, r->w, r->op, &a);
    if (at == NULL)
        return false;
    memcpy(&bits, at, m->bytes);
    *out = ptx_matrix_element(bits, type, 0);
    return true;
}

/* ---- operands ----------------------------------------------------------- */

static bool is_in_registers(const struct reader *r)
{
    return r->op->factors > 1;
}

static uint64_t value_of(const struct reader *r, unsigned source)
{
    return ptx_slot(r->b, r->w, r->op->source[source])[0];
}

/* -1 or 1, or a flag: number `i` behind the descriptors and the predicate. */
static int64_t immediate(const struct reader *r, unsigned i, int64_t otherwise)
{
    unsigned at = r->op->factors + 2u + i;
    return at < r->op->sources ? (int32_t)value_of(r, at) : otherwise;
}

static bool is_turned(const struct reader *r, unsigned i)
{
    enum ptx_type type = (enum ptx_type)r->op->inst->type[1];
    return (type == PTX_F16 || type == PTX_BF16) && immediate(r, i, 0) != 0;
}

/* As fragments of mma have them, by registers of 32 bits. */
static void take_registers(const struct reader *r, struct product *p)
{
    enum ptx_type type = (enum ptx_type)r->op->inst->type[1];
    unsigned elements = ptx_elements(type);
    for (unsigned j = 0; j < 4; j++) {
        const uint64_t *s = ptx_slot(r->b, r->w, r->op->source[j]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            for (unsigned e = 0; e < elements; e++)
                p->a[lane / 4 + 8 * (j % 2)]
                    [elements * (lane % 4 + 4 * (j / 2)) + e] =
                    ptx_matrix_element(s[lane], type, e);
    }
}

static bool take_a(const struct reader *r, struct product *p, unsigned depth)
{
    enum ptx_type type = (enum ptx_type)r->op->inst->type[1];
    unsigned first = ROWS * (r->w->index % GROUP_WARPS);
    if (is_in_registers(r)) {
        take_registers(r, p);
        return true;
    }
    struct matrix m = unpack(value_of(r, 0), type, is_turned(r, 2));
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned k = 0; k < depth; k++)
            if (!read_element(r, &m, type, first + row, k, &p->a[row][k]))
                return false;
    return true;
}

static bool take_b(const struct reader *r, struct product *p, unsigned columns,
                   unsigned depth)
{
    enum ptx_type type = (enum ptx_type)r->op->inst->type[2];
    bool registers = is_in_registers(r);
    struct matrix m = unpack(value_of(r, r->op->factors), type,
                             is_turned(r, registers ? 2 : 3));
    for (unsigned n = 0; n < columns; n++)
        for (unsigned k = 0; k < depth; k++)
            if (!read_element(r, &m, type, n, k, &p->b[k][n]))
                return false;
    return true;
}

/* ---- sums --------------------------------------------------------------- */

/* Value i of a lane of d: row lane / 4 + 8 (i / 2 mod 2), column 8 (i / 4) + 2
 * (lane mod 4) + i mod 2. */
static double sum_of(const struct product *p, unsigned lane, unsigned i,
                     unsigned depth, double sign, double sum)
{
    unsigned row = lane / 4 + 8 * (i / 2 % 2);
    unsigned column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
    for (unsigned k = 0; k < depth; k++)
        sum += sign * p->a[row][k] * p->b[k][column];
    return sum;
}

/* d = a * b + d, or without d. */
static void multiply(const struct reader *r, const struct product *p,
                     unsigned depth, double sign, bool adds)
{
    const struct ptx_inst *inst = r->op->inst;
    const struct ptx_program *program = r->b->launch->program;
    enum ptx_type type = (enum ptx_type)inst->type[0];
    unsigned elements = ptx_elements(type);
    for (unsigned j = 0; j < r->op->wides; j++) {
        int32_t slot = program->wide[r->op->wide + j];
        if (slot == PTX_SLOT_NONE)
            continue;
        uint64_t *d = ptx_slot(r->b, r->w, slot);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint64_t bits = 0;
            for (unsigned e = 0; e < elements; e++) {
                double before = adds ? ptx_matrix_element(d[lane], type, e) : 0;
                bits |=
                    ptx_matrix_result(inst, sum_of(p, lane, elements * j + e,
                                                   depth, sign, before))
                    << 16 * e;
            }
            d[lane] = bits;
        }
    }
}

/* ---- instructions ------------------------------------------------------- */

/* All lanes of all four warps. */
static bool is_group(struct ptx_block *b, const struct ptx_warp *w,
                     const struct ptx_op *op, uint32_t mask)
{
    if ((w->index | (GROUP_WARPS - 1)) >= b->warps)
        return ptx_fault(b, w, op,
                         "found a block of %u warps, expected groups of four "
                         "warps, 128 threads",
                         b->warps);
    return mask == UINT32_MAX || ptx_lanes_missing(b, w, op);
}

bool ptx_execute_wgmma(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const struct reader r = {b, w, op};
    struct product p;
    struct ptx_shape s = ptx_shape_of(op->inst);
    if (!is_group(b, w, op, mask) || !take_a(&r, &p, s.k) ||
        !take_b(&r, &p, s.n, s.k))
        return false;
    bool adds = (value_of(&r, op->factors + 1u) & 1) != op->source_negated;
    double sign = (double)(immediate(&r, 0, 1) * immediate(&r, 1, 1));
    multiply(&r, &p, s.k, sign, adds);
    ptx_async_note(b, &w->async[ASYNC_PRODUCT]);
    return true;
}

bool ptx_execute_wgmma_group(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    struct ptx_async *a = &w->async[ASYNC_PRODUCT];
    if (!is_group(b, w, op, mask))
        return false;
    if (op->inst->modifier[GROUP_COUNT] == MOD_COMMIT)
        ptx_async_commit(a);
    else if (op->inst->modifier[GROUP_COUNT] == MOD_WAIT)
        ptx_async_wait(b, a, ptx_slot(b, w, op->source[0])[0]);
    return true;
}
