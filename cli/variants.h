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
/* The same of those on which one of the plan's kernels does not fit. */
void variants_skip_unfit(struct plan *p, const struct options *o, FILE *notes);
/* False, with why the first was left out, when all designs were. */
bool variants_any(const struct plan *p, struct estimate_error *e);
void variants_note_skipped(const struct plan *p, FILE *notes);
void variants_free(struct plan *p);

#endif
