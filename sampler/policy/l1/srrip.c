/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Static re-reference interval prediction: lines come in as used again after
 * long and become near with a hit. */
#include "sampler/policy/l1/rrip.h"

static size_t state_size(const struct cache_shape *shape)
{
    return sizeof(struct rrip) + cache_lines(shape);
}

static void init(void *state, const struct cache_shape *shape)
{
    struct rrip *r = state;
    *r = (struct rrip){.ways = shape->ways, .value = (uint8_t *)(r + 1)};
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    rrip_set(state, set, way, RRIP_NEAR);
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    (void)a;
    struct rrip *r = state;
    return rrip_victim(r, set, locked, 0, r->ways);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    (void)a;
    rrip_set(state, set, way, RRIP_LONG);
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
