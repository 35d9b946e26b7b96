/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine around the collectors with stage.registers: an instruction waits
 * for a collector in one pipeline register and for its unit in another. A cycle
 * hands instructions to units, then does its read steps: out of collectors,
 * operands, into collectors (opndcoll_rfu_t::step in GPGPU-Sim's shader.h).
 * Where instructions compete the oldest goes first; in GPGPU-Sim it is the next
 * in turn. */
#ifndef SAMPLER_SM_COLLECTORS_STAGED_H
#define SAMPLER_SM_COLLECTORS_STAGED_H

#include "sampler/sm/collectors.h"

void collectors_staged_cycle(struct collectors *c);
/* The cycle, after now, in which an instruction goes on by itself, or
 * UINT64_MAX. What waits for another register or a collector gets it when
 * something moves. */
uint64_t collectors_staged_wake(struct collectors *c);

#endif
