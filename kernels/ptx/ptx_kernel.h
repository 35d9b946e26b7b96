/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX as a kernel for the engines: a launch whose blocks are executed when
 * their streams are read, each by itself over the memory that the launch finds,
 * with what it writes kept apart. What blocks tell each other through memory is
 * therefore not seen.
 *
 * Warps run as they are read, up to the next barrier; a kernel that uses what
 * an atomic returns runs all warps of a block in turns of a fixed length
 * instead, so that the streams do not depend on who reads first. */
#ifndef KERNELS_PTX_PTX_KERNEL_H
#define KERNELS_PTX_PTX_KERNEL_H

#include "kernels/kernel.h"

/* Load the file's entry with the launch and arguments of the options. The
 * first block is executed to see that it can be. */
bool ptx_kernel_load(struct kernel_list *out, const char *path,
                     const struct launch_options *o, struct error *e);

#endif
