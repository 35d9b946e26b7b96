/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether long work is to be given up. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>

struct stop {
    const volatile int *cancel; /* non-zero: yes; NULL: nobody asks */
    double deadline_s;          /* of stop_clock(), 0: none */
};

double stop_clock(void); /* monotonic seconds */

/* False for NULL. */
bool stop_due(const struct stop *s);

#endif
