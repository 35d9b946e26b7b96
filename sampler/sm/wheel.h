/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A time wheel: what is to happen at a known cycle, less than WHEEL_SIZE cycles
 * ahead. What falls due in one cycle comes in the order in which it was
 * scheduled. What the entries mean is their owner's. */
#ifndef SAMPLER_SM_WHEEL_H
#define SAMPLER_SM_WHEEL_H

#include "base/bits.h"
#include "base/pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define WHEEL_SIZE  4096 /* cycles; a power of two */
#define WHEEL_WORDS (WHEEL_SIZE / 64)

_Static_assert(WHEEL_WORDS == 64, "the words in use are bits of one word");

struct wheel_entry {
    uint32_t next; /* of the same cycle; of the newest, the oldest */
    uint32_t subject;
    uint8_t kind;
    uint8_t warp;
};

struct wheel {
    struct wheel_entry *entry;
    struct pool entries;
    uint64_t words; /* those of `used` that are not 0 */
    uint64_t used[WHEEL_WORDS];
    uint32_t newest[WHEEL_SIZE]; /* by cycle modulo WHEEL_SIZE: of a ring, of
                                  * which only those marked in `used` are valid
                                  */
};

/* All zero is an empty wheel. */
void wheel_free(struct wheel *w);
/* Schedule an entry for `time`, which is after now and less than WHEEL_SIZE
 * ahead. False when memory is out. */
static inline bool wheel_schedule(struct wheel *w, uint64_t now, uint64_t time,
                                  uint8_t kind, uint8_t warp, uint32_t subject)
{
    assert(time > now && time - now < WHEEL_SIZE);
    uint32_t id = pool_take(&w->entries, &w->entry);
    if (id == NO_RECORD)
        return false;
    size_t at = time % WHEEL_SIZE;
    uint64_t bit = BIT(at % 64), *used = &w->used[at / 64];
    uint32_t oldest = id;
    if ((*used & bit) != 0) {
        uint32_t *behind = &w->entry[w->newest[at]].next;
        oldest = *behind;
        *behind = id;
    }
    w->entry[id] = (struct wheel_entry){oldest, subject, kind, warp};
    w->newest[at] = id;
    *used |= bit;
    w->words |= BIT(at / 64);
    return true;
}

/* Cycle of the first entry after now, UINT64_MAX when there is none. */
uint64_t wheel_next(const struct wheel *w, uint64_t now);

/* Take the entries that are due now off the wheel: the first one, for
 * wheel_take; NO_RECORD when there is none. */
static inline uint32_t wheel_due(struct wheel *w, uint64_t now)
{
    size_t at = now % WHEEL_SIZE;
    uint64_t *used = &w->used[at / 64];
    if ((*used & BIT(at % 64)) == 0)
        return NO_RECORD;
    *used &= ~BIT(at % 64);
    if (*used == 0)
        w->words &= ~BIT(at / 64);
    uint32_t *behind = &w->entry[w->newest[at]].next, oldest = *behind;
    *behind = NO_RECORD;
    return oldest;
}

/* Free *due, which becomes the next one that is due, and return what it held.
 */
static inline struct wheel_entry wheel_take(struct wheel *w, uint32_t *due)
{
    struct wheel_entry e = w->entry[*due];
    pool_give(&w->entries, w->entry, *due);
    *due = e.next;
    return e;
}

#endif
