/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic of inner loops, inline. For the oldest x86-64, which is what
 * compilers build for unless told otherwise, counting bits and rounding up are
 * calls into libraries. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BIT(n) (UINT64_C(1) << (n))

/* Take the lowest bit out of *mask and return its number; mask not 0. */
static inline int take_bit(uint64_t *mask)
{
    int bit = __builtin_ctzll(*mask);
    *mask &= *mask - 1;
    return bit;
}

/* Masks of more than one word: how many words so many bits take, and bit n. */
static inline size_t mask_words(int bits)
{
    return ((size_t)bits + 63) / 64;
}

static inline void mask_set(uint64_t *mask, int n)
{
    mask[n / 64] |= BIT(n % 64);
}

static inline bool mask_has(const uint64_t *mask, int n)
{
    return (mask[n / 64] >> n % 64 & 1) != 0;
}

static inline void mask_clear(uint64_t *mask, int n)
{
    mask[n / 64] &= ~BIT(n % 64);
}

/* The first bit that is set from bit `from` on and before bit `end`; NO_BIT
 * where there is none. */
#define NO_BIT (-1)
static inline int mask_next(const uint64_t *mask, int from, int end)
{
    uint64_t upper = ~UINT64_C(0) << from % 64;
    for (int word = from / 64; word * 64 < end; word++) {
        uint64_t bits = mask[word] & upper;
        upper = ~UINT64_C(0);
        if (bits == 0)
            continue;
        int next = word * 64 + __builtin_ctzll(bits);
        return next < end ? next : NO_BIT;
    }
    return NO_BIT;
}

/* For each bit that is set: those set meanwhile and behind it, too. */
#define EACH_BIT(n, mask, end)                                                 \
    for (int n = mask_next(mask, 0, end); n != NO_BIT;                         \
         n = mask_next(mask, n + 1, end))

/* A round over the bits of a mask of so many words, from bit `from` on, goes
 * through words + 1 of them, the first twice: those that it looks at in its
 * `step`, of word *word. */
static inline uint64_t round_bits(const uint64_t *mask, size_t words, int from,
                                  size_t step, size_t *word)
{
    uint64_t behind = ~UINT64_C(0) << from % 64;
    uint64_t part = step == 0 ? behind : step == words ? ~behind : ~UINT64_C(0);
    *word = ((size_t)from / 64 + step) % words;
    return mask[*word] & part;
}

/* Of two cycles. */
static inline uint64_t earliest(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bits that are set, in pairs, fours and bytes side by side, then summed up. */
static inline int count_bits(uint32_t x)
{
    x -= x >> 1 & UINT32_C(0x55555555);
    x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
    x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
    return (int)(x * UINT32_C(0x01010101) >> 24);
}

/* x / d and x % d. Divisors that sizes of a GPU make are mostly powers of two;
 * a division takes a processor some ten times as long as a shift. */
static inline uint64_t divide(uint64_t x, uint64_t d)
{
    return (d & (d - 1)) == 0 ? x >> __builtin_ctzll(d) : x / d;
}

static inline uint64_t modulo(uint64_t x, uint64_t d)
{
    return (d & (d - 1)) == 0 ? x & (d - 1) : x % d;
}

/* The first whole number not before `time`, from 0 up to 2^62, whatever `time`
 * is: 0 where it is no number. */
static inline uint64_t whole_cycle(double time)
{
    const double most = 0x1p62;
    if (!(time > 0))
        return 0;
    if (time >= most)
        return (uint64_t)most;
    int64_t whole = (int64_t)time;
    return (uint64_t)whole + ((double)whole < time);
}

#endif
