/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Full detail from the table of an earlier comparison: a change to samples or
 * to the model does not change it. */
#ifndef BENCH_ACCURACY_KEPT_H
#define BENCH_ACCURACY_KEPT_H

#include "calib/calib.h"

/* Set the cycles of all points of s in *out from the CSV file at path; false
 * where it lacks one of them. */
bool accuracy_kept(struct study_result *out, const struct study *s,
                   const char *path);

#endif
