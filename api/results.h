/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what calib/ found to public results. */
#ifndef API_RESULTS_H
#define API_RESULTS_H

#include "api/handles.h"
#include "calib/calib.h"

struct case_results {
    const char *gpu;              /* its name */
    struct estimate_point *point; /* [tb_count * policies] */
    size_t tb_count;
    char **account; /* same shape, or NULL */
    size_t accounts;
    struct estimate_fit fit;
};

struct estimate_results {
    struct policy_labels *label;
    size_t policies;
    struct case_results *at;
    size_t cases;
    struct error unkept; /* STATUS_OK: every sample was kept */
};

/* Room for the results of s; NULL without memory. */
struct estimate_results *results_create(const struct estimate_study *s);

/* Take over point `at` of one case. */
const struct estimate_point *
results_take_point(struct estimate_results *r, size_t which, size_t at,
                   const struct study *study, const struct study_result *from,
                   const struct calib_options *options);
/* Take over one case's. What is left of *from is still to be freed. */
void results_take(struct estimate_results *r, size_t which,
                  const struct study *study, struct study_result *from,
                  const struct calib_options *options);

#endif
