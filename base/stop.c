/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/stop.h"

#include <stddef.h>
#include <time.h>

double stop_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool stop_due(const struct stop *s)
{
    return s != NULL && ((s->cancel != NULL && *s->cancel != 0) ||
                         (s->deadline_s > 0 && stop_clock() >= s->deadline_s));
}
