/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scoreboard: which registers of each warp wait to be written, by which an
 * instruction that reads or writes one of them is held back. */
#ifndef SAMPLER_SM_SCOREBOARD_H
#define SAMPLER_SM_SCOREBOARD_H

#include "kernels/form/kernel.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SCOREBOARD_WORDS (REG_COUNT / 64)

/* The registers that a static instruction names, as those words of a set of
 * registers that have any. */
struct registers_named {
    uint8_t words;
    uint8_t word[SCOREBOARD_WORDS];
    uint64_t bits[SCOREBOARD_WORDS];
};

/* The first `count` of reg, added to those named so far. */
void registers_name(struct registers_named *n, const uint16_t *reg, int count);

/* Sets of registers. */
struct warp_registers {
    uint64_t pending[SCOREBOARD_WORDS];      /* to be written */
    uint64_t long_pending[SCOREBOARD_WORDS]; /* ... by a long operation */
    uint64_t loaded[SCOREBOARD_WORDS]; /* whose last writer, done or not, is a
                                        * long operation */
};

struct scoreboard {
    struct warp_registers warp[MAX_WARP_SLOTS];
};

/* A new warp, all of whose registers are there. */
static inline void scoreboard_reset(struct scoreboard *s, int warp)
{
    memset(&s->warp[warp], 0, sizeof(s->warp[warp]));
}

/* The instruction is issued. takes_long: it is a long-latency operation. */
void scoreboard_issue(struct scoreboard *s, int warp, const struct inst *i,
                      bool takes_long);
/* The instruction's results are written. */
void scoreboard_write(struct scoreboard *s, int warp, const struct inst *i);

static inline bool registers_meet(const uint64_t *set,
                                  const struct registers_named *n)
{
    for (int i = 0; i < n->words; i++)
        if ((set[n->word[i]] & n->bits[i]) != 0)
            return true;
    return false;
}

/* Whether one of the registers, which an instruction reads or writes, is to be
 * written; whether a long operation is to write it. */
static inline bool scoreboard_holds(const struct scoreboard *s, int warp,
                                    const struct registers_named *uses)
{
    return registers_meet(s->warp[warp].pending, uses);
}

static inline bool scoreboard_holds_long(const struct scoreboard *s, int warp,
                                         const struct registers_named *uses)
{
    return registers_meet(s->warp[warp].long_pending, uses);
}

/* Whether the warp has registers that long operations are to write. */
bool scoreboard_long_open(const struct scoreboard *s, int warp);
/* Whether it reads a register that a long operation wrote last, or is to write.
 */
bool scoreboard_reads_loaded(const struct scoreboard *s, int warp,
                             const struct inst *i);

#endif
