/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cycles from elsewhere, a CSV of kernel, gpu, grid, block, tb, sched and
 * cycles, and the same points by this program. */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "cli/options.h"
#include "cli/table_file.h"

/* A row of the file. */
struct against_row {
    size_t line; /* its row in the file, from 0 on */
    const char *kernel, *gpu, *grid, *block, *sched; /* "" where not said */
    size_t which;                                    /* its case */
    int tb;                                          /* 0: as many as fit */
    int tb_index, policy_index;
    double cycles;
};

/* A kernel at one size on a GPU. */
struct against_case {
    size_t row; /* its first */
    struct estimate_input *input;
    size_t gpu; /* of those of the file */
    int *tb;    /* [tb_count], ascending */
    size_t tb_count;
};

struct against {
    const struct options *options;
    struct table_file file;
    struct against_row *row;
    size_t rows;
    struct against_case *at;
    size_t cases;
    const char **gpu_name; /* [gpus] */
    struct estimate_gpu **gpu;
    size_t gpus;
    struct estimate_policies *policy;
    size_t policies;
    struct estimate_profiles *profiles; /* of the model, NULL without --fit */
};

/* Read and load all that it names. ESTIMATE_BAD_INPUT with file and line.
 * against_free() in either case. */
bool against_load(struct against *a, const struct options *o,
                  struct estimate_error *e);
void against_free(struct against *a);

/* Cycles of every row in that mode on the file's GPUs as they are. */
bool against_estimate(double *cycles, const struct against *a,
                      enum estimate_mode mode, struct estimate_error *e);

#endif
