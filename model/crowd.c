/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/crowd.h"

#include "model/mix.h"

#include <stdlib.h>

/* Of a line, and of its sector i. */
#define LINE_KEYS 64

static uint64_t line_key(uint64_t line)
{
    return line * LINE_KEYS + LINE_KEYS - 1;
}

static uint64_t sector_key(uint64_t line, int sector)
{
    return line * LINE_KEYS + (uint64_t)sector;
}

static struct crowd_place *find(const struct crowd *c, uint64_t key)
{
    size_t at = mix(key) % c->capacity;
    while (c->place[at].blocks > 0 && c->place[at].key != key)
        at = (at + 1) % c->capacity;
    return &c->place[at];
}

static bool grow(struct crowd *c)
{
    struct crowd old = *c;
    c->capacity = old.capacity > 0 ? 2 * old.capacity : 4096;
    c->place = calloc(c->capacity, sizeof(*c->place));
    if (c->place == NULL) {
        *c = old;
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++)
        if (old.place[i].blocks > 0)
            *find(c, old.place[i].key) = old.place[i];
    free(old.place);
    return true;
}

static bool add(struct crowd *c, uint64_t key)
{
    if (2 * c->used >= c->capacity && !grow(c))
        return false;
    struct crowd_place *p = find(c, key);
    c->used += p->blocks == 0;
    p->key = key;
    p->blocks++;
    return true;
}

bool crowd_add(struct crowd *c, const struct first_touch *touch, size_t count)
{
    c->blocks++;
    for (size_t i = 0; i < count; i++) {
        const struct first_touch *t = &touch[i];
        if (t->cold && !add(c, line_key(t->line)))
            return false;
        for (uint32_t left = t->sectors; left != 0; left &= left - 1)
            if (!add(c, sector_key(t->line, __builtin_ctz(left))))
                return false;
    }
    return true;
}

void crowd_free(struct crowd *c)
{
    free(c->place);
}

/* Of first touches: how many, the mean share of the other blocks that touch the
 * same, and of pairs of them. */
struct alike {
    double touches, once, twice;
};

static void count_touch(struct alike *a, const struct crowd *c, uint64_t key)
{
    double all = c->blocks - 1, others = find(c, key)->blocks - 1.0;
    a->touches++;
    a->once += others / all;
    a->twice += others * (others - 1) / (all * (all - 1));
}

/* Where rows of the grid do not explain as much. */
static bool in_rows(const double sum[SHARING_SUMS], const struct alike *a)
{
    double rows = sum[SHARED_NEAR_ALL] + sum[SHARED_FAR_ALL];
    return rows * a->touches > sum[SHARED_COLD] * a->once;
}

/* What neighbours touch as any two blocks do, and the next block of the SM, is
 * chance as well. */
static void leave_to_chance(double *shared, double *by_all, double chance)
{
    double left = *shared > chance ? 1 - chance / *shared : 0;
    *shared *= left;
    *by_all *= left;
}

static void set_wide(double sum[SHARING_SUMS], const struct alike *a)
{
    double once = sum[SHARED_COLD] * a->once / a->touches;
    leave_to_chance(&sum[SHARED_NEAR], &sum[SHARED_NEAR_ALL], once);
    leave_to_chance(&sum[SHARED_FAR], &sum[SHARED_FAR_ALL], once);
    leave_to_chance(&sum[SHARED_PARTNER], &sum[SHARED_PARTNER_ALL], once);
    sum[SHARED_WIDE] = once;
    sum[SHARED_WIDE_PAIRS] = sum[SHARED_COLD] * a->twice / a->touches;
}

static void count_sectors(struct alike *of, const struct crowd *c,
                          const struct first_touch *touch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t left = touch[i].reads ? touch[i].sectors : 0; left != 0;
             left &= left - 1)
            count_touch(&of[touch[i].phase], c,
                        sector_key(touch[i].line, __builtin_ctz(left)));
}

bool crowd_count(const struct crowd *c, const struct first_touch *touch,
                 size_t count, struct profile_phase *const *phase,
                 size_t phases, double lines[SHARING_SUMS])
{
    struct alike *of = calloc(phases + 1, sizeof(*of)), all = {.touches = 0};
    if (of == NULL)
        return false;
    count_sectors(of, c, touch, count);
    for (size_t i = 0; i < count; i++)
        if (touch[i].cold)
            count_touch(&all, c, line_key(touch[i].line));
    for (size_t i = 0; i < phases; i++) {
        double *sum =
            of[i].touches > 0 ? &phase[i]->metric[PHASE_SHARING] : NULL;
        if (sum != NULL && !in_rows(sum, &of[i]))
            set_wide(sum, &of[i]);
    }
    if (all.touches > 0 && !in_rows(lines, &all))
        set_wide(lines, &all);
    free(of);
    return true;
}
