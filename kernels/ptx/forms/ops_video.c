/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Video instructions on whole registers, two halves or four bytes (PTX ISA 9.0,
 * "Video Instructions"), without selectors of parts. */
#include "kernels/ptx/forms/lanes.h"

/* Values of parts, sign-extended; what comes out may need a bit more. */
typedef int64_t part_function(const struct ptx_op *op, int64_t a, int64_t b);

static int64_t sum(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return a + b;
}

static int64_t difference(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return a - b;
}

static int64_t distance(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return a > b ? a - b : b - a;
}

static int64_t least(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return a < b ? a : b;
}

static int64_t most(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return a > b ? a : b;
}

/* Rounded to the nearer, away from 0 at half. */
static int64_t average(const struct ptx_op *op, int64_t a, int64_t b)
{
    (void)op;
    return (a + b + (a + b >= 0)) >> 1;
}

static int64_t amount(const struct ptx_op *op, int64_t b)
{
    if (op->inst->modifier[GROUP_CLAMP] == MOD_WRAP)
        return b & 31;
    return b > 32 ? 32 : b;
}

static int64_t left(const struct ptx_op *op, int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a << amount(op, b));
}

static int64_t right(const struct ptx_op *op, int64_t a, int64_t b)
{
    return a >> amount(op, b);
}

static int64_t holds(const struct ptx_op *op, int64_t a, int64_t b)
{
    switch (op->inst->modifier[GROUP_COMPARE]) {
    case MOD_EQ:
        return a == b;
    case MOD_NE:
        return a != b;
    case MOD_LT:
        return a < b;
    case MOD_LE:
        return a <= b;
    case MOD_GT:
        return a > b;
    default:
        return a >= b;
    }
}

/* ---- parts -------------------------------------------------------------- */

static int64_t part_of(uint64_t x, unsigned at, unsigned bits, bool is_signed)
{
    uint64_t part = x >> at & low_bits(bits);
    return is_signed ? (int64_t)(part << (64 - bits)) >> (64 - bits)
                     : (int64_t)part;
}

static int64_t clamped(int64_t v, unsigned bits, bool is_signed)
{
    int64_t top = (int64_t)low_bits(bits - is_signed);
    int64_t bottom = is_signed ? -top - 1 : 0;
    return v > top ? top : v < bottom ? bottom : v;
}

/* The result of one part with that of the third operand: of whole registers
 * what .add, .min or .max says. */
static uint64_t with_third(const struct ptx_op *op, int64_t v, uint64_t third,
                           bool is_signed)
{
    int64_t c = part_of(third, 0, 32, is_signed);
    switch (op->inst->modifier[GROUP_OPERATION]) {
    case MOD_ADD:
        return (uint32_t)(v + c);
    case MOD_MIN:
        return (uint32_t)(v < c ? v : c);
    case MOD_MAX:
        return (uint32_t)(v > c ? v : c);
    default:
        return (uint32_t)v;
    }
}

/* Of `parts` parts; vset has no type for what comes out. */
static void in_parts(const struct ptx_op *op, uint64_t *d,
                     const uint64_t *const *s, part_function *f, unsigned parts)
{
    const struct ptx_inst *inst = op->inst;
    unsigned bits = 32 / parts;
    bool has_result = inst->types == 3;
    bool is_signed = has_result && ptx_types[inst->type[0]].is_signed;
    bool a_signed = ptx_types[inst->type[has_result]].is_signed;
    bool b_signed = ptx_types[inst->type[has_result + 1]].is_signed;
    bool adds = inst->modifier[GROUP_OPERATION] == MOD_ADD && parts > 1;
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t c = op->sources > 2 ? s[2][i] : 0, out = adds ? c : 0;
        for (unsigned at = 0; at < 32; at += bits) {
            int64_t v = f(op, part_of(s[0][i], at, bits, a_signed),
                          part_of(s[1][i], at, bits, b_signed));
            if (inst->modifier[GROUP_SAT] != MOD_NONE)
                v = clamped(v, bits, is_signed);
            if (adds)
                out += (uint64_t)v;
            else
                out |= ((uint64_t)v & low_bits(bits)) << at;
            if (parts == 1)
                out = with_third(op, v, c, is_signed);
        }
        d[i] = (uint32_t)out;
    }
}

#define PARTS(name, f, parts)                                                  \
    static void name(const struct ptx_op *op, uint64_t *d,                     \
                     const uint64_t *const *s)                                 \
    {                                                                          \
        in_parts(op, d, s, f, parts);                                          \
    }

PARTS(vadd, sum, 1)
PARTS(vadd2, sum, 2)
PARTS(vadd4, sum, 4)
PARTS(vsub, difference, 1)
PARTS(vsub2, difference, 2)
PARTS(vsub4, difference, 4)
PARTS(vabsdiff, distance, 1)
PARTS(vabsdiff2, distance, 2)
PARTS(vabsdiff4, distance, 4)
PARTS(vmin, least, 1)
PARTS(vmin2, least, 2)
PARTS(vmin4, least, 4)
PARTS(vmax, most, 1)
PARTS(vmax2, most, 2)
PARTS(vmax4, most, 4)
PARTS(vavrg2, average, 2)
PARTS(vavrg4, average, 4)
PARTS(vset, holds, 1)
PARTS(vset2, holds, 2)
PARTS(vset4, holds, 4)
PARTS(vshl, left, 1)
PARTS(vshr, right, 1)

#define WORDS (TYPE(U32) | TYPE(S32))
#define VIDEO(mnemonic, operands, groups)                                      \
    {                                                                          \
#mnemonic, KEYS(0), operands, WORDS, WORDS,                            \
            GROUP(VIDEO) | GROUP(SAT) | GROUP(OPERATION) | (groups),           \
            ACTION_LANES, mnemonic, OP_INT                                     \
    }
#define SET(mnemonic, operands)                                                \
    {                                                                          \
#mnemonic, KEYS(0), operands, WORDS, WORDS,                            \
            GROUP(OPERATION) | GROUP(COMPARE), ACTION_LANES, mnemonic, OP_INT  \
    }

// clang-format off
const struct ptx_form ptx_video_forms[] = {
    VIDEO(vadd, "Uuu?u", 0), VIDEO(vadd2, "Uuuu", 0), VIDEO(vadd4, "Uuuu", 0),
    VIDEO(vsub, "Uuu?u", 0), VIDEO(vsub2, "Uuuu", 0), VIDEO(vsub4, "Uuuu", 0),
    VIDEO(vabsdiff, "Uuu?u", 0), VIDEO(vabsdiff2, "Uuuu", 0),
    VIDEO(vabsdiff4, "Uuuu", 0),
    VIDEO(vmin, "Uuu?u", 0), VIDEO(vmin2, "Uuuu", 0), VIDEO(vmin4, "Uuuu", 0),
    VIDEO(vmax, "Uuu?u", 0), VIDEO(vmax2, "Uuuu", 0), VIDEO(vmax4, "Uuuu", 0),
    VIDEO(vavrg2, "Uuuu", 0), VIDEO(vavrg4, "Uuuu", 0),
    VIDEO(vshl, "Uuu?u", GROUP(CLAMP)), VIDEO(vshr, "Uuu?u", GROUP(CLAMP)),
    SET(vset, "Uuu?u"), SET(vset2, "Uuuu"), SET(vset4, "Uuuu"),
    {.mnemonic = NULL},
};
