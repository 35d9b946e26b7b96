/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the GPGPU-Sim importer share. */
#ifndef CONFIGS_GPGPUSIM_GPGPUSIM_H
#define CONFIGS_GPGPUSIM_GPGPUSIM_H

#include "configs/gpgpusim/gpgpusim_options.h"
#include "configs/gpu.h"

struct import {
    struct sim_options options;
    struct gpu *g;
    const char *path; /* of gpgpusim.config */
};

/* Set a key to what option o (NULL: none in particular) says; out of range is
 * an error at its line. */
bool import_set(struct import *im, const struct sim_option *o, const char *key,
                double value, struct error *e);

/* The number an option holds, `fallback` when it is not given. */
bool import_number(struct import *im, const char *name, double fallback,
                   double *value, struct error *e);

/* An option without which this is no GPU, or NULL with e set. */
const struct sim_option *import_required(struct import *im, const char *name,
                                         struct error *e);

bool import_caches(struct import *im, struct error *e);
bool import_network(struct import *im, struct error *e);
bool import_memory(struct import *im, struct error *e);

#endif
