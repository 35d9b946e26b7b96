/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/vectorize.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH_MAX 16 /* bytes of an access */
#define ALL_ZERO  64 /* zero bits at the end of a zero */

/* What is known of a slot: it ends in so many zero bits, always. */
struct ends {
    const struct ptx_low_code *c;
    uint8_t *zeros; /* of a slot */
};

/* ---- known zeros -------------------------------------------------------- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned zeros_of(const struct ends *s, int32_t slot)
{
    if (slot == PTX_SLOT_NONE)
        return ALL_ZERO;
    if (slot >= 0)
        return s->zeros[slot];
    uint64_t value = ptx_constant_value(s->c->program, slot);
    return value != 0 ? (unsigned)__builtin_ctzll(value) : ALL_ZERO;
}

static bool is_named(const struct ptx_op *op, const char *mnemonic)
{
    return strcmp(op->inst->form->mnemonic, mnemonic) == 0;
}

static unsigned zeros_of_shift(const struct ends *s, const struct ptx_op *op)
{
    if (op->source[1] >= 0)
        return zeros_of(s, op->source[0]);
    uint64_t by = ptx_constant_value(s->c->program, op->source[1]);
    return zeros_of(s, op->source[0]) + (by < ALL_ZERO ? (unsigned)by : 0);
}

/* Of sums, products and shifts of whole numbers, and copies. */
static unsigned zeros_of_result(const struct ends *s, const struct ptx_op *op)
{
    unsigned a = op->sources > 0 ? zeros_of(s, op->source[0]) : 0;
    unsigned b = op->sources > 1 ? zeros_of(s, op->source[1]) : a;
    if (op->action == ACTION_CONVERT_ADDRESS)
        return op->sources > 1 ? least(a, b) : a;
    if (op->action == ACTION_MOVE)
        return op->sources == 1 ? a : 0;
    if (op->action != ACTION_LANES || ptx_types[op->inst->type[0]].is_float ||
        op->inst->modifier[GROUP_PART] == MOD_HI)
        return 0;
    if (is_named(op, "add") || is_named(op, "sub") || is_named(op, "or"))
        return least(a, b);
    if (is_named(op, "and"))
        return a > b ? a : b;
    if (is_named(op, "mul"))
        return a + b;
    if (is_named(op, "mad"))
        return least(a + b, zeros_of(s, op->source[2]));
    if (is_named(op, "shl"))
        return zeros_of_shift(s, op);
    bool widens = is_named(op, "cvt") && op->inst->types > 1 &&
                  !ptx_types[op->inst->type[1]].is_float && !op->saturate;
    return widens ? a : 0;
}

/* The results of an op; whether one of them turns out to end in fewer. */
static bool lower_zeros(struct ends *s, const struct ptx_op *op)
{
    int32_t slot[PTX_READS_MAX];
    bool changed = false;
    bool known = op->inst != NULL && op->results == 1;
    for (size_t n = ptx_slots_written(op, slot); n > 0; n--) {
        uint8_t *zeros = &s->zeros[slot[n - 1]];
        unsigned of_result = known ? zeros_of_result(s, op) : 0;
        changed |= of_result < *zeros;
        *zeros = (uint8_t)least(of_result, *zeros);
    }
    return changed;
}

/* What a register ends in by all its definitions, those of loops among them:
 * from the most downwards, until nothing changes. Nothing is known of what
 * comes from outside. */
static void find_zeros(struct ends *s)
{
    const struct ptx_code *code = ptx_low_of(s->c);
    const struct ptx_function *f =
        &s->c->program->module->function[s->c->function];
    int32_t slot[PTX_READS_MAX];
    for (uint32_t i = 0; i < code->count; i++)
        for (size_t n = ptx_slots_written(ptx_low_op(s->c, i), slot); n > 0;
             n--)
            s->zeros[slot[n - 1]] = ALL_ZERO;
    for (size_t i = 0; i < f->params; i++)
        if (f->param[i].kind == OPERAND_REGISTER &&
            code->slot_of[f->param[i].index] >= 0)
            s->zeros[code->slot_of[f->param[i].index]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < code->count; i++)
            changed |= lower_zeros(s, ptx_low_op(s->c, i));
    }
}

/* ---- neighbours --------------------------------------------------------- */

static bool is_joinable(const struct ptx_low_code *c, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    return !c->dropped[at] && c->joined[at] == PTX_NONE &&
           op->action == ACTION_LOAD && op->space == PTX_SHARED &&
           op->guard == PTX_SLOT_NONE && op->results == 1 &&
           op->result[0] >= 0 && (op->bytes == 4 || op->bytes == 8) &&
           op->inst->modifier[GROUP_ORDER] == MOD_NONE;
}

static bool touches(const struct ptx_op *op, int32_t slot, bool writes_only)
{
    int32_t slots[PTX_READS_MAX];
    size_t n = ptx_slots_written(op, slots);
    while (n > 0 && slots[n - 1] != slot)
        n--;
    if (n > 0 || writes_only)
        return n > 0;
    for (n = ptx_slots_read(op, slots); n > 0 && slots[n - 1] != slot; n--)
        ;
    return n > 0;
}

/* Whether a load of shared memory cannot be moved before the op. */
static bool holds_back(const struct ptx_op *op)
{
    if (ptx_action_is_carry(op->action))
        return false;
    switch (op->action) {
    case ACTION_LANES:
    case ACTION_COMPARE:
    case ACTION_MOVE:
    case ACTION_CONVERT_ADDRESS:
        return false;
    case ACTION_LOAD:
        return op->inst->modifier[GROUP_ORDER] != MOD_NONE;
    case ACTION_STORE:
        return op->space != PTX_GLOBAL && op->space != PTX_PARAM;
    default:
        return true;
    }
}

/* The load behind op `at`, in its basic block, of `bytes` further on than op
 * `first`, that could as well stand at `first`; PTX_NONE: there is none. */
static uint32_t neighbour(const struct ptx_low_code *c, uint32_t first,
                          int64_t bytes)
{
    const struct ptx_op *leader = ptx_low_op(c, first);
    for (uint32_t i = first + 1; i < ptx_low_of(c)->count && !c->leader[i];
         i++) {
        const struct ptx_op *op = ptx_low_op(c, i);
        if (op->inst == NULL || holds_back(op))
            return PTX_NONE;
        if (is_joinable(c, i) && op->base == leader->base &&
            op->bytes == leader->bytes &&
            op->offset == leader->offset + bytes) {
            for (uint32_t k = first; k < i; k++)
                if (touches(ptx_low_op(c, k), op->result[0], false))
                    return PTX_NONE;
            return i;
        }
        if (leader->base >= 0 && touches(op, leader->base, true))
            return PTX_NONE;
    }
    return PTX_NONE;
}

/* Try to make op `at` and those beside it one access of `width` bytes. */
static bool join(const struct ends *s, struct ptx_low_code *c, uint32_t at,
                 unsigned width)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    uint32_t member[WIDTH_MAX / 4];
    unsigned parts = width / op->bytes;
    uint64_t zeros = zeros_of(s, op->base);
    if (parts < 2 ||
        (zeros < ALL_ZERO && (1u << least(8, (unsigned)zeros)) < width) ||
        (uint64_t)op->offset % width != 0)
        return false;
    for (unsigned i = 1; i < parts; i++) {
        member[i] = neighbour(c, at, (int64_t)i * op->bytes);
        if (member[i] == PTX_NONE)
            return false;
    }
    for (unsigned i = 1, before = at; i < parts; before = member[i++]) {
        c->joined[before] = member[i];
        c->dropped[member[i]] = true;
    }
    return true;
}

bool ptx_vectorize_loads(struct ptx_low_code *c)
{
    const struct ptx_code *code = ptx_low_of(c);
    struct ends s = {.c = c, .zeros = calloc((size_t)code->slots + 1, 1)};
    c->joined = malloc(code->count * sizeof(*c->joined));
    bool ok = s.zeros != NULL && c->joined != NULL;
    for (uint32_t i = 0; ok && i < code->count; i++)
        c->joined[i] = PTX_NONE;
    if (ok)
        find_zeros(&s);
    for (uint32_t i = 0; ok && i < code->count; i++)
        for (unsigned width = WIDTH_MAX;
             width >= 8 && is_joinable(c, i) && !join(&s, c, i, width);
             width /= 2)
            ;
    free(s.zeros);
    return ok;
}
