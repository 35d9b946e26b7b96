/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_VARIANTS_H
#define CLI_VARIANTS_H

#include "cli/points.h"

struct gpu_list {
    struct estimate_gpu **gpu;
    size_t count;
};

/* The GPUs of --gpu as configured, in order. Options of imported files that
 * have no counterpart are noted on `notes`, a line a file. gpus_free() also
 * after a failure. */
bool gpus_load(struct gpu_list *out, const struct options *o, FILE *notes,
               struct estimate_error *e);
void gpus_free(struct gpu_list *list);

/* Fill plan.variant: every GPU under every combination of swept values, the
 * last key varying fastest. Combinations that make no GPU are counted on
 * `notes` and left out; ESTIMATE_USAGE when none is left. */
bool variants_create(struct plan *p, const struct options *o,
                     const struct gpu_list *gpus, FILE *notes,
                     struct estimate_error *e);

#endif
