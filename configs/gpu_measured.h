/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The group `measured` of a configuration file: no key of the GPU, but what
 * kernels on the GPU itself have shown of estimates. */
#ifndef CONFIGS_GPU_MEASURED_H
#define CONFIGS_GPU_MEASURED_H

#include "configs/gpu.h"

#include <libconfig.h>

#define GPU_MEASURED_GROUP "measured"

/* One setting of the group, which holds `value` if a number. STATUS_BAD_INPUT
 * with file and line. */
bool gpu_measured_set(struct gpu_measured *m, const config_setting_t *s,
                      double value, const char *path, struct error *e);

/* The group as a whole, where a file has one. */
bool gpu_measured_check(const struct gpu_measured *m, const char *path,
                        struct error *e);

#endif
