/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All blocks of a launch in turns, for what their atomics return
 * (execute/tickets.h). */
#ifndef KERNELS_PTX_LAUNCH_DRAW_TICKETS_H
#define KERNELS_PTX_LAUNCH_DRAW_TICKETS_H

#include "kernels/ptx/execute/tickets.h"

/* Execute as many blocks at once as there is room for, each of which sees
 * memory as streams do, in a version of its own where `view` is by block; when
 * one ends the next one begins. A grid that takes too much is left unfinished.
 * False with e set: no memory, or the launch's stop is due; a block's fault
 * only ends it. */
bool ptx_tickets_draw(struct ptx_tickets *out, const struct ptx_launch *l,
                      struct ptx_view view, struct error *e);

#endif
