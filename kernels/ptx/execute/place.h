/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the variables of a module lie, each inside its space. */
#ifndef KERNELS_PTX_EXECUTE_PLACE_H
#define KERNELS_PTX_EXECUTE_PLACE_H

#include "kernels/ptx/execute/decode.h"

/* Set p->address and the sizes of memory, for a launch of `entry`. Global
 * variables get addresses from `global_first` on. False with e set when they do
 * not fit. */
bool ptx_place_variables(struct ptx_program *p, uint32_t entry,
                         uint64_t global_first, struct error *e);

/* A parameter of the kernel: not in any thread's own memory. */
bool ptx_is_entry_parameter(const struct ptx_module *m,
                            const struct ptx_variable *v);
/* In the frame of its function. */
bool ptx_is_local(const struct ptx_module *m, const struct ptx_variable *v);

#endif
