/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How our cycles agree with those from elsewhere. */
#ifndef CLI_AGREEMENT_H
#define CLI_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Errors are 100 (ours / theirs - 1). */
struct agreement {
    size_t count;
    double mean_abs_pct, median_abs_pct, bias_pct;
    double worst_pct; /* the largest in size, signed */
    size_t worst;     /* its index */
    /* Of cycles; NAN with fewer than three or all alike. */
    double pearson, spearman;
};

/* False when memory is out. count >= 1, all theirs > 0. */
bool agreement_of(struct agreement *out, const double *ours,
                  const double *theirs, size_t count);

double error_pct(double ours, double theirs);

#endif
