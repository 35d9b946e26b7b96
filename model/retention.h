/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How likely a block finds in a cache what other blocks touch as well. Blocks
 * that start together go together for a part of their way: who is ahead waits
 * for what the others then find. On the rest each is anywhere on its way. */
#ifndef MODEL_RETENTION_H
#define MODEL_RETENTION_H

#include "model/profile.h"
#include "model/sharing.h"

struct gpu;

/* Where few blocks touch a line, and where all do. */
struct retention {
    double few, all;
};

/* In the L1, by blocks of the same SM; in the L2, by those of the same row of
 * the grid and of other rows; in either, by any where blocks touch by chance.
 */
struct found {
    struct retention l1, near, far;
    double wide, l1_wide;
    double crammed; /* in the L2, of what others must have touched before */
    double middle;  /* in the L2, of what blocks in the middle may touch */
    /* Of what no other block of a period touches: left by the periods before.
     */
    double again, l1_again;
};

/* `brought` by others, so that a block takes nothing from below; and `ready`,
 * without what is still on its way, for which blocks that go together wait. */
struct retentions {
    struct found brought, ready;
};

/* With an L2 of l2_lines lines, `together` the part of the way, 0 to 1. */
void retention_set(struct retentions *out, const struct profile *p,
                   const struct gpu *g, const struct sharing *s,
                   double l2_lines, double together);

#endif
