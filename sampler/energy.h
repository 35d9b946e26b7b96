/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energy of a run: events times what each takes (gpu.energy). Nothing for idle
 * time, clocks and leakage, as in ikra (Sec. 5.2). The parts are those of its
 * Fig. 4 and 5, with memory behind the L2 in addition. */
#ifndef SAMPLER_ENERGY_H
#define SAMPLER_ENERGY_H

#include "base/result.h"

struct gpu;
struct sampler_counts;

extern const char *const energy_part_names[ENERGY_PARTS];

/* Microjoules; their sum is the run's. */
struct energy {
    double part[ENERGY_PARTS];
};

void energy_of(struct energy *out, const struct gpu *g,
               const struct sampler_counts *c);
double energy_sum(const struct energy *e);

#endif
