/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits kept between runs: one small text file a study, named by a hash of all
 * its result depends on, the build's version and revision among it. A file that
 * is not whole counts as none. */
#ifndef CALIB_STORE_H
#define CALIB_STORE_H

#include "calib/job.h"

/* Fill job->out (its arrays allocated) from a kept fit. False when there is
 * none or options->use_cache is off. */
bool store_read(struct job *job);

/* Keep job->out. A folder that cannot be written to is no error: the next run
 * samples again. */
void store_write(const struct job *job);

#endif
