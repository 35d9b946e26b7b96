/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/room.h"

#include <math.h>
#include <stdlib.h>

void reach_to(struct reach *r, uint64_t line)
{
    r->first = r->end == 0 || line < r->first ? line : r->first;
    r->end = line < r->end ? r->end : line + 1;
}

static int by_first(const void *a, const void *b)
{
    const struct reach *const *x = a, *const *y = b;
    return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

/* How many of `count`, by their first lines, lie among each other's with the
 * first of them; *end of all their lines. */
static size_t in_one_room(struct reach *const *of, size_t count, uint64_t *end)
{
    size_t n = 1;
    *end = of[0]->end;
    for (; n < count && of[n]->first < *end; n++)
        *end = of[n]->end > *end ? of[n]->end : *end;
    return n;
}

static double share_of(double room, double touches)
{
    return touches > room ? room / touches : 1;
}

static void set_room(struct reach *const *of, size_t count, uint64_t end,
                     const struct looked_at *at, double line_sectors)
{
    double room = (double)(end - of[0]->first) * (1 + 1 / at->blocks);
    double all = at->of / at->blocks, lines = 0, sectors = 0;
    for (size_t i = 0; i < count; i++) {
        lines += of[i]->lines * all;
        sectors += of[i]->sectors * all;
    }
    for (size_t i = 0; i < count; i++) {
        of[i]->lines_room = share_of(room, lines);
        of[i]->sectors_room = share_of(room * line_sectors, sectors);
    }
}

bool rooms_find(struct reach *reach, size_t count, const struct looked_at *at,
                double line_sectors)
{
    struct reach **of = malloc((count + 1) * sizeof(struct reach *));
    size_t used = 0;
    if (of == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (reach[i].end > 0)
            of[used++] = &reach[i];
    qsort(of, used, sizeof(struct reach *), by_first);
    for (size_t i = 0, n; i < used; i += n) {
        uint64_t end;
        n = in_one_room(of + i, used - i, &end);
        set_room(of + i, n, end, at, line_sectors);
    }
    free(of);
    return true;
}
