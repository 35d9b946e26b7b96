/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time: a machine's cycles one after another, without those in which nothing
 * can happen, up to a kernel's end or a limit. */
#ifndef SAMPLER_CLOCK_H
#define SAMPLER_CLOCK_H

#include "sampler/machine.h"

#include <stdbool.h>

/* Seconds since some moment, for limits. */
double clock_seconds(void);

/* Run the kernel that was started to its end; *partial when a limit came first:
 * the options' or `deadline` (clock_seconds). False with m->error set. */
bool clock_run_kernel(struct machine *m, double deadline, bool *partial);

#endif
