/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which changes there are to try. */
#ifndef CLI_WHAT_IF_LIST_H
#define CLI_WHAT_IF_LIST_H

#include "cli/what_if.h"

/* Fill the list with what can be changed, nothing run. */
bool what_if_collect(struct what_if_list *out, const struct plan *p,
                     const struct options *o, struct estimate_error *e);

/* The most registers of a thread, or bytes of shared memory of a block, below
 * what the kernel takes with which one more block fits on an SM; 0: none. */
uint32_t fewer_registers(const struct plan_case *c);
uint32_t fewer_shared_bytes(const struct plan_case *c);

#endif
