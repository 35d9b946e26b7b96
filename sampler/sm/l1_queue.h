/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With ldst.late_tags an access enters the queue of its L1 bank and is looked
 * up l1.latency cycles later, in order: a hit is answered then, a miss or a
 * store goes out, and one that cannot holds up those behind it until the queue,
 * as long as the latency, is full (GPGPU-Sim,
 * ldst_unit::L1_latency_queue_cycle).
 */
#ifndef SAMPLER_SM_L1_QUEUE_H
#define SAMPLER_SM_L1_QUEUE_H

#include "sampler/sm/sm.h"

bool l1_queue_init(struct sm *sm);
void l1_queue_free(struct sm *sm);
/* Blocked when the bank's queue is full. */
enum progress l1_queue_add(struct sm *sm, uint32_t op,
                           const struct transaction *t);
/* Look up what is due, one access a bank. */
void l1_queue_cycle(struct sm *sm);
/* The cycle, after now, of the next look-up, or NO_EVENT. */
uint64_t l1_queue_wake(const struct sm *sm);

#endif
