/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache-conscious (Rogers et al., MICRO 2012, Sec. 3.3): a warp that misses on
 * a line it brought and lost to others gets a high score, which falls by one a
 * cycle. Warps stand in order of their scores; those whose scores add up to
 * more than all warps had at the start may not issue loads. Order as gto. */
#include "sampler/warp/policies.h"

#define BIT(w) (UINT64_C(1) << (w))

/* A warp's victim tags: 16, 8-way (Table 2). */
#define VICTIM_SETS 2
#define VICTIM_WAYS 8

struct victims {
    uint64_t line[VICTIM_SETS][VICTIM_WAYS]; /* line + 1, 0 = free */
    uint8_t next[VICTIM_SETS];               /* the way to replace */
};

struct ccws {
    uint64_t owned;
    uint64_t throttle, base;
    uint64_t insts, lost; /* issued, found among the victims */
    uint64_t score[MAX_WARP_SLOTS], scored[MAX_WARP_SLOTS]; /* and when */
    uint64_t hot;     /* warps whose score is above the base */
    uint64_t blocked; /* warps that may not load, up to cycle next_change */
    uint64_t next_change;
    int last; /* -1: none yet */
    struct victims victims[MAX_WARP_SLOTS];
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

static uint64_t score_at(const struct ccws *c, int w, uint64_t cycle)
{
    uint64_t fallen = cycle - c->scored[w];
    bool above = (c->hot & BIT(w)) != 0 && c->score[w] > c->base + fallen;
    return above ? c->score[w] - fallen : c->base;
}

static uint64_t cutoff(const struct ccws *c, const struct warp_table *t)
{
    uint64_t active = c->owned & t->live;
    return (uint64_t)__builtin_popcountll(active) * c->base;
}

/* The next warp in order: highest score first, ties to the oldest. */
static int highest(const struct ccws *c, const struct warp_table *t,
                   uint64_t left, uint64_t cycle)
{
    uint64_t hot = left & c->hot;
    if (hot == 0)
        return warp_oldest(t, left);
    int best = warp_oldest(t, hot);
    for (; hot != 0; hot &= hot - 1) {
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

/* Who is blocked now. It stays so until the sum that is too high has fallen,
 * by one a cycle and hot warp, or another warp is back at the base. The first
 * in order is never blocked. */
static void weigh(struct ccws *c, const struct warp_table *t, uint64_t cycle)
{
    uint64_t wait = cool(c, cycle), limit = cutoff(c, t), sum = 0;
    uint64_t left = c->owned & t->live;
    c->blocked = 0;
    c->next_change = UINT64_MAX;
    for (bool first = true; c->hot != 0 && left != 0; first = false) {
        int w = highest(c, t, left, cycle);
        sum += score_at(c, w, cycle);
        if (sum > limit && !first) {
            uint64_t fall = (uint64_t)__builtin_popcountll(c->hot);
            uint64_t fallen = (sum - limit) / fall;
            wait = fallen < wait ? fallen : wait;
            c->blocked = left;
            c->next_change = cycle + (wait > 0 ? wait : 1);
            return;
        }
        left &= ~BIT(w);
    }
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

/* ---- lost locality ------------------------------------------------------ */

static void remember(struct ccws *c, int warp, uint64_t line)
{
    struct victims *v = &c->victims[warp];
    int set = (int)(line % VICTIM_SETS);
    v->line[set][v->next[set]] = line + 1;
    v->next[set] = (uint8_t)((v->next[set] + 1) % VICTIM_WAYS);
}

/* Whether the warp lost the line; it is coming back. */
static bool forget(struct ccws *c, int warp, uint64_t line)
{
    uint64_t *way = c->victims[warp].line[line % VICTIM_SETS];
    for (int i = 0; i < VICTIM_WAYS; i++)
        if (way[i] == line + 1) {
            way[i] = 0;
            return true;
        }
    return false;
}

/* Sec. 3.3.4, Equation 1. */
static void raise_score(struct ccws *c, const struct warp_table *t, int warp,
                        uint64_t cycle)
{
    uint64_t insts = c->insts > 0 ? c->insts : 1;
    uint64_t score = ++c->lost * c->throttle * cutoff(c, t) / insts;
    if (score <= score_at(c, warp, cycle))
        return;
    c->score[warp] = score;
    c->scored[warp] = cycle;
    c->hot |= BIT(warp);
}

static void event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    struct ccws *c = state;
    int w = event->warp;
    switch (event->type) {
    case EVENT_ISSUE:
        c->insts++;
        return;
    case EVENT_L1_EVICT:
        remember(c, w, event->line);
        return;
    case EVENT_L1_MISS:
        if (!forget(c, w, event->line))
            return;
        raise_score(c, table, w, event->cycle);
        break;
    case EVENT_WARP_LAUNCH:
        c->victims[w] = (struct victims){.next = {0}};
        break;
    default: /* EVENT_WARP_END */
        c->hot &= ~BIT(w);
        break;
    }
    c->next_change = event->cycle;
}

const struct warp_policy warp_ccws = {
    .info = {.name = "ccws",
             .summary = "warps that lose lines to others keep them from "
                        "loading, as gto",
             .paper = "Rogers et al., MICRO 2012, Sec. 3.3",
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
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct ccws),
    .events = EVENT_ISSUE | EVENT_L1_EVICT | EVENT_L1_MISS | EVENT_WARP_LAUNCH |
              EVENT_WARP_END,
    .init = init,
    .pick = pick,
    .eligible = eligible,
    .next_change = next_change,
    .event = event,
};
