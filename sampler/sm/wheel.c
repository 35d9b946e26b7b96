/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/wheel.h"

#include <assert.h>
#include <stdlib.h>

void wheel_free(struct wheel *w)
{
    free(w->entry);
}

bool wheel_schedule(struct wheel *w, uint64_t now, uint64_t time, uint8_t kind,
                    uint8_t warp, uint32_t subject)
{
    assert(time > now && time - now < WHEEL_SIZE);
    uint32_t id = pool_take(&w->entries, &w->entry);
    if (id == NO_RECORD)
        return false;
    size_t at = time % WHEEL_SIZE;
    uint64_t bit = BIT(at % 64), *used = &w->used[at / 64];
    uint32_t older = (*used & bit) != 0 ? w->newest[at] : NO_RECORD;
    w->entry[id] = (struct wheel_entry){older, subject, kind, warp};
    w->newest[at] = id;
    *used |= bit;
    w->words |= BIT(at / 64);
    return true;
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

uint32_t wheel_take_all(struct wheel *w, uint64_t now)
{
    size_t at = now % WHEEL_SIZE;
    w->used[at / 64] &= ~BIT(at % 64);
    if (w->used[at / 64] == 0)
        w->words &= ~BIT(at / 64);
    uint32_t oldest = NO_RECORD;
    for (uint32_t id = w->newest[at], next; id != NO_RECORD; id = next) {
        next = w->entry[id].next;
        w->entry[id].next = oldest;
        oldest = id;
    }
    return oldest;
}
