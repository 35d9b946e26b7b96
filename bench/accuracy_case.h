/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A case of the accuracy benchmark as a study: its kernel, loaded with its grid
 * on its GPU, and block counts and schedulers of its points. */
#ifndef BENCH_ACCURACY_CASE_H
#define BENCH_ACCURACY_CASE_H

#include "bench/accuracy_points.h"
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/policy.h"

enum { CASE_SCHEDS = 16, CASE_COUNTS = 64 };

struct accuracy_case {
    struct kernel_list list;
    struct kernel *kernel; /* one of the list */
    struct gpu gpu;
    struct policy_set policy[CASE_SCHEDS];
    int tb[CASE_COUNTS];
    struct study study;
};

/* Load kernel and GPU of a point; traces lie in the folder `traces`. A grid of
 * NULL: the kernel's own. case_free() also after a failure. */
bool case_load(struct accuracy_case *c, const struct accuracy_point *p,
               const char *grid, const char *traces, struct error *e);
/* Set up the study of `count` points, all of that case. */
bool case_study(struct accuracy_case *c, const struct accuracy_point *points,
                size_t count, struct error *e);
void case_free(struct accuracy_case *c);

/* Where the result of a point stands in those of the study. */
size_t case_index(const struct accuracy_case *c,
                  const struct accuracy_point *p);

#endif
