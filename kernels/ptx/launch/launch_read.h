/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what the user named to a launch file and its module. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_READ_H
#define KERNELS_PTX_LAUNCH_LAUNCH_READ_H

#include "kernels/ptx/launch/launch_file.h"
#include "kernels/ptx/parse/ptx.h"

/* Whether `name` is a bundled example's ("ptx-spmv"). */
bool launch_file_is_bundled(const char *name);

/* Whether `input` is a bundled example's name ("ptx-spmv") or a path that ends
 * in .launch. */
bool launch_input_is(const char *input);

/* Read such an input and the module it names. False with e set, nothing is left
 * to free. */
bool launch_input_read(struct launch_file *file, struct ptx_module *m,
                       const char *input, struct error *e);

#endif
