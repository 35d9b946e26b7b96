/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/matrix_tile.h"

#include "base/wide.h"
#include "kernels/ptx/execute/matrix_value.h"

#include <string.h>

/* Between a register's values in a tile, from its first one on, and their order
 * by lanes. */
static inline void exchange(double *tile, double *value, bool takes,
                            const struct ptx_fragment_steps *p, size_t elements)
{
    for (size_t g = 0; g < 8; g++)
        for (size_t t = 0; t < 4; t++)
            for (size_t e = 0; e < elements; e++) {
                double *at =
                    tile + g * p->group + t * p->thread + e * p->element;
                double *of_lane = value + (4 * g + t) * elements + e;
                if (takes)
                    *at = *of_lane;
                else
                    *of_lane = *at;
            }
}

/* With the numbers of elements that there are known to the compiler. */
#define EXCHANGE(NAME, TAKES)                                                  \
    static void NAME(double *tile, double *value,                              \
                     const struct ptx_fragment_steps *p, size_t elements)      \
    {                                                                          \
        if (elements == 1)                                                     \
            exchange(tile, value, TAKES, p, 1);                                \
        else if (elements == 2)                                                \
            exchange(tile, value, TAKES, p, 2);                                \
        else                                                                   \
            exchange(tile, value, TAKES, p, 4);                                \
    }
EXCHANGE(to_tile, true)
EXCHANGE(from_tile, false)

void matrix_tile_take(double *out, const struct ptx_fragment *f,
                      const uint64_t *const *s)
{
    const struct ptx_fragment_steps p = ptx_fragment_steps_of(f);
    double value[MATRIX_VALUES_MAX];
    for (unsigned j = 0; j < f->used; j++) {
        ptx_matrix_elements(value, s[j], (enum ptx_type)f->type);
        to_tile(out + ptx_fragment_index(f, 0, j * f->elements), value, &p,
                f->elements);
    }
}

void matrix_tile_put(uint64_t (*out)[WARP_LANES], const struct ptx_fragment *f,
                     double *tile, const struct ptx_inst *inst)
{
    const struct ptx_fragment_steps p = ptx_fragment_steps_of(f);
    double value[MATRIX_VALUES_MAX];
    for (unsigned j = 0; j < f->used; j++) {
        from_tile(tile + ptx_fragment_index(f, 0, j * f->elements), value, &p,
                  f->elements);
        ptx_matrix_results(out[j], value, inst);
    }
}

/* ---- products ------------------------------------------------------------ */

#define STRIP ((size_t)4) /* columns of a vector */
#define ROWS  4           /* whose sums stay in registers, of two strips */

/* Anywhere in an array of doubles. */
typedef double strip
    __attribute__((vector_size(STRIP * sizeof(double)), aligned(8), may_alias));

#define STRIP_AT(at) (*(const strip *)(at))

/* The sums of ROWS rows from `c` on: their part of a begins at `a`, their
 * columns of b at `b`. */
static inline __attribute__((always_inline)) void
multiply(double *c, const double *a, const double *b, size_t columns,
         size_t depth)
{
    strip low[ROWS], high[ROWS];
    TURNS_WRITTEN_OUT
    for (size_t r = 0; r < ROWS; r++) {
        low[r] = STRIP_AT(c + r * columns);
        high[r] = STRIP_AT(c + r * columns + STRIP);
    }
    for (size_t k = 0; k < depth; k++) {
        strip b_low = STRIP_AT(b + k * columns);
        strip b_high = STRIP_AT(b + k * columns + STRIP);
        TURNS_WRITTEN_OUT
        for (size_t r = 0; r < ROWS; r++) {
            low[r] += a[r * depth + k] * b_low;
            high[r] += a[r * depth + k] * b_high;
        }
    }
    TURNS_WRITTEN_OUT
    for (size_t r = 0; r < ROWS; r++) {
        *(strip *)(c + r * columns) = low[r];
        *(strip *)(c + r * columns + STRIP) = high[r];
    }
}

FOR_PROCESSORS("avx2")
void matrix_tile_multiply(struct matrix_tiles *x, const struct ptx_shape *s)
{
    const size_t columns = s->n, depth = s->k;
    for (size_t m = 0; m < s->m; m += ROWS)
        for (size_t n = 0; n < columns; n += 2 * STRIP)
            multiply(&x->c[m * columns + n], &x->a[m * depth], &x->b[n],
                     columns, depth);
}
