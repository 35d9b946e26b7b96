/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results flattened for output: every format reads the same rows and the
 * library's table of columns. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/designs.h"
#include "cli/points.h"
#include "cli/ranking.h"

/* One design point and what was found. */
struct row {
    const struct estimate_point *point;
    const struct plan_case *at;
};

/* The rows of one kernel on one GPU variant. */
struct report_case {
    const struct plan_case *at;
    size_t which;           /* its number in plan and results */
    size_t first_row, rows; /* finished ones, of those asked for */
    struct ranking ranking;
};

struct explanation;
struct warps;

struct report {
    const struct options *options;
    const struct plan *plan;
    const struct estimate_results *results;
    const struct estimate_results *model; /* of a page: what the model alone
                                           * says of them; NULL: not asked */
    struct row *row;
    size_t rows;
    struct report_case *at;
    size_t cases;
    double wall_s;
    const struct explanation *explained; /* of a page's point; NULL: none */
    const struct warps *warps;           /* likewise */
    const struct designs *designs;       /* NULL unless they are compared */
    bool interrupted; /* before all was done: what is not finished is left
                       * out */
};

/* Flatten; `designs` is the caller's to set. The results are those of the plan;
 * both must outlive the report. */
bool report_create(struct report *r, const struct options *o,
                   const struct plan *p, const struct estimate_results *results,
                   bool interrupted, struct estimate_error *e);
void report_free(struct report *r);

bool report_any_partial(const struct report *r);

/* "lud on m2090", with swept keys where there are any; C++ names demangled
 * unless --mangled. */
void report_case_label(char *out, size_t size, const struct report *r,
                       size_t which);

/* What tells policy set i of the plan from the others: its scheduler, with the
 * thread-block scheduler and L1 policy where several were asked for. */
void report_policy_label(char *out, size_t size, const struct report *r,
                         int policy);

#endif
