/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/scoreboard.h"

#include "base/bits.h"

static int place_of_word(struct registers_named *n, int word)
{
    int i = 0;
    while (i < n->words && n->word[i] != word)
        i++;
    if (i == n->words) {
        n->word[i] = (uint8_t)word;
        n->bits[i] = 0;
        n->words++;
    }
    return i;
}

void registers_name(struct registers_named *n, const uint16_t *reg, int count)
{
    for (int r = 0; r < count; r++)
        n->bits[place_of_word(n, reg[r] / 64)] |= BIT(reg[r] % 64);
}

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
    const uint64_t *loaded = s->warp[warp].loaded;
    for (int r = 0; r < i->src_count; r++)
        if (loaded[i->src[r] / 64] >> (i->src[r] % 64) & 1)
            return true;
    return false;
}
