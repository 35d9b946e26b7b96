/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table in a file, as text: CSV (RFC 4180), or what this program writes as
 * JSON and JSON Lines. Of what Nsight Compute prints with --csv the lines of
 * the program and of its own progress are passed over; of the statistics of
 * GPGPU-Sim and Accel-Sim a row a launch is made, of the columns "Kernel Name"
 * and gpu_sim_cycle. */
#ifndef CLI_TABLE_FILE_H
#define CLI_TABLE_FILE_H

#include "cli/error.h"

struct table_file {
    const char *path;
    char *text;        /* of the whole file; the cells are in it */
    const char **cell; /* [rows * columns]; column names are row 0 */
    int *line;         /* [rows], where each begins */
    size_t rows, columns;
};

/* ESTIMATE_BAD_INPUT with file and line for what is no table, and for one
 * without a row. table_file_free() in either case. */
bool table_file_read(struct table_file *t, const char *path,
                     struct estimate_error *e);
void table_file_free(struct table_file *t);

/* A column's number by its name, -1: there is none. */
int table_file_column(const struct table_file *t, const char *name);
/* The cell of a row (from 1 on), empty where there is no such column. */
const char *table_file_cell(const struct table_file *t, size_t row, int column);

#endif
