/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signature-based hit prediction: srrip, where lines brought by an instruction
 * whose lines were not used again come in as distant. The signature is the
 * instruction (SHiP-PC). */
#include "sampler/policy/l1/rrip.h"

#include <string.h>

/* Wu et al., MICRO 2011, Sec. 3 and 5: 16 K counters. */
#define SIGNATURES 16384

struct line {
    uint16_t signature;
    bool reused;
};

struct ship {
    struct rrip rrip;
    uint8_t counter[SIGNATURES];
    struct line *line; /* [set * ways + way] */
};

static size_t state_size(const struct cache_shape *shape)
{
    return sizeof(struct ship) + cache_lines(shape) * (sizeof(struct line) + 1);
}

static void init(void *state, const struct cache_shape *shape)
{
    struct ship *s = state;
    s->line = (struct line *)(s + 1);
    uint8_t *behind = (uint8_t *)(s->line + cache_lines(shape));
    s->rrip = (struct rrip){.ways = shape->ways, .value = behind};
    memset(s->counter, COUNTER_START, sizeof(s->counter));
}

static struct line *line_at(const struct ship *s, int set, int way)
{
    return &s->line[line_index(set, way, s->rrip.ways)];
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct ship *s = state;
    struct line *l = line_at(s, set, way);
    rrip_set(&s->rrip, set, way, RRIP_NEAR);
    l->reused = true;
    count_up(&s->counter[l->signature]);
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    struct ship *s = state;
    return rrip_victim(&s->rrip, set, locked, 0, s->rrip.ways);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    struct ship *s = state;
    uint16_t signature = (uint16_t)(a->pc % SIGNATURES);
    *line_at(s, set, way) = (struct line){.signature = signature};
    rrip_set(&s->rrip, set, way,
             s->counter[signature] == 0 ? RRIP_DISTANT : RRIP_LONG);
}

static void evict(void *state, int set, int way)
{
    struct ship *s = state;
    const struct line *l = line_at(s, set, way);
    if (!l->reused)
        count_down(&s->counter[l->signature]);
}

static uint8_t *learned(void *state, size_t *size)
{
    struct ship *s = state;
    *size = sizeof(s->counter);
    return s->counter;
}

const struct cache_policy cache_ship = {
    .info = {.name = "ship",
             .summary = "srrip, inserting by the instruction's past reuse",
             .paper = "Wu et al., MICRO 2011; cawa Sec. 3.3"},
    .state_size = state_size,
    .init = init,
    .hit = hit,
    .victim = victim,
    .fill = fill,
    .evict = evict,
    .learned = learned,
};
