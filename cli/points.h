/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The design points of one invocation: subjects x GPU variants (a study each) x
 * resident blocks x policy sets. */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include "calib/calib.h"
#include "cli/choose.h"
#include "cli/options.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

/* A GPU with one value of every swept key. */
struct variant {
    struct gpu gpu;
    double swept[SWEEPS_MAX]; /* in the order of plan.key */
};

/* What the report needs to know of a study beside the study itself. */
struct study_view {
    const struct variant *variant;
    int tb_limit;  /* occupancy */
    int shown_tbs; /* the first so many tb were asked for; one more may follow:
                    * the default point's */
};

/* What is studied: a kernel, or an application of several launches. */
struct subject {
    const struct kernel *kernel; /* the first launch of an application */
    const struct kernel_list *application; /* NULL: a kernel */
};

struct plan {
    struct kernel_list *input; /* [inputs], what each came to */
    size_t inputs;
    struct subject *subject; /* of every input, in order */
    size_t subjects;
    struct variant *variant;
    size_t variants;
    const struct gpu_key *key[SWEEPS_MAX]; /* swept GPU keys */
    size_t keys;
    struct policy_list policies;
    int shown_policies; /* as shown_tbs */
    int default_policy; /* index of gto, rr, lru; -1: not in the plan */

    struct study *study; /* [subject * variants + variant] */
    struct study_view *view;
    size_t studies;
    int *tb; /* the studies' tb lists, one after another */

    size_t shown_points;
    char *notes; /* lines for standard error, may be empty */
};

/* Load and check everything an invocation names. A sweep of several points
 * gets the default point (gto, rr, lru at the occupancy limit) added where it
 * lacks it and is not in full detail, so that gains can be told. plan_free()
 * in either case. */
bool plan_create(struct plan *p, const struct options *o, struct error *e);
void plan_free(struct plan *p);

/* Points that would be asked for, `inputs` kernels taken; UINT64_MAX: more. */
uint64_t plan_count(const struct options *o, uint64_t inputs, uint64_t gpus,
                    uint64_t policies);

#endif
