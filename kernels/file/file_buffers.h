/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups `buffers` and `constants` of a kernel file: what has a name in all
 * of its expressions. Buffers lie one after another in global memory. */
#ifndef KERNELS_FILE_FILE_BUFFERS_H
#define KERNELS_FILE_FILE_BUFFERS_H

#include "kernels/file/config_file.h"
#include "kernels/file/expr.h"

struct file_buffers {
    struct named_value *named; /* buffers and their addresses, constants */
    size_t named_count;
    struct buffer *range; /* of each buffer */
    size_t count;
};

/* Fill *out, which is zeroed. False with the file's error set;
 * file_buffers_free() in either case. */
bool file_buffers_read(struct file_buffers *out, const struct config_file *f);
void file_buffers_free(struct file_buffers *b);

/* Tell the kernel of the ranges. */
bool file_buffers_copy(const struct file_buffers *b, struct kernel *k,
                       struct error *e);

#endif
