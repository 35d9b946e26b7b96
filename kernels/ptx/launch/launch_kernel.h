/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launch files as kernels for the engines. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_KERNEL_H
#define KERNELS_PTX_LAUNCH_LAUNCH_KERNEL_H

#include "kernels/form/load_options.h"

/* Load what launch_input_is() takes: a kernel for every launch in order, which
 * finds memory as the launches before it leave it. One launch is a kernel that
 * is named as the file says, several are an application of that name. Of the
 * options only registers and the seed may be given. */
bool launch_kernel_load(struct kernel_list *out, const char *input,
                        const struct load_options *o, struct error *e);

/* STATUS_USAGE when the options say what is the launch file's to say. */
bool launch_file_check_options(const char *input, const struct load_options *o,
                               struct error *e);

#endif
