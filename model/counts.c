/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/counts.h"

#include "base/arrays.h"

void counts_free(struct counts *c)
{
    for (size_t i = 0; i < c->numbers; i++)
        free(c->of[i].raise);
    free(c->of);
}

void counts_reset(struct counts *c)
{
    counts_free(c);
    *c = (struct counts){0};
}

static bool make(struct counts *c, uint32_t number)
{
    if (number < c->numbers)
        return true;
    size_t more = number + (size_t)1 - c->numbers;
    if (!array_room(&c->of, c->numbers, more))
        return false;
    memset(&c->of[c->numbers], 0, more * sizeof(*c->of));
    c->numbers += more;
    return true;
}

bool counts_raise(struct counts *c, uint32_t number,
                  const double time[MEMORY_LEVELS])
{
    if (!make(c, number))
        return false;
    struct raised *r = &c->of[number];
    if (!array_room(&r->raise, r->times, 1))
        return false;
    struct raise *now = &r->raise[r->times];
    for (int x = 0; x < MEMORY_LEVELS; x++) {
        now->time[x] = time[x];
        if (r->times > 0 && r->raise[r->times - 1].time[x] > time[x])
            now->time[x] = r->raise[r->times - 1].time[x];
    }
    r->times++;
    c->raises++;
    return true;
}

const double *counts_time(const struct counts *c, uint32_t number,
                          uint32_t times)
{
    static const double from_the_start[MEMORY_LEVELS];
    if (times == 0)
        return from_the_start;
    if (number >= c->numbers || c->of[number].times < times)
        return NULL;
    return c->of[number].raise[times - 1].time;
}
