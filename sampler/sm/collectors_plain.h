/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plain machine around the collectors: an instruction is in one from issue
 * until its unit takes it. Where instructions compete the oldest goes first. */
#ifndef SAMPLER_SM_COLLECTORS_PLAIN_H
#define SAMPLER_SM_COLLECTORS_PLAIN_H

#include "sampler/sm/collectors.h"

/* Read operands, and hand what is complete to the units. */
void collectors_plain_cycle(struct collectors *c);
/* The cycle, after now, in which an instruction goes on by itself, or
 * UINT64_MAX. */
uint64_t collectors_plain_wake(struct collectors *c);

#endif
