/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rows.h"

#include <stdlib.h>

/* Accesses that are compared. Chosen: of 32 warps eight each. */
#define COMPARED 256

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* After how many blocks the one access comes to where the other is, where both
 * move alike; 0: never. */
static uint64_t blocks_apart(const struct access *here,
                             const struct access *next, size_t i, size_t j)
{
    uint64_t move = distance(here[i].address, next[i].address);
    uint64_t apart = distance(here[i].address, here[j].address);
    bool alike =
        next[i].address - here[i].address == next[j].address - here[j].address;
    return move > 0 && alike && apart % move == 0 ? apart / move : 0;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of sorted numbers, how many are as the one at i, from there on. */
static size_t alike(const uint64_t *value, size_t count, size_t i)
{
    size_t end = i;
    while (end < count && value[end] == value[i])
        end++;
    return end - i;
}

/* The smallest of numbers that come at least half as often as any: buffers,
 * too, are so many blocks apart, but more. */
static uint64_t smallest_common(uint64_t *value, size_t count)
{
    size_t most = 0, i = 0;
    qsort(value, count, sizeof(*value), by_value);
    for (size_t n; i < count; i += n) {
        n = alike(value, count, i);
        most = n > most ? n : most;
    }
    for (i = 0; 2 * alike(value, count, i) < most;)
        i += alike(value, count, i);
    return value[i];
}

bool rows_find(uint64_t *row, const struct access *here,
               const struct access *next, size_t count, uint64_t blocks)
{
    size_t n = count < COMPARED ? count : COMPARED, found = 0;
    uint64_t *apart = malloc((n * n / 2 + 1) * sizeof(*apart));
    if (apart == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            uint64_t d = blocks_apart(here, next, i, j);
            if (d > 1 && d <= blocks / 2)
                apart[found++] = d;
        }
    *row = found > 0 ? smallest_common(apart, found) : 0;
    free(apart);
    return true;
}
