/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What wmma becomes. Counted in the code that ptxas of CUDA 13.0 (V13.0.88)
 * makes for sm_75, sm_80 and sm_90 of kernels that load two matrices, multiply
 * them and store the sum: loads and stores as fragment.h has them, a MOVM for
 * each register that has to be turned, three PRMT for each of bytes that have
 * to be packed, and per product as many HMMA, IMMA or DMMA as stand below. */
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/lower/lower_code.h"

#define AMPERE 80

static unsigned products_of(const struct ptx_op *op, uint32_t target)
{
    switch (op->inst->types == 2 ? PTX_F16 : op->inst->type[1]) {
    case PTX_F64:
        return 1;
    case PTX_TF32:
        return 4;
    default:
        return target >= AMPERE ? 2 : 4;
    }
}

static bool is_access(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD_FRAGMENT ||
           op->action == ACTION_STORE_FRAGMENT;
}

uint32_t ptx_matrix_parts(const struct ptx_op *op, uint32_t target)
{
    struct ptx_fragment f;
    if (op->action == ACTION_MULTIPLY_FRAGMENTS)
        return products_of(op, target);
    if (!is_access(op) || !ptx_fragment_of(&f, op->inst, 0))
        return 0;
    return (uint32_t)f.accesses + f.moves;
}

bool ptx_matrix_access(const struct ptx_op *op, uint32_t part,
                       struct ptx_fragment *f, uint32_t *access)
{
    if (!is_access(op) || !ptx_fragment_of(f, op->inst, 0))
        return false;
    bool stores = op->action == ACTION_STORE_FRAGMENT;
    *access = stores ? part - f->moves : part;
    return *access < f->accesses;
}

/* ---- registers ---------------------------------------------------------- */

static void add(int32_t *out, uint8_t *n, const struct ptx_low_code *c,
                int32_t slot)
{
    slot = ptx_low_name(c, slot);
    if (slot >= 0)
        out[(*n)++] = slot;
}

/* Part `part` of `parts` of so many registers from slot[0] on; one at least. */
static void add_share(int32_t *out, uint8_t *n, const struct ptx_low_code *c,
                      const int32_t *slot, uint32_t count, uint32_t part,
                      uint32_t parts)
{
    uint32_t from = part * count / parts, to = (part + 1) * count / parts;
    for (uint32_t i = from; i < to || i == from; i++)
        add(out, n, c, slot[i]);
}

static void fill_access(const struct ptx_low_code *c, const struct ptx_op *op,
                        struct ptx_low *low)
{
    struct ptx_fragment f;
    uint32_t n;
    bool loads = op->action == ACTION_LOAD_FRAGMENT;
    const int32_t *slot = loads ? op->result : op->source;
    if (!ptx_matrix_access(op, low->part, &f, &n)) {
        uint32_t move = loads ? low->part - f.accesses : low->part;
        low->op_class = OP_INT;
        add_share(low->read, &low->reads, c, slot, f.used, move, f.moves);
        add_share(low->written, &low->writes, c, slot, f.used, move, f.moves);
        return;
    }
    low->op_class = loads ? OP_LOAD : OP_STORE;
    /* Of several loads for one register the last stands for all. */
    bool more = (n + 1) * f.used / f.accesses == n * f.used / f.accesses;
    if (!loads)
        add_share(low->read, &low->reads, c, slot, f.used, n, f.accesses);
    else if (!more)
        add_share(low->written, &low->writes, c, slot, f.used, n, f.accesses);
    add(low->read, &low->reads, c, op->base);
    add(low->read, &low->reads, c, op->guard);
    if (op->sources > (loads ? 0 : f.used)) /* the stride */
        add(low->read, &low->reads, c, op->source[loads ? 0 : f.used]);
}

/* One half of the sum after the other, for each step of the depth. */
static void fill_product(const struct ptx_low_code *c, const struct ptx_op *op,
                         uint32_t parts, struct ptx_low *low)
{
    struct ptx_fragment a, b, sum;
    uint32_t halves = parts > 1 ? 2 : 1, half = low->part % halves;
    if (!ptx_fragment_of(&a, op->inst, 1) ||
        !ptx_fragment_of(&b, op->inst, 2) ||
        !ptx_fragment_of(&sum, op->inst, 3))
        return;
    bool tall = a.rows > b.columns; /* whose halves the sum's are */
    const int32_t *second = op->source + a.used, *third = second + b.used;
    low->op_class = OP_TENSOR;
    add_share(low->read, &low->reads, c, op->source, a.used, tall ? half : 0,
              tall ? halves : 1);
    add_share(low->read, &low->reads, c, second, b.used, tall ? 0 : half,
              tall ? 1 : halves);
    if (low->part < halves)
        add_share(low->read, &low->reads, c, third, sum.used, half, halves);
    else
        add_share(low->read, &low->reads, c, op->result, op->results, half,
                  halves);
    add(low->read, &low->reads, c, op->guard);
    add_share(low->written, &low->writes, c, op->result, op->results, half,
              halves);
}

void ptx_matrix_part(const struct ptx_low_code *c, const struct ptx_op *op,
                     uint32_t parts, struct ptx_low *low)
{
    if (is_access(op))
        fill_access(c, op, low);
    else
        fill_product(c, op, parts, low);
}
