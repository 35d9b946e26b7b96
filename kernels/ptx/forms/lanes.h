/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions over the 32 lanes of a warp from an expression in x, y, z (the
 * sources of a lane), and rows of the instruction table. */
#ifndef KERNELS_PTX_FORMS_LANES_H
#define KERNELS_PTX_FORMS_LANES_H

#include "base/wide.h"
#include "kernels/ptx/execute/decode.h"
#include "kernels/ptx/forms/form.h"
#include "kernels/ptx/forms/half.h"

/* The low n bits; all from 64 on. */
static inline uint64_t low_bits(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* The nearest signed value of 32 bits, as a register holds it. */
static inline uint64_t saturate32(int64_t v)
{
    return (uint32_t)(v > INT32_MAX   ? INT32_MAX
                      : v < INT32_MIN ? INT32_MIN
                                      : v);
}

#define EACH_LANE TURNS_APART for (int i = 0; i < WARP_LANES; i++)

#define LANES1(name, expression)                                               \
    FOR_PROCESSORS("avx2")                                                     \
    static void name(const struct ptx_op *op, uint64_t *d,                     \
                     const uint64_t *const *s)                                 \
    {                                                                          \
        (void)op;                                                              \
        EACH_LANE                                                              \
        {                                                                      \
            const uint64_t x = s[0][i];                                        \
            d[i] = (expression);                                               \
        }                                                                      \
    }

#define LANES2(name, expression)                                               \
    FOR_PROCESSORS("avx2")                                                     \
    static void name(const struct ptx_op *op, uint64_t *d,                     \
                     const uint64_t *const *s)                                 \
    {                                                                          \
        const uint64_t *a = s[0], *b = s[1];                                   \
        (void)op;                                                              \
        EACH_LANE                                                              \
        {                                                                      \
            const uint64_t x = a[i], y = b[i];                                 \
            d[i] = (expression);                                               \
        }                                                                      \
    }

#define LANES3(name, expression) LANES3_WITH("avx2", name, expression)

#define LANES3_WITH(feature, name, expression)                                 \
    FOR_PROCESSORS(feature)                                                    \
    static void name(const struct ptx_op *op, uint64_t *d,                     \
                     const uint64_t *const *s)                                 \
    {                                                                          \
        const uint64_t *a = s[0], *b = s[1], *c = s[2];                        \
        (void)op;                                                              \
        EACH_LANE                                                              \
        {                                                                      \
            const uint64_t x = a[i], y = b[i], z = c[i];                       \
            d[i] = (expression);                                               \
        }                                                                      \
    }

/* A row that computes lanes; modifiers it must have stand in `key`. */
#define KEYS(...)                                                              \
    {                                                                          \
        __VA_ARGS__                                                            \
    }
#define ROW(mnemonic, key, operands, types, groups, lanes, cost)               \
    {                                                                          \
        mnemonic, key, operands, types, 0, groups, ACTION_LANES, lanes, cost   \
    }

/* Tables of rows, each closed by one without a mnemonic. */
extern const struct ptx_form ptx_add_forms[];
extern const struct ptx_form ptx_multiply_forms[];
extern const struct ptx_form ptx_bit_forms[];
extern const struct ptx_form ptx_float_forms[];
extern const struct ptx_form ptx_half_forms[];
extern const struct ptx_form ptx_compare_forms[];
extern const struct ptx_form ptx_convert_forms[];
extern const struct ptx_form ptx_memory_forms[];
extern const struct ptx_form ptx_flow_forms[];
extern const struct ptx_form ptx_matrix_forms[];
extern const struct ptx_form ptx_texture_forms[];
extern const struct ptx_form ptx_video_forms[];
extern const struct ptx_form ptx_async_forms[];

#endif
