/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways a GPU comes in, behind gpu_load(). All fill every key of g. */
#ifndef CONFIGS_GPU_FILES_H
#define CONFIGS_GPU_FILES_H

#include "configs/gpu.h"

/* Every key at its fallback, no name. */
void gpu_defaults(struct gpu *g);

/* Read a libconfig text; `path` is what errors call it. */
bool gpu_parse(struct gpu *g, const char *text, const char *path,
               struct error *e);

/* Read gpgpusim.config at `path` and, where there is one, trace.config in the
 * same folder. `ignored` as in gpu_load(). */
bool gpu_import_gpgpusim(struct gpu *g, const char *path, char *ignored,
                         size_t ignored_size, struct error *e);

/* The whole of a text file, to be freed; NULL with e (STATUS_BAD_INPUT) set. */
char *gpu_read_text(const char *path, struct error *e);

#endif
