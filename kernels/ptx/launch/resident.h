/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches whose blocks wait for each other: all of them are there at the same
 * time and go on in turns. */
#ifndef KERNELS_PTX_LAUNCH_RESIDENT_H
#define KERNELS_PTX_LAUNCH_RESIDENT_H

#include "kernels/ptx/launch/launch.h"

/* The launch must have l->workspace and no clusters. */
bool ptx_launch_run_resident(const struct ptx_launch *l, struct ptx_view view,
                             struct ptx_totals *out, struct error *e);

#endif
