/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of bits. R2P moves the lower seven bits of a byte of a register to
 * predicates, and ptxas (V13.0.88, sm_75) writes one where a basic block, with
 * the branches in it that became predicates, tests two of them or more; a bit
 * by itself is a LOP3. Seen in 28 kernels made for it, and in CUDA's sample
 * quasirandomGenerator, 26 tests of 31. */
#include "kernels/ptx/lower/lower_code.h"

#include <string.h>

#define BITS_OF_BYTE 7

/* The bit that an op tests, and the register it is in. False: it is no test. */
static bool is_bit_test(const struct ptx_low_code *c, uint32_t at,
                        int32_t *slot, unsigned *bit)
{
    const struct ptx_op *test = ptx_low_op(c, at);
    if (c->dropped[at] || test->action != ACTION_COMPARE ||
        c->fused[at] == PTX_NONE || c->joined[at] != PTX_NONE)
        return false;
    const struct ptx_op *mask = ptx_low_op(c, c->fused[at]);
    if (strcmp(mask->inst->form->mnemonic, "and") != 0 ||
        mask->source[1] >= 0 || mask->source[1] == PTX_SLOT_NONE)
        return false;
    uint64_t bits = ptx_constant_value(c->program, mask->source[1]);
    *slot = mask->source[0];
    *bit = bits != 0 ? (unsigned)__builtin_ctzll(bits) : 0;
    return *slot >= 0 && bits != 0 && (bits & (bits - 1)) == 0 &&
           *bit % 8 < BITS_OF_BYTE;
}

static bool is_among(int32_t slot, const int32_t *slots, size_t n)
{
    while (n > 0 && slots[n - 1] != slot)
        n--;
    return n > 0;
}

/* Whether an op leaves a register as it is and has no use for a predicate. */
static bool leaves(const struct ptx_op *op, int32_t slot, int32_t predicate)
{
    int32_t slots[PTX_READS_MAX];
    size_t n = ptx_slots_written(op, slots);
    if (is_among(slot, slots, n) || is_among(predicate, slots, n))
        return false;
    return !is_among(predicate, slots, ptx_slots_read(op, slots));
}

/* Whether the test at `to` could as well stand at `from`. */
static bool can_move(const struct ptx_low_code *c, uint32_t from, uint32_t to,
                     int32_t slot)
{
    for (uint32_t i = from; i < to; i++)
        if (!leaves(ptx_low_op(c, i), slot, ptx_low_op(c, to)->result[0]))
            return false;
    return true;
}

static void join_from(struct ptx_low_code *c, uint32_t at)
{
    int32_t slot, other;
    unsigned bit, next;
    if (!is_bit_test(c, at, &slot, &bit))
        return;
    uint32_t last = at, tests = 1;
    for (uint32_t i = at + 1;
         i < ptx_low_of(c)->count && !c->leader[i] && tests < BITS_OF_BYTE; i++)
        if (is_bit_test(c, i, &other, &next) && other == slot &&
            next / 8 == bit / 8 && can_move(c, at, i, slot)) {
            c->joined[last] = i;
            c->dropped[i] = true;
            last = i;
            tests++;
        }
}

void ptx_join_bit_tests(struct ptx_low_code *c)
{
    for (uint32_t i = 0; i < ptx_low_of(c)->count; i++)
        join_from(c, i);
}
