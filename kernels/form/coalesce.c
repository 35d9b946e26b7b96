/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/coalesce.h"

#include "base/bits.h"

#include <assert.h>

static uint64_t address(const struct step *s, unsigned lane)
{
    if (s->form == ADDR_LIST)
        return s->lane_address[lane];
    return s->base + (uint64_t)lane * (uint64_t)s->stride;
}

/* Lines are looked for from the newest: neighbouring lanes share them. */
static int add_sector(struct transaction *out, int n, uint64_t line,
                      uint32_t bit)
{
    for (int i = n - 1; i >= 0; i--)
        if (out[i].line == line) {
            out[i].sectors |= bit;
            return n;
        }
    out[n] = (struct transaction){.line = line, .sectors = bit};
    return n + 1;
}

/* Lanes first..last without a gap between their bytes: lines of a range. */
static int coalesce_range(uint64_t low, uint64_t high, unsigned line_bytes,
                          unsigned sector_bytes, struct transaction *out)
{
    uint64_t first = divide(low, line_bytes), last = divide(high, line_bytes);
    unsigned sectors = (unsigned)divide(line_bytes, sector_bytes);
    uint32_t all = sectors == 32 ? UINT32_MAX : (UINT32_C(1) << sectors) - 1;
    int n = 0;

    for (uint64_t line = first; line <= last; line++) {
        out[n++] = (struct transaction){.line = line, .sectors = all};
    }
    out[0].sectors &= UINT32_MAX
                      << divide(modulo(low, line_bytes), sector_bytes);
    out[n - 1].sectors &=
        UINT32_MAX >> (31 - divide(modulo(high, line_bytes), sector_bytes));
    return n;
}

static bool lanes_contiguous(uint32_t mask)
{
    uint32_t lowest = mask & -mask;

    return ((mask + lowest) & mask) == 0;
}

int coalesce(const struct step *s, unsigned width, unsigned line_bytes,
             unsigned sector_bytes, struct transaction out[MAX_TRANSACTIONS])
{
    unsigned per_line = (unsigned)divide(line_bytes, sector_bytes);
    int n = 0;

    assert(width >= 1 && width <= line_bytes);
    if (s->mask == 0 || s->form == ADDR_NONE)
        return 0;
    if (s->form == ADDR_STRIDE && s->stride >= 0 &&
        (uint64_t)s->stride <= width && lanes_contiguous(s->mask)) {
        uint64_t low = address(s, (unsigned)__builtin_ctz(s->mask));
        uint64_t high =
            address(s, 31u - (unsigned)__builtin_clz(s->mask)) + width - 1;

        if (low <= high)
            return coalesce_range(low, high, line_bytes, sector_bytes, out);
    }
    for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t a = address(s, (unsigned)__builtin_ctz(lanes));
        uint64_t last = divide(a + width - 1, sector_bytes);

        for (uint64_t sector = divide(a, sector_bytes); sector <= last;
             sector++)
            n = add_sector(out, n, divide(sector, per_line),
                           UINT32_C(1) << modulo(sector, per_line));
    }
    return n;
}

/* Bytes of low..high that the active lanes cover. */
static uint64_t covered(const struct step *s, unsigned width, uint64_t low,
                        uint64_t high)
{
    uint64_t bytes = 0;
    for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t a = address(s, (unsigned)__builtin_ctz(lanes));
        uint64_t end = a + width - 1;
        if (a <= high && end >= low)
            bytes += (end < high ? end : high) - (a > low ? a : low) + 1;
    }
    return bytes;
}

void coalesce_whole(const struct step *s, unsigned width, unsigned line_bytes,
                    unsigned sector_bytes, struct transaction *t, int n)
{
    for (int i = 0; i < n; i++)
        for (uint32_t left = t[i].sectors; left != 0; left &= left - 1) {
            unsigned bit = (unsigned)__builtin_ctz(left);
            uint64_t low =
                t[i].line * line_bytes + (uint64_t)bit * sector_bytes;
            uint64_t high = low + sector_bytes - 1;
            if (covered(s, width, low, high) >= sector_bytes)
                t[i].whole |= UINT32_C(1) << bit;
        }
}

/* Lanes at the address that most of those in the sector share. */
static uint32_t busiest_in(const struct step *s, uint64_t sector,
                           unsigned sector_bytes)
{
    uint32_t most = 0;
    for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t a = address(s, (unsigned)__builtin_ctz(lanes));
        if (divide(a, sector_bytes) != sector)
            continue;
        uint32_t same = 0;
        for (uint32_t left = lanes; left != 0; left &= left - 1)
            same += address(s, (unsigned)__builtin_ctz(left)) == a;
        most = same > most ? same : most;
    }
    return most;
}

int busiest_address(const struct step *s)
{
    if (s->form == ADDR_STRIDE)
        return s->stride == 0 ? count_bits(s->mask) : 1;
    int most = 1;
    for (uint32_t a = s->mask; a != 0; a &= a - 1) {
        int same = 0;
        for (uint32_t b = s->mask; b != 0; b &= b - 1)
            same += s->lane_address[__builtin_ctz(a)] ==
                    s->lane_address[__builtin_ctz(b)];
        most = same > most ? same : most;
    }
    return most;
}

void coalesce_serial(const struct step *s, unsigned line_bytes,
                     unsigned sector_bytes, struct transaction *t, int n)
{
    uint64_t per_line = divide(line_bytes, sector_bytes);
    for (int i = 0; i < n; i++) {
        t[i].serial = 0;
        for (uint32_t left = t[i].sectors; left != 0; left &= left - 1)
            t[i].serial += busiest_in(
                s, t[i].line * per_line + (uint64_t)__builtin_ctz(left),
                sector_bytes);
    }
}

#define BUCKETS   64
#define MAX_WORDS 512 /* 32 lanes x 16 words */

/* Words seen in one part of a warp, chained by bank. */
struct bank_words {
    int16_t head[BUCKETS];
    int16_t next[MAX_WORDS];
    uint64_t word[MAX_WORDS];
    int count;
};

/* Add a word; how many distinct words its bank has now. */
static int add_word(struct bank_words *w, uint64_t word, unsigned banks)
{
    uint64_t bank = modulo(word, banks);
    unsigned bucket = bank % BUCKETS;
    int in_bank = 1;

    for (int i = w->head[bucket]; i >= 0; i = w->next[i]) {
        if (w->word[i] == word)
            return 0;
        in_bank += modulo(w->word[i], banks) == bank;
    }
    w->word[w->count] = word;
    w->next[w->count] = w->head[bucket];
    w->head[bucket] = (int16_t)w->count++;
    return in_bank;
}

static unsigned greatest_common_divisor(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Lanes without a gap, each a word of its own so many words after the last:
 * they come back to a bank every banks / gcd(banks, words) lanes. */
static int strided_degree(int lanes, uint64_t words, unsigned banks)
{
    unsigned step = (unsigned)(words % banks);
    int period = (int)(banks / greatest_common_divisor(banks, step));

    return words == 0 ? 1 : (lanes + period - 1) / period;
}

static int part_degree(const struct step *s, uint32_t lanes, unsigned width,
                       unsigned banks, unsigned bank_bytes)
{
    struct bank_words w;
    int degree = 0;

    if (s->form == ADDR_STRIDE && width == bank_bytes && s->stride >= 0 &&
        s->base % bank_bytes == 0 && (uint64_t)s->stride % bank_bytes == 0 &&
        lanes_contiguous(lanes))
        return strided_degree(count_bits(lanes),
                              (uint64_t)s->stride / bank_bytes, banks);
    w.count = 0;
    for (int i = 0; i < BUCKETS; i++)
        w.head[i] = -1;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t a = address(s, (unsigned)__builtin_ctz(lanes));
        uint64_t first = divide(a, bank_bytes);
        uint64_t more = divide(modulo(a, bank_bytes) + width - 1, bank_bytes);

        for (uint64_t n = 0; n <= more; n++) {
            int in_bank = add_word(&w, first + n, banks);

            degree = in_bank > degree ? in_bank : degree;
        }
    }
    return degree;
}

/* Every active lane has the address of the one whose number differs by `bit`,
 * where that is active too. */
static bool pairs_agree(const struct step *s, unsigned bit)
{
    for (uint32_t lanes = s->mask; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), other = lane ^ bit;
        if ((s->mask >> other & 1) != 0 &&
            address(s, lane) != address(s, other))
            return false;
    }
    return true;
}

int shared_conflict_degree(const struct step *s, unsigned width, unsigned banks,
                           unsigned bank_bytes, bool pairs)
{
    unsigned parts = width / bank_bytes, lanes;
    int degree = 0;

    assert(width >= 1 && banks >= 1 && bank_bytes >= 1);
    assert(width / bank_bytes + 2 <= MAX_WORDS / WARP_LANES);
    if (s->mask == 0 || s->form == ADDR_NONE)
        return 0;
    parts = parts < 2 ? 1 : parts < 4 ? 2 : 4;
    if (pairs && parts > 1 && (pairs_agree(s, 1) || pairs_agree(s, 2)))
        parts /= 2;
    lanes = WARP_LANES / parts;
    for (unsigned p = 0; p < parts; p++) {
        uint32_t of_part = UINT32_MAX >> (32 - lanes) << (p * lanes);

        if (s->mask & of_part)
            degree +=
                part_degree(s, s->mask & of_part, width, banks, bank_bytes);
    }
    return degree;
}

int distinct_addresses(const struct step *s)
{
    if (s->mask == 0 || s->form == ADDR_NONE)
        return 0;
    if (s->form == ADDR_STRIDE)
        return s->stride == 0 ? 1 : count_bits(s->mask);
    int n = 0;
    for (uint32_t later = s->mask; later != 0; n++) {
        uint64_t a = s->lane_address[__builtin_ctz(later)];
        for (uint32_t lanes = later; lanes != 0; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes);
            if (s->lane_address[lane] == a)
                later &= ~(UINT32_C(1) << lane);
        }
    }
    return n;
}
