/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/exec.h"

#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FULL UINT32_MAX

bool ptx_fault(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const char *format, ...)
{
    char found[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found, sizeof(found), format, arguments);
    va_end(arguments);
    b->failed = true;
    return error_set(b->e, STATUS_BAD_INPUT,
                     "%s:%u:%u: %s: %s (block %llu, warp %u)",
                     b->launch->program->module->path, op->inst->line,
                     op->inst->column, op->inst->form->mnemonic, found,
                     (unsigned long long)b->number, w->index);
}

void ptx_write(const struct ptx_block *b, const struct ptx_warp *w,
               int32_t slot, uint32_t mask, const uint64_t *value)
{
    if (slot == PTX_SLOT_NONE)
        return;
    uint64_t *d = ptx_slot(b, w, slot);
    if (mask == FULL) {
        memcpy(d, value, WARP_LANES * sizeof(*d));
        return;
    }
    for (int i = 0; i < WARP_LANES; i++)
        if ((mask >> i & 1) != 0)
            d[i] = value[i];
}

/* ---- lane by lane ------------------------------------------------------- */

/* Subnormal binary32 values become zeros of their sign. */
static void flush(uint64_t *out, const uint64_t *in)
{
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = (in[i] & 0x7F800000) == 0 ? in[i] & 0x80000000 : in[i];
}

/* To 0 .. 1, not a number to 0. */
static void saturate(uint64_t *value)
{
    for (int i = 0; i < WARP_LANES; i++) {
        uint32_t bits = (uint32_t)value[i];
        bool negative = bits >> 31 != 0, nan = (bits & 0x7FFFFFFF) > 0x7F800000;
        value[i] = negative || nan ? 0 : bits > 0x3F800000 ? 0x3F800000 : bits;
    }
}

/* The lanes' function with what the modifiers ask for around it. */
static void compute_specially(const struct ptx_op *op, uint64_t *d,
                              const uint64_t **s)
{
    uint64_t flushed[3][WARP_LANES];
    for (int i = 0; op->flush_sources && i < op->sources && i < 3; i++) {
        flush(flushed[i], s[i]);
        s[i] = flushed[i];
    }
    if (op->round != FE_TONEAREST)
        fesetround(op->round);
    op->lanes(op, d, s);
    if (op->round != FE_TONEAREST)
        fesetround(FE_TONEAREST);
    if (op->flush_result)
        flush(d, d);
    if (op->saturate)
        saturate(d);
}

static void take_sources(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, const uint64_t **s)
{
    for (int i = 0; i < op->sources; i++)
        s[i] = ptx_slot(b, w, op->source[i]);
}

static void not_predicate(uint64_t *out, const uint64_t *in)
{
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = in[i] ^ 1;
}

static void execute_lanes(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], negated[WARP_LANES];
    take_sources(b, w, op, s);
    if (op->source_negated) {
        not_predicate(negated, s[op->sources - 1]);
        s[op->sources - 1] = negated;
    }
    if (op->plain && mask == FULL && op->result[0] >= 0) {
        op->lanes(op, ptx_slot(b, w, op->result[0]), s);
        return;
    }
    if (op->plain)
        op->lanes(op, value, s);
    else
        compute_specially(op, value, s);
    ptx_write(b, w, op->result[0], mask, value);
}

/* ---- comparisons -------------------------------------------------------- */

static uint64_t combine(uint8_t operation, uint64_t x, uint64_t y)
{
    switch (operation) {
    case WORD_AND:
        return x & y;
    case WORD_OR:
        return x | y;
    case WORD_XOR:
        return x ^ y;
    default:
        return x;
    }
}

static bool compares_pairs(const struct ptx_inst *inst)
{
    uint8_t type = inst->type[inst->types - 1];
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

/* What a comparison that holds is as a value of the type; of a pair, half. */
static uint64_t true_value(const struct ptx_inst *inst)
{
    if (inst->types == 1)
        return 1;
    switch (inst->type[0]) {
    case PTX_F32:
        return 0x3F800000;
    case PTX_F16:
    case PTX_F16X2:
        return 0x3C00;
    case PTX_BF16:
    case PTX_BF16X2:
        return 0x3F80;
    case PTX_U16:
    case PTX_S16:
        return UINT16_MAX;
    default:
        return compares_pairs(inst) ? UINT16_MAX : UINT32_MAX;
    }
}

/* p|q: q is the same for the negated relation; of pairs, for the upper. */
static void execute_compare(const struct ptx_block *b, const struct ptx_warp *w,
                            const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t relation[WARP_LANES], other[WARP_LANES];
    uint64_t yes = true_value(op->inst);
    uint8_t operation = op->inst->word[GROUP_OPERATION];
    bool pairs = compares_pairs(op->inst);
    take_sources(b, w, op, s);
    const uint64_t *third = op->sources > 2 ? s[2] : NULL;
    compute_specially(op, relation, s);
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t holds = (op->truth & relation[i]) != 0;
        uint64_t above =
            pairs ? (op->truth & relation[i] >> 4) != 0 : holds ^ 1;
        uint64_t with =
            third != NULL ? third[i] ^ (op->source_negated ? 1 : 0) : 0;
        other[i] = combine(operation, above, with) != 0 ? yes : 0;
        relation[i] = combine(operation, holds, with) != 0 ? yes : 0;
        if (pairs && op->inst->types == 2)
            relation[i] |= other[i] << 16;
    }
    ptx_write(b, w, op->result[0], mask, relation);
    if (op->results > 1)
        ptx_write(b, w, op->result[1], mask, other);
}

/* ---- extended precision (PTX ISA 9.0, section 9.7.2) -------------------- */

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

/* The half of a product that mad.lo or mad.hi means. */
static uint64_t product_part(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    bool high = op->inst->word[GROUP_PART] == WORD_HI;
    bool is_signed = ptx_types[op->inst->type[0]].is_signed;
    if (op->bytes == 4) {
        uint64_t all = is_signed ? (uint64_t)((int64_t)(int32_t)x * (int32_t)y)
                                 : (uint64_t)(uint32_t)x * (uint32_t)y;
        return high ? all >> 32 : (uint32_t)all;
    }
    if (!high)
        return x * y;
    if (is_signed)
        return (uint64_t)((wide_signed)(int64_t)x * (int64_t)y >> 64);
    return (uint64_t)((wide_unsigned)x * y >> 64);
}

/* x + y or x - y with the carry of before; the new one in *carry. */
static uint64_t add_carry(unsigned bits, bool minus, uint64_t x, uint64_t y,
                          uint64_t *carry)
{
    wide_unsigned sum =
        minus ? (wide_unsigned)x - y - *carry : (wide_unsigned)x + y + *carry;
    *carry = (uint64_t)(sum >> bits) & 1;
    return bits == 32 ? (uint32_t)sum : (uint64_t)sum;
}

static void execute_carry(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    const char *name = op->inst->form->mnemonic;
    bool multiplies = name[0] == 'm', minus = name[0] == 's';
    bool takes = strlen(name) == 4; /* addc, subc, madc */
    uint64_t *flag =
        ptx_slot(b, w, b->launch->program->code[f->function].carry);
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], carries[WARP_LANES];
    take_sources(b, w, op, s);
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t x = multiplies ? product_part(op, s[0][i], s[1][i]) : s[0][i];
        carries[i] = takes ? flag[i] : 0;
        value[i] = add_carry(8u * op->bytes, minus, x,
                             multiplies ? s[2][i] : s[1][i], &carries[i]);
    }
    ptx_write(b, w, op->result[0], mask, value);
    if (op->inst->word[GROUP_CARRY] == WORD_CC)
        for (int i = 0; i < WARP_LANES; i++)
            if ((mask >> i & 1) != 0)
                flag[i] = carries[i];
}

/* ---- moves -------------------------------------------------------------- */

static void join_parts(const struct ptx_op *op, const uint64_t *const *s,
                       uint64_t *value)
{
    unsigned bits = 8u * op->bytes / op->sources;
    for (int i = 0; i < WARP_LANES; i++) {
        value[i] = 0;
        for (int k = 0; k < op->sources; k++)
            value[i] |= s[k][i] << (unsigned)k * bits;
    }
}

static void execute_move(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], part[WARP_LANES];
    const struct ptx_operand *source =
        &b->launch->program->module->operand[op->inst->first + 1];
    take_sources(b, w, op, s);
    if (source->kind == OPERAND_VECTOR) {
        join_parts(op, s, value);
    } else {
        for (int i = 0; i < WARP_LANES; i++) /* a local variable: base + */
            value[i] = op->sources == 2 ? s[0][i] + s[1][i] : s[0][i];
    }
    if (op->results == 1) {
        ptx_write(b, w, op->result[0], mask, value);
        return;
    }
    unsigned bits = 8u * op->bytes / op->results;
    for (int k = 0; k < op->results; k++) {
        for (int i = 0; i < WARP_LANES; i++)
            part[i] =
                value[i] >> (unsigned)k * bits & ((UINT64_C(1) << bits) - 1);
        ptx_write(b, w, op->result[k], mask, part);
    }
}

/* ---- a step ------------------------------------------------------------- */

static uint32_t guarded(const struct ptx_block *b, const struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    if (op->guard == PTX_SLOT_NONE)
        return mask;
    const uint64_t *p = ptx_slot(b, w, op->guard);
    uint32_t holds = 0;
    for (int i = 0; i < WARP_LANES; i++)
        holds |= (uint32_t)(p[i] & 1) << i;
    return mask & (op->guard_negated ? ~holds : holds);
}

/* Clocks count the warp's own instructions: they go up, nothing more. */
static void refresh_clocks(const struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    const struct ptx_code *c = &b->launch->program->code[f->function];
    for (size_t k = 0; k < c->specials; k++) {
        enum ptx_special s = c->special[k].special;
        if (s < SPECIAL_CLOCK)
            continue;
        bool high = s == SPECIAL_CLOCK_HI || s == SPECIAL_GLOBALTIMER_HI;
        bool whole = s == SPECIAL_CLOCK64 || s == SPECIAL_GLOBALTIMER;
        uint64_t *d = ptx_slot(b, w, c->special[k].slot);
        for (int i = 0; i < WARP_LANES; i++)
            d[i] = high    ? w->steps >> 32
                   : whole ? w->steps
                           : (uint32_t)w->steps;
    }
}

static bool execute(struct ptx_block *b, struct ptx_warp *w,
                    const struct ptx_op *op, uint32_t mask)
{
    switch ((enum ptx_action)op->action) {
    case ACTION_LANES:
        execute_lanes(b, w, op, mask);
        break;
    case ACTION_COMPARE:
        execute_compare(b, w, op, mask);
        break;
    case ACTION_CARRY:
        execute_carry(b, w, op, mask);
        break;
    case ACTION_MOVE:
        refresh_clocks(b, w);
        execute_move(b, w, op, mask);
        break;
    case ACTION_NOTHING:
        break;
    case ACTION_LOAD:
    case ACTION_STORE:
    case ACTION_COPY:
    case ACTION_CONVERT_ADDRESS:
    case ACTION_SPACE_TEST:
        if (!ptx_execute_memory(b, w, op, mask))
            return false;
        break;
    case ACTION_ATOMIC:
    case ACTION_REDUCE:
        if (!ptx_execute_atomic(b, w, op, mask))
            return false;
        break;
    case ACTION_MATRIX:
    case ACTION_LOAD_MATRIX:
    case ACTION_STORE_MATRIX:
    case ACTION_MOVE_MATRIX:
    case ACTION_LOAD_FRAGMENT:
    case ACTION_STORE_FRAGMENT:
    case ACTION_MULTIPLY_FRAGMENTS:
        if (!ptx_execute_matrix(b, w, op, mask))
            return false;
        break;
    case ACTION_TEXTURE:
    case ACTION_GATHER:
    case ACTION_SURFACE_LOAD:
    case ACTION_SURFACE_STORE:
    case ACTION_QUERY:
        if (!ptx_execute_texture(b, w, op, mask))
            return false;
        break;
    case ACTION_SHUFFLE:
    case ACTION_VOTE:
    case ACTION_MATCH:
    case ACTION_ACTIVE_MASK:
    case ACTION_REDUX:
    case ACTION_ELECT:
        if (!ptx_execute_warp(b, w, op, mask))
            return false;
        break;
    default:
        return ptx_execute_flow(b, w, op, mask);
    }
    ptx_top(w)->pc++;
    return true;
}

bool ptx_step(struct ptx_block *b, struct ptx_warp *w)
{
    struct ptx_path *p = ptx_top(w);
    const struct ptx_op *op = &b->launch->program->op[p->pc];
    uint32_t mask = guarded(b, w, op, p->mask);
    if (w->steps == b->launch->steps_max && op->inst != NULL)
        return ptx_fault(b, w, op,
                         "found no end of the warp after %llu instructions, "
                         "as of one that waits for another block",
                         (unsigned long long)w->steps);
    b->event.op = op;
    b->event.mask = mask;
    b->event.taken = 0;
    w->steps++;
    b->warp_steps++;
    b->lane_steps += (unsigned)__builtin_popcount(mask);
    if (mask == 0)
        p->pc++;
    else if (!execute(b, w, op, mask))
        return false;
    return w->state == WARP_ENDED || ptx_settle(b, w);
}
