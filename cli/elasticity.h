/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_ELASTICITY_H
#define CLI_ELASTICITY_H

#include "cli/designs.h"

/* Fill d->elasticity: the slopes of a plane through the logs of an objective
 * over the logs of the keys, by least squares over all designs. */
void elasticities(struct designs *d, const struct plan *p);

#endif
