/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine of a memory controller with dram.clocked (GPGPU-Sim l2cache.cc,
 * memory_partition_unit::dram_cycle). Each slice has a queue of its own at the
 * door, behind one that lets a packet on each L2 cycle. In a command clock the
 * channel does its work, then the slice whose turn it is sends one packet into
 * the pipeline, then the pipeline one to the channel. Of what may be under way
 * one place is kept for each slice. A slice takes the data of one read an L2
 * cycle. */
#ifndef SAMPLER_MEMORY_CONTROLLER_CLOCKED_H
#define SAMPLER_MEMORY_CONTROLLER_CLOCKED_H

#include "sampler/memory/controller.h"

/* With all set that both machines have. False when memory is out. */
bool controller_clocked_init(struct controller *c);
bool controller_clocked_send(struct controller *c, uint32_t id, double now);
bool controller_clocked_step(struct controller *c, uint64_t now);

#endif
