/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/neighbours.h"

#include "base/bits.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "model/constants.h"

#include <math.h>

/* Blocks from one to a remote one: parts of the grid that are far from each
 * other and from simple fractions. */
static int64_t remote_step(uint64_t blocks, uint64_t centre, double part)
{
    uint64_t step = (uint64_t)(part * (double)blocks);
    return (int64_t)((centre + step) % blocks) - (int64_t)centre;
}

/* Rows to a far one, with so many above and below: FAR, or as many as there are
 * on either side, two at least. */
static int64_t far_row(int64_t above, int64_t below)
{
    int64_t most = below >= above ? below : -above;
    if (below >= FAR)
        return FAR;
    if (above >= FAR)
        return -FAR;
    return most > 1 || most < -1 ? most : 0;
}

int64_t neighbours_row(const struct kernel *k)
{
    return k->row > 0 ? k->row : k->grid.x;
}

int64_t neighbours_plane(const struct kernel *k)
{
    bool of_grid = neighbours_row(k) == k->grid.x;
    bool planes = of_grid && k->grid.y > 1 && k->grid.z > 1;
    return planes ? (int64_t)k->grid.x * k->grid.y : 0;
}

uint64_t neighbours_blocks(const struct kernel *k)
{
    return k->period > 0 && k->period < k->blocks ? k->period : k->blocks;
}

bool neighbour_block(const struct kernel *k, const struct gpu *g, int64_t x,
                     uint64_t centre, int which, uint64_t *out)
{
    const uint64_t blocks = neighbours_blocks(k);
    const int64_t row = x < (int64_t)blocks ? x : 0;
    const int64_t side = x == neighbours_plane(k) ? neighbours_row(k) : x;
    const int64_t column = (int64_t)centre % side, y = (int64_t)centre / x;
    const int64_t below = ((int64_t)blocks - 1 - (int64_t)centre) / x;
    const int64_t step[NEIGHBOURS] = {
        [CENTRE] = 0,
        [RIGHT] = column + 1 < side,
        [NEXT_ROW] = neighbours_plane(k) > 0 ? neighbours_row(k) : 0,
        [NEXT_PLANE] = neighbours_plane(k),
        [LEFT] = -(column > 0),
        [PARTNER] = g->sms,
        [SECOND] = 2 * (int64_t)g->sms,
        [BELOW] = row,
        [ABOVE] = -row,
        [FAR_RIGHT] = column + FAR < side ? FAR
                      : column >= FAR     ? -FAR
                                          : 0,
        [FAR_BELOW] = far_row(y, below) * row,
        [REMOTE] =
            remote_step(blocks, centre, 0.382), /* of the golden section */
        [REMOTE_TOO] = remote_step(blocks, centre, 0.618),
    };
    int64_t block = (int64_t)centre + step[which];
    *out = (uint64_t)block;
    return block >= 0 && (uint64_t)block < blocks &&
           (which == CENTRE || step[which] != 0);
}

/* Of what the centre touches, in one direction of the grid. */
struct sharers {
    double taken; /* 1 - 1/n where n blocks touch it */
    bool all;     /* all blocks do */
};

enum touching { NONE, ONE_SIDE, BOTH_SIDES, ALL };

static enum touching touching_of(uint32_t mask, uint32_t known, uint32_t sides,
                                 uint32_t far)
{
    int touching = count_bits(mask & sides);
    if (touching == 0)
        return NONE;
    if (touching < count_bits(known & sides))
        return ONE_SIDE;
    return (mask & far) || !(known & far) ? ALL : BOTH_SIDES;
}

static enum touching in_row(uint32_t mask, uint32_t known)
{
    return touching_of(mask, known, BIT(RIGHT) | BIT(LEFT), BIT(FAR_RIGHT));
}

static enum touching across_rows(uint32_t mask, uint32_t known)
{
    return touching_of(mask, known, BIT(ABOVE) | BIT(BELOW), BIT(FAR_BELOW));
}

static void add_sides(struct sides *s, enum touching t, double weight)
{
    s->both += t == BOTH_SIDES ? weight : 0;
    s->one += t == ONE_SIDE ? weight : 0;
}

void neighbours_add_sides(struct group_sides *s, uint32_t mask, uint32_t known,
                          double weight)
{
    add_sides(&s->near, in_row(mask, known), weight);
    add_sides(&s->far, across_rows(mask, known), weight);
}

/* Of a line that successive blocks touch, the first and the last have one on
 * one side that does, and all others have two. So there are half as many lines
 * as touches on one side, which are counted there, and those on both sides add
 * none: but as many as if the far block had come next. Where no end shows, some
 * blocks between three and as many. */
static double taken_by_some(const struct sides *s, double all)
{
    if (s->one <= 0 || s->both <= 0)
        return 1 - 1 / fmin(all, sqrt(3.0 * FAR));
    double least = (s->both + s->one) / fmin(all, FAR) - s->one / 2;
    return 1 - fmax(0, least) / s->both;
}

/* All touch it when those on either side do and the far one as well (or is not
 * known), some in between when that one does not, else two. */
static struct sharers sharers_of(enum touching t, const struct sides *sides,
                                 double all)
{
    switch (t) {
    case NONE:
        return (struct sharers){0, false};
    case ONE_SIDE:
        return (struct sharers){1 - 1 / 2.0, false};
    case BOTH_SIDES:
        return (struct sharers){taken_by_some(sides, all), false};
    case ALL:
        break;
    }
    return (struct sharers){1 - 1 / fmax(1, all), true};
}

/* Whether so many distant blocks touch what the centre does that they do so by
 * chance, where the grid's order does not explain it. */
static bool count_by_chance(double sum[SHARING_SUMS], uint32_t mask,
                            uint32_t known, double weight)
{
    double touching = count_bits(mask & DISTANT);
    double all = count_bits(known & DISTANT);
    if (touching == 0)
        return false;
    sum[SHARED_WIDE] += weight * touching / all;
    if (all > 1)
        sum[SHARED_WIDE_PAIRS] +=
            weight * touching * (touching - 1) / (all * (all - 1));
    return touching > 1;
}

void neighbours_count(double sum[SHARING_SUMS], const struct kernel *k,
                      int64_t row, uint32_t mask, uint32_t known,
                      const struct group_sides *sides, double weight)
{
    struct sharers near =
        sharers_of(in_row(mask, known), &sides->near, (double)row);
    struct sharers far = sharers_of(across_rows(mask, known), &sides->far,
                                    (double)neighbours_blocks(k) / (double)row);
    bool next = mask & BIT(PARTNER);
    sum[SHARED_COLD] += weight;
    sum[SHARED_PARTNER] += next ? weight : 0;
    if (next && ((mask & BIT(SECOND)) || !(known & BIT(SECOND))))
        sum[SHARED_PARTNER_ALL] += weight;
    if (!near.all && !far.all && count_by_chance(sum, mask, known, weight))
        return;
    if ((mask & BIT(FAR_RIGHT)) && near.taken <= 0 && !far.all)
        sum[SHARED_MIDDLE] += weight;
    double in_row = weight * near.taken;
    double beyond = (weight - in_row) * far.taken;
    sum[SHARED_NEAR] += in_row;
    sum[SHARED_NEAR_ALL] += near.all ? in_row : 0;
    sum[SHARED_FAR] += beyond;
    sum[SHARED_FAR_ALL] += far.all ? beyond : 0;
}
