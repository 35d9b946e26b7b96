/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energy of a design point: the events that the profile and the demand tell of,
 * times what each takes (gpu.energy), part by part as the sampler has them. */
#ifndef MODEL_ENERGY_H
#define MODEL_ENERGY_H

#include "base/result.h"
#include "model/demand.h"

/* Microjoules of the whole grid. */
void model_energy(double part[ENERGY_PARTS], const struct profile *p,
                  const struct gpu *g, const struct demand *d);

#endif
