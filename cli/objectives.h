/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --pareto: what designs are compared by, all the less the better. */
#ifndef CLI_OBJECTIVES_H
#define CLI_OBJECTIVES_H

#include "cli/error.h"

enum objective {
    OBJECTIVE_CYCLES,
    OBJECTIVE_TIME,
    OBJECTIVE_ENERGY,
    OBJECTIVE_COST,
    OBJECTIVES
};
extern const char *const objective_names[OBJECTIVES];

struct objectives {
    enum objective of[OBJECTIVES];
    int count;
};

/* A comma list. ESTIMATE_USAGE for other names, and for one given twice. */
bool objectives_parse(struct objectives *out, const char *list,
                      struct estimate_error *e);
bool objectives_have(const struct objectives *o, enum objective what);

/* Set front[i] where no other of `count` designs is as good as design i in all
 * of value[i * objectives ..] and better in one. NAN: not known, and on no
 * front. False when out of memory. */
bool pareto_front(bool *front, const double *value, size_t count,
                  int objectives);
/* Set close[i] where design i would be on the front if it took `share` less of
 * all but cost and the others what they take. Those of the front are. */
void pareto_close(bool *close, const bool *front, const double *value,
                  size_t count, const struct objectives *by, double share);

#endif
