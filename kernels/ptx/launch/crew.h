/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that wait for work, which all of them do at the same time. */
#ifndef KERNELS_PTX_LAUNCH_CREW_H
#define KERNELS_PTX_LAUNCH_CREW_H

#include <stdbool.h>

struct ptx_crew;

/* The caller and `workers` - 1 threads of its own. NULL: no memory, or no
 * threads. */
struct ptx_crew *ptx_crew_create(unsigned workers);
void ptx_crew_free(struct ptx_crew *c);

unsigned ptx_crew_workers(const struct ptx_crew *c); /* 1 for NULL */

/* Let every worker, 0 being the caller, do `work`; return when all are done. */
void ptx_crew_run(struct ptx_crew *c, void (*work)(void *user, unsigned worker),
                  void *user);

#endif
