/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_VARIANTS_H
#define CLI_VARIANTS_H

#include "cli/points.h"

/* The GPUs of --gpu as configured, in order. Options of imported files that
 * have no counterpart are noted on `notes`, a line a file. */
bool gpus_load(struct gpu **out, size_t *count, const struct options *o,
               FILE *notes, struct error *e);

/* Fill plan.variant: every GPU under every combination of swept values, the
 * last key varying fastest. */
bool variants_create(struct plan *p, const struct options *o,
                     const struct gpu *gpus, size_t count, struct error *e);

#endif
