/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/wheel.h"

#include <stdlib.h>

void wheel_free(struct wheel *w)
{
    free(w->entry);
}

/* The lowest bit of `set` from bit `from` on, else the lowest of all. */
static size_t next_bit(uint64_t set, size_t from)
{
    uint64_t upper = set & ~UINT64_C(0) << from;
    return (size_t)__builtin_ctzll(upper != 0 ? upper : set);
}

uint64_t wheel_next(const struct wheel *w, uint64_t now)
{
    size_t start = (now + 1) % WHEEL_SIZE, word = start / 64;
    uint64_t bits = w->used[word] & ~UINT64_C(0) << start % 64;
    if (w->words == 0)
        return UINT64_MAX;
    /* The first word comes again as the last, for its lower bits. */
    if (bits == 0) {
        word = next_bit(w->words, (word + 1) % WHEEL_WORDS);
        bits = w->used[word];
    }
    size_t at = word * 64 + (size_t)__builtin_ctzll(bits);
    return now + 1 + (at + WHEEL_SIZE - start) % WHEEL_SIZE;
}
