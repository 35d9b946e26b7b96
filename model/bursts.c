/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/bursts.h"

#include <math.h>

double burst_wait(double warps, const struct burst *b)
{
    return fmax(0, warps * b->work - b->span);
}

/* Lindley's recursion: what is queued shrinks between two requests, until the
 * unit is free. */
void burst_add(struct burst_search *b, double warps, double time, double cycles)
{
    if (warps * b->now.work <= time - b->start) {
        b->now.work = 0;
        b->start = time;
    }
    b->now.work += cycles;
    b->now.span = time - b->start + cycles;
    double wait = burst_wait(warps, &b->now);
    if (wait > b->wait) {
        b->wait = wait;
        b->worst = b->now;
    }
}

struct burst burst_end(struct burst_search *b)
{
    struct burst worst = b->worst;
    *b = (struct burst_search){.wait = 0};
    return worst;
}
