/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plain machine of a memory controller: what it does, it does as soon as
 * it can. Its door is one queue. */
#ifndef SAMPLER_MEMORY_CONTROLLER_PLAIN_H
#define SAMPLER_MEMORY_CONTROLLER_PLAIN_H

#include "sampler/memory/controller.h"

bool controller_plain_send(struct controller *c, uint32_t id, double now);
bool controller_plain_returned(struct controller *c, double now);
bool controller_plain_step(struct controller *c, uint64_t now);

#endif
