/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel-file front end (FORMAT.md). */
#ifndef KERNELS_FILE_KERNEL_FILE_H
#define KERNELS_FILE_KERNEL_FILE_H

#include "kernels/form/load_options.h"

/* What `text`, size bytes and a NUL, describes: a kernel, or an application's
 * launches. False with e set when it is not a valid kernel file. `path` is what
 * errors name, and gives the kernel its name when the text does not. Phases are
 * not analysed yet. */
bool kernel_file_load(struct kernel_list *out, const char *text, size_t size,
                      const char *path, const struct load_options *options,
                      struct error *e);

/* Likewise, of a text that describes a single kernel; NULL with e set when it
 * does not. */
struct kernel *kernel_file_parse(const char *text, size_t size,
                                 const char *path,
                                 const struct load_options *options,
                                 struct error *e);

/* Whether `name` is a bundled kernel's. */
bool kernel_file_is_bundled(const char *name);

/* Load the bundled kernel of that name, or read the file at path. */
bool kernel_file_read(struct kernel_list *out, const char *path,
                      const struct load_options *options, struct error *e);

#endif
