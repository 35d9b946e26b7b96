/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-file front end (FORMAT.md). */
#ifndef KERNELS_KERNEL_FILE_H
#define KERNELS_KERNEL_FILE_H

#include "kernels/kernel.h"

/* The kernel that `text`, size bytes and a NUL, describes; NULL with e set when
 * it is not a valid kernel file. `path` is what errors name, and gives the
 * kernel its name when the text does not. Phases are not analysed yet. */
struct kernel *kernel_file_parse(const char *text, size_t size,
                                 const char *path,
                                 const struct launch_options *options,
                                 struct error *e);

/* Read the file at path and parse it. */
struct kernel *kernel_file_read(const char *path,
                                const struct launch_options *options,
                                struct error *e);

#endif
