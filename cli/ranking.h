/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The policies of a case, best first, those that come out identical
 * together. */
#ifndef CLI_RANKING_H
#define CLI_RANKING_H

#include "cli/error.h"

struct report;
struct report_case;

struct ranking {
    int *first; /* [groups] the first policy of each group, best group first */
    int *next;  /* [policies] the next of its group, -1: it is the last */
    int groups;
};

/* The default policy has a group of its own where it was not asked for.
 * ranking_free() in either case. */
bool ranking_create(struct ranking *out, const struct report *r,
                    const struct report_case *c, struct estimate_error *e);
void ranking_free(struct ranking *k);

/* Whether several policies share a group. */
bool ranking_shares(const struct ranking *k);

#endif
