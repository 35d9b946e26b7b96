/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_VARIANTS_H
#define CLI_VARIANTS_H

#include "cli/points.h"

/* The GPUs of --gpu as configured, in order. Options of imported files that
 * have no counterpart are noted on `notes`, a line a file. gpus_free() also
 * after a failure. */
bool gpus_load(struct gpu_list *out, const struct options *o, FILE *notes,
               struct estimate_error *e);
void gpus_free(struct gpu_list *list);

/* What is swept of plan.gpus, and how many designs it makes. */
void variants_begin(struct plan *p, const struct options *o);
/* Fill plan.variant with the next designs, at most `most`, in the place of
 * those there are. Combinations that make no GPU are counted, told on `notes`
 * when verbose, and left out. */
bool variants_take(struct plan *p, const struct options *o, uint64_t most,
                   FILE *notes, struct estimate_error *e);
/* Tell of those left out; ESTIMATE_USAGE when they were all. */
bool variants_skipped(const struct plan *p, FILE *notes,
                      struct estimate_error *e);
void variants_free(struct plan *p);

#endif
