/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache-conscious (Rogers et al., MICRO 2012): a warp that misses on a line it
 * brought and lost to others gets a high score, which falls by one a cycle. The
 * SM's warps stand in order of their scores, and those behind the one with
 * which the scores add up to what all had at the start may not issue loads.
 * Order as gto. Where the paper's words leave it open, the rules are those of
 * the simulator it was written with (github.com/tgrogers/ccws-2012,
 * scheduling-point-system.cc): one list for all schedulers of an SM, the warp
 * that crosses the cut-off belongs to it, equal scores stand in the order of
 * warp slots, and losses and instructions count while their warp is there. */
#include "base/bits.h"
#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/table.h"

#include <assert.h>

/* A warp's victim tags: 16, 8-way, first in first out (QuadroFX5800-CCWS). */
#define VICTIM_SETS 2
#define VICTIM_WAYS 8

struct tags {
    uint64_t line[VICTIM_SETS][VICTIM_WAYS]; /* line + 1, 0 = free */
    uint8_t next[VICTIM_SETS];               /* the way to replace */
};

struct member {
    uint64_t score, scored; /* and when */
    uint64_t insts, lost;   /* issued, found among the victims */
    struct tags victims;
};

/* Each scheduler keeps the whole SM's, from the same events. */
struct ccws {
    uint64_t owned;
    uint64_t throttle, base;
    uint64_t insts, lost; /* of the warps that are there */
    uint64_t hot;         /* warps whose score is above the base */
    uint64_t blocked;     /* warps that may not load, up to cycle next_change */
    uint64_t next_change;
    bool departed; /* some have been blocked */
    int last;      /* -1: none yet */
    struct member warp[MAX_WARP_SLOTS];
};

static void init(void *state, const struct warp_context *context)
{
    *(struct ccws *)state =
        (struct ccws){.owned = context->owned,
                      .throttle = (uint64_t)context->param[0],
                      .base = (uint64_t)context->param[1],
                      .next_change = UINT64_MAX,
                      .last = -1};
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct ccws *c = state;
    c->last = warp_greedy_oldest(table, ready, c->last);
    return c->last;
}

/* ---- scores ------------------------------------------------------------- */

static uint64_t active(const struct warp_table *t)
{
    return t->live & ~t->finished;
}

static uint64_t cutoff(const struct ccws *c, const struct warp_table *t)
{
    return (uint64_t)__builtin_popcountll(active(t)) * c->base;
}

static uint64_t score_at(const struct ccws *c, int w, uint64_t cycle)
{
    const struct member *m = &c->warp[w];
    uint64_t fallen = cycle - m->scored;
    bool above = (c->hot & BIT(w)) != 0 && m->score > c->base + fallen;
    return above ? m->score - fallen : c->base;
}

/* The next warp in order. */
static int highest(const struct ccws *c, uint64_t left, uint64_t cycle)
{
    uint64_t hot = left & c->hot;
    if (hot == 0)
        return __builtin_ctzll(left);
    int best = __builtin_ctzll(hot);
    for (hot &= hot - 1; hot != 0; hot &= hot - 1) {
        int w = __builtin_ctzll(hot);
        if (score_at(c, w, cycle) > score_at(c, best, cycle))
            best = w;
    }
    return best;
}

/* Warps that are back at the base leave `hot`; returns the fewest cycles until
 * another one is. */
static uint64_t cool(struct ccws *c, uint64_t cycle)
{
    uint64_t soonest = UINT64_MAX;
    for (uint64_t hot = c->hot; hot != 0; hot &= hot - 1) {
        int w = __builtin_ctzll(hot);
        uint64_t above = score_at(c, w, cycle) - c->base;
        if (above == 0)
            c->hot &= ~BIT(w);
        else if (above < soonest)
            soonest = above;
    }
    return soonest;
}

/* Who is blocked now. It stays so until the sum has fallen below the cut-off,
 * by one a cycle and hot warp in it, or another warp is back at the base. */
static void weigh(struct ccws *c, const struct warp_table *t, uint64_t cycle)
{
    uint64_t cooled = cool(c, cycle), limit = cutoff(c, t);
    uint64_t left = active(t), sum = 0, falling = 0;
    while (c->hot != 0 && left != 0 && sum < limit) {
        int w = highest(c, left, cycle);
        sum += score_at(c, w, cycle);
        falling += c->hot >> w & 1;
        left &= ~BIT(w);
    }
    c->blocked = c->hot != 0 ? left : 0;
    c->departed |= c->blocked != 0;
    c->next_change = UINT64_MAX;
    if (c->blocked == 0)
        return;
    assert(falling > 0); /* hot warps have the highest scores */
    uint64_t below = (sum - limit) / falling + 1;
    c->next_change = cycle + (below < cooled ? below : cooled);
}

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    struct ccws *c = state;
    if (cycle >= c->next_change)
        weigh(c, table, cycle);
    return c->owned & ~(c->blocked & table->head_is_load);
}

static uint64_t next_change(const void *state)
{
    return ((const struct ccws *)state)->next_change;
}

static bool departed(const void *state)
{
    return ((const struct ccws *)state)->departed;
}

/* ---- lost locality ------------------------------------------------------ */

static void remember(struct tags *v, uint64_t line)
{
    int set = (int)(line % VICTIM_SETS);
    v->line[set][v->next[set]] = line + 1;
    v->next[set] = (uint8_t)((v->next[set] + 1) % VICTIM_WAYS);
}

/* Whether the line is among the victims; it is coming back. */
static bool forget(struct tags *v, uint64_t line)
{
    uint64_t *way = v->line[line % VICTIM_SETS];
    for (int i = 0; i < VICTIM_WAYS; i++)
        if (way[i] == line + 1) {
            way[i] = 0;
            return true;
        }
    return false;
}

/* The lost-locality detection score: losses over instructions, times throttle
 * and cut-off. */
static void count_loss(struct ccws *c, const struct warp_table *t, int warp,
                       uint64_t cycle)
{
    struct member *m = &c->warp[warp];
    uint64_t insts = c->insts > 0 ? c->insts : 1;
    m->lost++;
    m->score = ++c->lost * c->throttle * cutoff(c, t) / insts;
    m->scored = cycle;
    c->hot |= BIT(warp);
}

static void leave(struct ccws *c, int warp)
{
    struct member *m = &c->warp[warp];
    c->insts -= m->insts;
    c->lost -= m->lost;
    c->hot &= ~BIT(warp);
    *m = (struct member){.score = 0};
}

static void event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    struct ccws *c = state;
    struct member *m = &c->warp[event->warp];
    switch (event->type) {
    case EVENT_ISSUE:
        c->insts++;
        m->insts++;
        return;
    case EVENT_L1_EVICT:
        remember(&m->victims, event->line);
        return;
    case EVENT_L1_MISS:
        if (!forget(&m->victims, event->line))
            return;
        count_loss(c, table, event->warp, event->cycle);
        break;
    case EVENT_WARP_END:
        leave(c, event->warp);
        break;
    case EVENT_WARP_LAUNCH: /* it is not the warp that issued */
        c->last = event->warp == c->last ? -1 : c->last;
        break;
    default: /* there is one warp less */
        break;
    }
    c->next_change = event->cycle;
}

const struct warp_policy warp_ccws = {
    .info = {.name = "ccws",
             .summary = "warps that lose lines to others keep them from "
                        "loading, as gto",
             .paper = "Rogers et al., MICRO 2012",
             .param = {{.name = "throttle",
                        .fallback = 8,
                        .min = 1,
                        .max = 1000,
                        .help = "how high lost locality lifts a score"},
                       {.name = "base",
                        .fallback = 100,
                        .min = 1,
                        .max = 100000,
                        .help = "score of a warp that has lost nothing"}}},
    .traits = {.family = FAMILY_GREEDY, .throttles = true},
    .state_size = sizeof(struct ccws),
    .events = EVENT_ISSUE | EVENT_L1_EVICT | EVENT_L1_MISS | EVENT_WARP_LAUNCH |
              EVENT_WARP_EXIT | EVENT_WARP_END,
    .whole_sm = true,
    .init = init,
    .pick = pick,
    .eligible = eligible,
    .next_change = next_change,
    .event = event,
    .base = &warp_gto,
    .departed = departed,
};
