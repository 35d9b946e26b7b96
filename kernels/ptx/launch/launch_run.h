/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launches of a launch file over its buffers, in a session. What is wrong
 * with one is told with its line. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_RUN_H
#define KERNELS_PTX_LAUNCH_LAUNCH_RUN_H

#include "kernels/ptx/launch/launch.h"
#include "kernels/ptx/launch/launch_file.h"

/* A session of `m`, the file's module, with the file's buffers placed. `seed`
 * is what they draw at random from. The module must outlive the session. */
bool launch_file_open(struct ptx_session *s, const struct launch_file *file,
                      const struct ptx_module *m, uint64_t seed,
                      struct error *e);

/* Set up launch `turn`, 0..turns-1. */
bool launch_file_set_up(struct ptx_session *s, const struct launch_file *file,
                        size_t turn, struct error *e);

/* Execute every launch in order; *out is the sum over all. */
bool launch_file_run(struct ptx_session *s, const struct launch_file *file,
                     struct ptx_totals *out, struct error *e);

#endif
