/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What wmma and mma become. Counted in the code that ptxas of CUDA 13.0
 * (V13.0.88) makes for sm_75, sm_80 and sm_90 of kernels that load two
 * matrices, multiply them and store the sum: loads and stores as fragment.h has
 * them, a MOVM for each register that has to be turned, three PRMT for each of
 * bytes that have to be packed, and per product as many HMMA, IMMA or DMMA as
 * stand below. For Volta, which it does not know, four sets of four steps of
 * HMMA.884, of two where the sums are .f16 (Raihan et al., ISPASS 2019, section
 * III-C; Jia et al., arXiv 1804.06826, section 4.4). m8n8k4 of .f16 is one set
 * up to Turing; later it is computed without matrix instructions. */
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/forms/matrix.h"
#include "kernels/ptx/lower/lower_code.h"

#define TURING 75
#define AMPERE 80

static enum ptx_type factor_type(const struct ptx_inst *inst)
{
    return inst->types == 2 ? PTX_F16 : (enum ptx_type)inst->type[1];
}

/* A set of Volta: of four products of 8 x 8 x 4. */
static uint32_t steps_of(const struct ptx_op *op)
{
    return op->inst->type[0] == PTX_F16 ? 2 : 4;
}

static bool has_steps(const struct ptx_op *op, uint32_t target)
{
    if (op->action == ACTION_MATRIX)
        return ptx_matrix_is_quad(op->inst);
    return factor_type(op->inst) == PTX_F16 && target < TURING;
}

static uint32_t products_of(const struct ptx_op *op, uint32_t target)
{
    if (has_steps(op, target))
        return 4 * steps_of(op);
    switch (factor_type(op->inst)) {
    case PTX_F64:
        return 1;
    case PTX_TF32:
        return 4;
    default:
        return target >= AMPERE ? 2 : 4;
    }
}

/* What m8n8k4 of .f16 is without HMMA.884: exchanges between lanes, then single
 * precision, then whole numbers. */
struct emulation {
    uint32_t exchanges, singles, wholes;
};

static struct emulation emulation_of(const struct ptx_inst *inst)
{
    if (inst->type[0] == PTX_F16)
        return (struct emulation){16, 92, 12};
    if (inst->type[3] == PTX_F16)
        return (struct emulation){16, 72, 18};
    return (struct emulation){12, 64, 8};
}

static uint32_t quad_parts(const struct ptx_op *op, uint32_t target)
{
    struct emulation e = emulation_of(op->inst);
    return target < AMPERE ? steps_of(op) : e.exchanges + e.singles + e.wholes;
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
    if (op->action == ACTION_MATRIX && ptx_matrix_is_quad(op->inst))
        return quad_parts(op, target);
    if (!is_access(op) || !ptx_fragment_of(&f, op->inst, 0))
        return 0;
    return (uint32_t)f.accesses + f.moves;
}

/* Of a quarter of the rows, as every warp of a group has them; whatever the
 * type, rows of a and b are 32 bytes, which take as long as 16 of .f16. From
 * shared memory come, for the whole group at 128 bytes a cycle, b, and a where
 * it is not in registers, while each of four tensor cores does 512
 * multiply-adds (NVIDIA H100 white paper): with a from there, products of less
 * than 64 columns wait for it, as was measured (Luo et al., arXiv 2402.13499,
 * on wgmma). */
static uint32_t group_macs(const struct ptx_op *op)
{
    enum { ROW_BYTES = 32, SHARED_BYTES = 128, MACS_A_CYCLE = 512 };
    uint32_t columns = op->inst->columns;
    uint32_t rows = columns + (op->factors == 1 ? 64 : 0);
    uint32_t reading = rows * ROW_BYTES / SHARED_BYTES * MACS_A_CYCLE;
    uint32_t own = 16 * columns * 16;
    return own > reading ? own : reading;
}

/* Bytes are multiplied at twice the rate of .f16, .tf32 at half of it, .f64 at
 * a sixteenth (NVIDIA A100 and H100 white papers). */
uint32_t ptx_matrix_macs(const struct ptx_op *op, uint32_t parts)
{
    if (op->action == ACTION_WGMMA)
        return group_macs(op);
    struct ptx_shape s = ptx_shape_of(op->inst);
    enum ptx_type type = factor_type(op->inst);
    uint32_t n = s.m * s.n * s.k * (ptx_matrix_is_quad(op->inst) ? 4 : 1);
    if (type == PTX_F64)
        n *= 16;
    else if (type == PTX_TF32)
        n *= 2;
    else if (ptx_elements(type) == 4)
        n /= 2;
    return n / (parts > 0 ? parts : 1);
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

/* A step: a share of the sums, all of them once in a set; each set takes a
 * share of the factors. The registers of a, b and c begin at the sources. */
static void fill_step(const struct ptx_low_code *c, const struct ptx_op *op,
                      const uint32_t used[4], uint32_t parts,
                      struct ptx_low *low)
{
    uint32_t steps = steps_of(op), sets = parts / steps;
    uint32_t set = low->part / steps, step = low->part % steps;
    const int32_t *b = op->source + used[1], *sum = b + used[2];
    low->op_class = OP_TENSOR;
    add_share(low->read, &low->reads, c, op->source, used[1], set, sets);
    add_share(low->read, &low->reads, c, b, used[2], set, sets);
    if (set == 0)
        add_share(low->read, &low->reads, c, sum, used[3], step, steps);
    else
        add_share(low->read, &low->reads, c, op->result, op->results, step,
                  steps);
    add(low->read, &low->reads, c, op->guard);
    add_share(low->written, &low->writes, c, op->result, op->results, step,
              steps);
}

/* Lanes exchange what they have of the factors; then the sums are computed. */
static void fill_emulated(const struct ptx_low_code *c, const struct ptx_op *op,
                          struct ptx_low *low)
{
    struct emulation e = emulation_of(op->inst);
    uint32_t part = low->part, results = op->results;
    bool is_exchange = part < e.exchanges;
    bool is_single = !is_exchange && part < e.exchanges + e.singles;
    low->op_class = is_single ? OP_SP : OP_INT;
    for (int i = 0; i < op->sources && part < e.exchanges + results; i++)
        add(low->read, &low->reads, c, op->source[i]);
    if (part > 0)
        add(low->read, &low->reads, c, op->result[(part - 1) % results]);
    add(low->written, &low->writes, c, op->result[part % results]);
}

static void fill_quad(const struct ptx_low_code *c, const struct ptx_op *op,
                      uint32_t parts, struct ptx_low *low)
{
    uint32_t used[4];
    for (unsigned i = 0; i < 4; i++)
        used[i] = ptx_matrix_registers(op->inst, i);
    if (parts == steps_of(op))
        fill_step(c, op, used, parts, low);
    else
        fill_emulated(c, op, low);
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
    const uint32_t used[4] = {0, a.used, b.used, sum.used};
    if (has_steps(op, c->program->module->target)) {
        fill_step(c, op, used, parts, low);
        return;
    }
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
    else if (op->action == ACTION_MATRIX)
        fill_quad(c, op, parts, low);
    else
        fill_product(c, op, parts, low);
}
