/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/moves.h"

#include <stdlib.h>

/* An access by what it is of, and where it stands. */
struct placed {
    uint64_t of;
    size_t at;
};

static int by_what_then_where(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void set_sorted(struct placed *out, const struct access *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (struct placed){(uint64_t)x[i].inst << 32 | x[i].warp, i};
    qsort(out, count, sizeof(*out), by_what_then_where);
}

static double distance(const struct access *from, const struct access *to)
{
    return (double)(int64_t)(to->address - from->address);
}

bool moves_find(double *move, const struct access *from, size_t count,
                const struct access *to, size_t to_count)
{
    struct placed *here = malloc((count + to_count + 1) * sizeof(*here));
    if (here == NULL)
        return false;
    struct placed *there = here + count;
    double last = 0;
    set_sorted(here, from, count);
    set_sorted(there, to, to_count);
    for (size_t i = 0, j = 0; i < count; i++) {
        bool again = i > 0 && here[i].of == here[i - 1].of;
        while (!again && j < to_count && there[j].of < here[i].of)
            j++;
        if (j < to_count && there[j].of == here[i].of) {
            last = distance(&from[here[i].at], &to[there[j].at]);
            j++;
        }
        move[here[i].at] = last;
    }
    free(here);
    return true;
}
