/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches that a profiler or another simulator tells of: a table with the
 * columns "Kernel Name", "Grid Size" and "Block Size", where they are known,
 * and cycles, as Nsight Compute prints it with --csv (the details page, a row a
 * metric, or --page raw, a row a launch), or table_file_read() makes of the
 * statistics that GPGPU-Sim and Accel-Sim print. */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include "cli/table_file.h"

/* Launches of one kernel and size. */
struct measured {
    const char *name, *grid, *block; /* "" where not said */
    double cycles;                   /* the mean */
    size_t launches;
    size_t row; /* of the table, the first */
};

bool measured_is(const struct table_file *t);
/* *out is the caller's to free, in either case. ESTIMATE_BAD_INPUT with file
 * and line. */
bool measured_read(struct measured **out, size_t *count,
                   const struct table_file *t, struct estimate_error *e);

/* Whether two names are of one function, whatever its arguments and namespace;
 * either may be mangled. */
bool measured_same_name(const char *a, const char *b);

#endif
