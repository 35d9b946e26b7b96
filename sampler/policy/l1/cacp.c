/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Criticality-aware cache prioritisation (cawa Sec. 3.3, Algorithm 4): some
 * ways are for lines that critical warps will use again, the others for the
 * rest. One predictor says where a line belongs, one (as in ship) whether it
 * will be used again at all; both learn by signature. */
#include "sampler/policy/l1/rrip.h"

#include <string.h>

#define SIGNATURES 256 /* 8 bits */

struct line {
    uint8_t signature;
    bool valid, critical_reuse, other_reuse;
};

struct cacp {
    struct rrip rrip;
    int critical_ways; /* ways 0..critical_ways-1 are critical */
    int threshold;
    struct counters {
        uint8_t critical[SIGNATURES]; /* CCBP */
        uint8_t reuse[SIGNATURES];    /* SHiP */
    } counter;
    struct line *line; /* [set * ways + way] */
};

static size_t state_size(const struct cache_shape *shape)
{
    return sizeof(struct cacp) + cache_lines(shape) * (sizeof(struct line) + 1);
}

static void init(void *state, const struct cache_shape *shape)
{
    struct cacp *c = state;
    c->critical_ways = (int)(shape->ways * shape->param[0] / 100);
    c->threshold = (int)shape->param[1];
    c->line = (struct line *)(c + 1);
    uint8_t *behind = (uint8_t *)(c->line + cache_lines(shape));
    c->rrip = (struct rrip){.ways = shape->ways, .value = behind};
    memset(&c->counter, COUNTER_START, sizeof(c->counter));
}

/* The lower 8 bits of both (cawa Sec. 3.3), instructions and lines counted: of
 * a byte address they would be bits inside a line, not the region of memory
 * that the paper means them to be. */
static uint8_t signature_of(const struct cache_access *a)
{
    return (uint8_t)(a->pc ^ a->line);
}

static struct line *line_at(const struct cacp *c, int set, int way)
{
    return &c->line[line_index(set, way, c->rrip.ways)];
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    struct cacp *c = state;
    struct line *l = line_at(c, set, way);
    rrip_set(&c->rrip, set, way, RRIP_NEAR);
    count_up(&c->counter.reuse[l->signature]);
    if (a->critical) {
        l->critical_reuse = true;
        count_up(&c->counter.critical[l->signature]);
    } else {
        l->other_reuse = true;
    }
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    struct cacp *c = state;
    const struct line *line = line_at(c, set, 0);
    bool critical = c->counter.critical[signature_of(a)] > c->threshold;
    int first = critical ? 0 : c->critical_ways;
    int end = critical ? c->critical_ways : c->rrip.ways;
    if (first == end) { /* too few ways to part */
        first = 0;
        end = c->rrip.ways;
    }
    for (int way = first; way < end; way++)
        if (!line[way].valid && !locked[way])
            return way;
    return rrip_victim(&c->rrip, set, locked, first, end);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    struct cacp *c = state;
    uint8_t signature = signature_of(a);
    *line_at(c, set, way) =
        (struct line){.signature = signature, .valid = true};
    rrip_set(&c->rrip, set, way,
             c->counter.reuse[signature] == 0 ? RRIP_DISTANT : RRIP_LONG);
}

static void evict(void *state, int set, int way)
{
    struct cacp *c = state;
    struct line *l = line_at(c, set, way);
    if (l->critical_reuse)
        return;
    if (!l->other_reuse)
        count_down(&c->counter.reuse[l->signature]);
    else if (way < c->critical_ways)
        count_down(&c->counter.critical[l->signature]);
}

static void drop(void *state, int set, int way)
{
    struct cacp *c = state;
    line_at(c, set, way)->valid = false;
}

static uint8_t *learned(void *state, size_t *size)
{
    struct cacp *c = state;
    *size = sizeof(c->counter);
    return (uint8_t *)&c->counter;
}

const struct cache_policy cache_cacp = {
    .info = {.name = "cacp",
             .summary = "ways kept for lines that critical warps use again",
             .paper = "cawa Sec. 3.3",
             .param = {{.name = "critical",
                        .fallback = 50,
                        .min = 0,
                        .max = 100,
                        .help = "percent of the ways that are critical"},
                       {.name = "threshold",
                        .fallback = 1,
                        .min = 0,
                        .max = COUNTER_MAX,
                        .help = "counter above which a line is critical"}}},
    .needs_criticality = true,
    .partitioned = true,
    .state_size = state_size,
    .init = init,
    .hit = hit,
    .victim = victim,
    .fill = fill,
    .evict = evict,
    .drop = drop,
    .learned = learned,
};
