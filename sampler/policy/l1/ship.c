/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signature-based hit prediction: srrip, where lines brought by an instruction
 * whose lines were not used again come in as distant. The signature is the
 * instruction (SHiP-PC). */
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/l1/rrip.h"

#include <string.h>

/* Wu et al., MICRO 2011, Sec. 3 and 5: 16 K counters. */
#define SIGNATURES    16384
#define COUNTER_MAX   3
#define COUNTER_START 1

struct line {
    uint16_t signature;
    bool reused;
};

struct ship {
    int ways;
    uint8_t counter[SIGNATURES];
    struct line *line; /* [set * ways + way], as are the values */
    uint8_t *value;
};

static size_t state_size(int sets, int ways)
{
    size_t lines = (size_t)sets * (size_t)ways;
    return sizeof(struct ship) + lines * (sizeof(struct line) + 1);
}

static void init(void *state, int sets, int ways, const double *param)
{
    (void)param;
    struct ship *s = state;
    s->ways = ways;
    s->line = (struct line *)(s + 1);
    s->value = (uint8_t *)(s->line + (size_t)sets * (size_t)ways);
    memset(s->counter, COUNTER_START, sizeof(s->counter));
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct ship *s = state;
    struct line *l = &s->line[line_index(set, way, s->ways)];
    s->value[line_index(set, way, s->ways)] = RRIP_NEAR;
    l->reused = true;
    if (s->counter[l->signature] < COUNTER_MAX)
        s->counter[l->signature]++;
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    struct ship *s = state;
    return rrip_victim(&s->value[line_index(set, 0, s->ways)], locked, 0,
                       s->ways);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    struct ship *s = state;
    uint16_t signature = (uint16_t)(a->pc % SIGNATURES);
    s->line[line_index(set, way, s->ways)] =
        (struct line){.signature = signature};
    s->value[line_index(set, way, s->ways)] =
        s->counter[signature] == 0 ? RRIP_DISTANT : RRIP_LONG;
}

static void evict(void *state, int set, int way)
{
    struct ship *s = state;
    const struct line *l = &s->line[line_index(set, way, s->ways)];
    if (!l->reused && s->counter[l->signature] > 0)
        s->counter[l->signature]--;
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
};
