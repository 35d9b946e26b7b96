/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches of PTX kernels whose cycles and counters were measured on a GPU, as
 * a table names them: a row a kernel with the columns kernel, entry_prefix,
 * grid and block (1, 2 or 3 sides, "8x66"), args (as --arg takes them, blanks
 * between), cycles, and sectors of 32 bytes read and written in L2 and DRAM. */
#ifndef BENCH_LAUNCHES_H
#define BENCH_LAUNCHES_H

#include "kernels/form/load_options.h"

#define LAUNCH_ARGS 32
#define LAUNCH_PATH 1024

struct measured_launch {
    char kernel[64], entry_prefix[128];
    char grid[32], block[32], args[1024];
    double cycles; /* launch included */
    double dram_read_sectors, dram_write_sectors;
    double l2_read_hit, l2_read_miss, l2_write_hit;
};

/* *out gets *count launches, which the caller frees. */
bool launches_load(struct measured_launch **out, size_t *count,
                   const char *path, struct error *e);

/* A launch as it is loaded: `options` point into it. */
struct prepared_launch {
    char file[LAUNCH_PATH], entry[LAUNCH_PATH];
    char arg[LAUNCH_ARGS][LAUNCH_PATH];
    const char *args[LAUNCH_ARGS];
    struct load_options options;
};

/* Find the .ptx file of `folder` with the one entry of the launch's prefix, and
 * set up its options. Fills "file:iN" and the like, indices of neighbours in an
 * image, are written to `work`. */
bool launch_prepare(struct prepared_launch *out,
                    const struct measured_launch *l, const char *folder,
                    const char *work, struct error *e);

#endif
