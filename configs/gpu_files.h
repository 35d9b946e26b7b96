/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways a GPU comes in, behind gpu_load(). */
#ifndef CONFIGS_GPU_FILES_H
#define CONFIGS_GPU_FILES_H

#include "configs/gpu.h"

/* Every key at its fallback, no name. */
void gpu_defaults(struct gpu *g);

/* Keys that a file may leave out at their fallback, all others unset, no name.
 */
void gpu_blank(struct gpu *g);
bool gpu_key_is_set(const struct gpu *g, const struct gpu_key *key);

/* Read a libconfig text that says every key, or is based on another one that
 * does; `path` is what errors call it, and where other files are looked for. */
bool gpu_parse(struct gpu *g, const char *text, const char *path,
               struct error *e);

/* Read gpgpusim.config at `path` and, where there is one, trace.config in the
 * same folder. `ignored` as in gpu_load(). */
bool gpu_import_gpgpusim(struct gpu *g, const char *path, char *ignored,
                         size_t ignored_size, struct error *e);

/* The whole of a text file, to be freed; NULL with e (STATUS_BAD_INPUT) set. */
char *gpu_read_text(const char *path, struct error *e);

/* The path of the file `name`, seen from the folder of the one at `path`, to be
 * freed; NULL when out of memory. */
char *gpu_path_beside(const char *path, const char *name);

#endif
