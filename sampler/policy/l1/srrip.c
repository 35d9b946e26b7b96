/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Static re-reference interval prediction: lines come in as used again after
 * long and become near with a hit. */
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/l1/rrip.h"

struct srrip {
    int ways;
    uint8_t value[]; /* [set * ways + way] */
};

static size_t state_size(int sets, int ways)
{
    return sizeof(struct srrip) + (size_t)sets * (size_t)ways;
}

static void init(void *state, int sets, int ways, const double *param)
{
    (void)sets;
    (void)param;
    ((struct srrip *)state)->ways = ways;
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct srrip *s = state;
    s->value[line_index(set, way, s->ways)] = RRIP_NEAR;
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    struct srrip *s = state;
    return rrip_victim(&s->value[line_index(set, 0, s->ways)], locked, 0,
                       s->ways);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    struct srrip *s = state;
    s->value[line_index(set, way, s->ways)] = RRIP_LONG;
}

const struct cache_policy cache_srrip = {
    .info = {.name = "srrip",
             .summary = "static re-reference interval prediction, 2 bits",
             .paper = "Jaleel et al., ISCA 2010; cawa Sec. 3.3"},
    .state_size = state_size,
    .init = init,
    .hit = hit,
    .victim = victim,
    .fill = fill,
};
