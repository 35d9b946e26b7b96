/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/scoreboard.h"

#include "base/bits.h"

void scoreboard_issue(struct scoreboard *s, int warp, const struct inst *i,
                      bool takes_long)
{
    struct warp_registers *w = &s->warp[warp];
    for (int r = 0; r < i->dst_count; r++) {
        int word = i->dst[r] / 64;
        uint64_t bit = BIT(i->dst[r] % 64);
        w->pending[word] |= bit;
        w->loaded[word] &= ~bit;
        if (takes_long) {
            w->long_pending[word] |= bit;
            w->loaded[word] |= bit;
        }
    }
}

void scoreboard_write(struct scoreboard *s, int warp, const struct inst *i)
{
    struct warp_registers *w = &s->warp[warp];
    for (int r = 0; r < i->dst_count; r++) {
        uint64_t bit = BIT(i->dst[r] % 64);
        w->pending[i->dst[r] / 64] &= ~bit;
        w->long_pending[i->dst[r] / 64] &= ~bit;
    }
}

static bool has_any(const uint64_t *set, const uint16_t *reg, int count)
{
    for (int r = 0; r < count; r++)
        if (set[reg[r] / 64] >> (reg[r] % 64) & 1)
            return true;
    return false;
}

static bool touches(const uint64_t *set, const struct inst *i)
{
    return has_any(set, i->src, i->src_count) ||
           has_any(set, i->dst, i->dst_count);
}

bool scoreboard_holds(const struct scoreboard *s, int warp,
                      const struct inst *i)
{
    return touches(s->warp[warp].pending, i);
}

bool scoreboard_holds_long(const struct scoreboard *s, int warp,
                           const struct inst *i)
{
    return touches(s->warp[warp].long_pending, i);
}

bool scoreboard_long_open(const struct scoreboard *s, int warp)
{
    uint64_t any = 0;
    for (int i = 0; i < SCOREBOARD_WORDS; i++)
        any |= s->warp[warp].long_pending[i];
    return any != 0;
}

bool scoreboard_reads_loaded(const struct scoreboard *s, int warp,
                             const struct inst *i)
{
    return has_any(s->warp[warp].loaded, i->src, i->src_count);
}
