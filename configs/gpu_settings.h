/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings of one libconfig text; `path` is what errors call it. All fail
 * with STATUS_BAD_INPUT. */
#ifndef CONFIGS_GPU_SETTINGS_H
#define CONFIGS_GPU_SETTINGS_H

#include "configs/gpu.h"

#include <libconfig.h>

/* Read text into *config, initialised by the caller, who destroys it. */
bool gpu_settings_parse(config_t *config, const char *text, const char *path,
                        struct error *e);

/* What the text is based on, and the line that says so; NULL: on nothing. *base
 * lives as long as *config. */
bool gpu_settings_base(const config_t *config, const char *path,
                       const char **base, int *line, struct error *e);

/* Whether the text states a key. */
bool gpu_settings_state(const config_t *config, const char *key);

/* Set the keys, name and summary that the text states. */
bool gpu_settings_apply(struct gpu *g, const config_t *config, const char *path,
                        struct error *e);

#endif
