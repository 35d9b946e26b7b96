/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applications that are too heavy to be run whole, taken apart for hybrid mode:
 * launches of a kernel that are alike in blocks and instructions are one study,
 * of the one in their middle, whose L2 has what the launches before it left
 * there. The cycles of an application are the sum over its launches. Policies
 * that depend on the launches before still run all of it. */
#ifndef CALIB_APPLICATION_PARTS_H
#define CALIB_APPLICATION_PARTS_H

#include "calib/calib.h"

/* Studies of one that was asked for. */
struct split {
    size_t first, count; /* of parts.study; one: itself */
    double *times;       /* [count] as long as how many launches of it; NULL: it
                          * is whole */
    int *at;             /* [policy_count] its number among the policies of the
                          * launches, or -1 - that among those that run all, of
                          * which the study is the last */
    struct policy_set *policies; /* [policy_count] those, then these */
    int launch_policies;         /* of the former */
};

struct application_parts {
    const struct study *whole; /* what was asked for */
    size_t wholes;
    struct split *split; /* [wholes] */
    struct study *study; /* [count] to be run in its place */
    size_t *of;          /* likewise: the number of what was asked for */
    size_t count;
    bool apart; /* some split has other studies than what was asked for */
};

/* As whole as each may be, where the mode is not hybrid or the GPU's caches
 * outlive launches. False with e set on failure; application_parts_free() is
 * due in either case. */
bool application_parts_of(struct application_parts *out,
                          const struct study *studies, size_t count,
                          const struct calib_options *options, struct error *e);
void application_parts_free(struct application_parts *p);

/* What the studies of split number i say of it together; part[count] as of
 * parts.study. False without memory. */
bool application_parts_join(struct study_result *out,
                            const struct application_parts *p, size_t i,
                            const struct study_result *part, struct error *e);

#endif
