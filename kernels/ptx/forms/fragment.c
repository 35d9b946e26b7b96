/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/fragment.h"

#include "kernels/ptx/forms/matrix.h"

#define LANES     WARP_LANES
#define F16_NAMED 8 /* registers of A and B of binary16, whatever the shape */

/* ---- shapes and types (section 9.7.14.4.1) ------------------------------ */

static bool is_byte(uint8_t type)
{
    return type == PTX_S8 || type == PTX_U8;
}

/* 16 x 16, 32 x 8 or 8 x 32 with a depth of 16. */
static bool is_wide(struct ptx_shape s)
{
    return s.k == 16 && s.m * s.n == 256;
}

static bool is_factor(uint8_t type, struct ptx_shape s)
{
    switch (type) {
    case PTX_F16:
    case PTX_BF16:
    case PTX_S8:
    case PTX_U8:
        return is_wide(s);
    case PTX_TF32:
        return s.m == 16 && s.n == 16 && s.k == 8;
    default:
        return type == PTX_F64 && s.m == 8 && s.k == 4;
    }
}

static bool is_sum(uint8_t type, struct ptx_shape s)
{
    switch (type) {
    case PTX_F16:
    case PTX_S32:
        return is_wide(s);
    case PTX_F32:
        return is_wide(s) || is_factor(PTX_TF32, s);
    default:
        return type == PTX_F64 && is_factor(PTX_F64, s);
    }
}

/* What d and c are when a and b are of a type. */
static bool are_types(uint8_t factor, uint8_t d, uint8_t c)
{
    switch (factor) {
    case PTX_F16:
        return (d == PTX_F16 || d == PTX_F32) && (c == PTX_F16 || c == PTX_F32);
    case PTX_BF16:
    case PTX_TF32:
        return d == PTX_F32 && c == PTX_F32;
    case PTX_F64:
        return d == PTX_F64 && c == PTX_F64;
    default:
        return d == PTX_S32 && c == PTX_S32;
    }
}

/* By operand. */
static const uint8_t letter_of[] = {MOD_C, MOD_A, MOD_B, MOD_C};

/* Two types are those of d and c, a and b are then binary16. */
static bool take_product(struct ptx_fragment *f, const struct ptx_inst *inst,
                         struct ptx_shape s, unsigned i)
{
    bool two = inst->types == 2;
    uint8_t a = two ? PTX_F16 : inst->type[1], b = two ? a : inst->type[2];
    uint8_t c = inst->type[two ? 1 : 3];
    f->letter = letter_of[i];
    f->by_rows = true;
    f->type = i == 0 ? inst->type[0] : i == 1 ? a : i == 2 ? b : c;
    return is_factor(a, s) && (a == b || (is_byte(a) && is_byte(b))) &&
           are_types(a, inst->type[0], c);
}

static bool take_access(struct ptx_fragment *f, const struct ptx_inst *inst,
                        struct ptx_shape s)
{
    uint8_t letter = inst->modifier[GROUP_LETTER];
    bool stores = inst->form->action == ACTION_STORE_FRAGMENT;
    bool sum = letter == (stores ? MOD_D : MOD_C);
    f->letter = sum ? MOD_C : letter;
    f->type = inst->type[0];
    f->by_rows = inst->modifier[GROUP_LAYOUT_A] == MOD_ROW;
    if (inst->types != 1 || inst->modifier[GROUP_LAYOUT_A] == MOD_NONE)
        return false;
    if (sum)
        return is_sum(f->type, s);
    return !stores && (letter == MOD_A || letter == MOD_B) &&
           is_factor(f->type, s);
}

/* ---- accesses ----------------------------------------------------------- */

/* What lies side by side in memory goes together. Else tiles of 16-bit values
 * are loaded by their other side and turned, bytes are packed, and values of 32
 * bits go one by one. */
static void find_accesses(struct ptx_fragment *f)
{
    uint8_t size = ptx_types[f->type].bytes;
    bool natural = f->by_rows == (f->letter != MOD_B);
    uint8_t run = f->letter == MOD_C ? 2 : f->elements;
    f->is_transposed = !natural && size == 2;
    if (!natural && size != 2)
        run = 1;
    f->accesses = f->values / run;
    f->bytes = (uint8_t)(run * size);
    f->moves = f->is_transposed    ? f->used
               : run < f->elements ? (uint8_t)(f->values - f->used)
                                   : 0;
}

static void take_sides(struct ptx_fragment *f, struct ptx_shape s)
{
    f->rows = (uint8_t)(f->letter == MOD_B ? s.k : s.m);
    f->columns = (uint8_t)(f->letter == MOD_A ? s.k : s.n);
    f->elements = (uint8_t)ptx_elements((enum ptx_type)f->type);
    f->values = (uint8_t)(f->rows * f->columns / LANES);
    f->used = f->values / f->elements;
}

bool ptx_fragment_of(struct ptx_fragment *out, const struct ptx_inst *inst,
                     unsigned i)
{
    struct ptx_shape s = ptx_shape_of(inst);
    *out = (struct ptx_fragment){0};
    if (!(inst->form->action == ACTION_MULTIPLY_FRAGMENTS
              ? take_product(out, inst, s, i)
              : take_access(out, inst, s)))
        return false;
    take_sides(out, s);
    out->registers =
        out->type == PTX_F16 && out->letter != MOD_C ? F16_NAMED : out->used;
    find_accesses(out);
    return true;
}

struct ptx_fragment ptx_fragment_of_mma(const struct ptx_inst *inst, unsigned i)
{
    struct ptx_fragment f = {
        .letter = letter_of[i], .type = inst->type[i], .by_rows = true};
    take_sides(&f, ptx_shape_of(inst));
    return f;
}

/* ---- places ------------------------------------------------------------- */

void ptx_fragment_place(const struct ptx_fragment *f, unsigned lane, unsigned v,
                        unsigned *row, unsigned *column)
{
    unsigned g = lane / 4, t = lane % 4;
    unsigned e = f->letter == MOD_C ? 2 : f->elements;
    unsigned tile = v / e, tall = f->rows / (f->letter == MOD_B ? 4 * e : 8);
    unsigned along = e * t + v % e;
    *row = tile % tall;
    *column = tile / tall;
    if (f->letter == MOD_B) {
        *row = 4 * e * *row + along;
        *column = 8 * *column + g;
    } else {
        *row = 8 * *row + g;
        *column = 4 * e * *column + along;
    }
}

uint64_t ptx_fragment_offset(const struct ptx_fragment *f, unsigned row,
                             unsigned column, uint64_t stride)
{
    unsigned outer = f->by_rows ? row : column;
    unsigned inner = f->by_rows ? column : row;
    if (stride == 0)
        stride = f->by_rows ? f->columns : f->rows;
    return (outer * stride + inner) * ptx_types[f->type].bytes;
}

unsigned ptx_fragment_index(const struct ptx_fragment *f, unsigned lane,
                            unsigned v)
{
    unsigned row, column;
    ptx_fragment_place(f, lane, v, &row, &column);
    return f->by_rows ? row * f->columns + column : column * f->rows + row;
}

struct ptx_fragment_steps ptx_fragment_steps_of(const struct ptx_fragment *f)
{
    return (struct ptx_fragment_steps){
        ptx_fragment_index(f, 4, 0), ptx_fragment_index(f, 1, 0),
        f->elements > 1 ? ptx_fragment_index(f, 0, 1) : 0};
}

void ptx_fragment_addresses(const struct ptx_fragment *f, unsigned n,
                            const uint64_t *base, uint64_t stride,
                            uint64_t *out)
{
    unsigned run = f->bytes / ptx_types[f->type].bytes;
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned row, column;
        ptx_fragment_place(f, lane, n * run, &row, &column);
        if (f->is_transposed) { /* inside the tile of 8 x 8 */
            unsigned r = row % 8, c = column % 8;
            row += c - r;
            column += r - c;
        }
        out[lane] = base[lane] + ptx_fragment_offset(f, row, column, stride);
    }
}
