/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The PTX text in a fat binary: a header, then entries, each the machine code
 * of an architecture or a PTX text, plain or compressed (LZ4 or zstd). The
 * format is not documented; this follows what nvcc 11 to 13 write. */
#ifndef CUDA_FATBIN_H
#define CUDA_FATBIN_H

#include <estimate.h>

/* The newest PTX text for `arch` (sm_ number of the GPU), or the oldest of all
 * when every one is newer, NUL-terminated and to be freed. NULL with e set:
 * there is none (ESTIMATE_BAD_INPUT), or it cannot be read. */
char *fatbin_ptx(const void *image, unsigned arch, size_t *size,
                 struct estimate_error *e);

#endif
