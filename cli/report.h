/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results flattened for output: every format reads the same rows and the same
 * table of columns. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/points.h"

#define LABEL_MAX 64

/* One design point and what was found. */
struct row {
    const char *kernel, *gpu, *mode, *limiter;
    int tb;
    char sched[LABEL_MAX], tb_sched[LABEL_MAX], l1_policy[LABEL_MAX];
    const double *swept; /* in the order of plan.key */
    struct result result;
    struct paired_delta delta;
    uint64_t seed;
};

/* The rows of one kernel on one GPU variant. */
struct report_study {
    const struct study *study;
    const struct study_view *view;
    const struct study_result *result;
    size_t first_row, rows; /* finished ones, of those asked for */
};

struct report {
    const struct options *options;
    const struct plan *plan;
    struct row *row;
    size_t rows;
    struct report_study *study;
    size_t studies;
    double wall_s;
    bool
        interrupted; /* before all was done: what is not finished is left out */
};

/* Flatten. `result` is one a study of the plan; all must outlive the report. */
bool report_create(struct report *r, const struct options *o,
                   const struct plan *p, const struct study_result *result,
                   bool interrupted, struct error *e);
void report_free(struct report *r);

bool report_any_partial(const struct report *r);

/* Where a study's point stands in its result's arrays. */
static inline size_t point_at(const struct study *s, int tb, int policy)
{
    return (size_t)tb * (size_t)s->policy_count + (size_t)policy;
}

/* "lud on m2090", with swept keys where there are any. */
void report_study_label(char *out, size_t size, const struct report *r,
                        size_t study);

/* What tells policy set i of the plan from the others: its scheduler, with the
 * thread-block scheduler and L1 policy where several were asked for. */
void report_policy_label(char *out, size_t size, const struct report *r,
                         int policy);

#endif
