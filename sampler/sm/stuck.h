/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to say of an SM none of whose warps will ever issue again. */
#ifndef SAMPLER_SM_STUCK_H
#define SAMPLER_SM_STUCK_H

#include "sampler/sm/core.h"

#include <stddef.h>

/* One line on what the first of its warps wait for. */
void stuck_describe(const struct sm_core *core, char *out, size_t size);

#endif
