/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes down what a run tells while it goes on. */
#ifndef PAPER_REPRO_SCRIBE_H
#define PAPER_REPRO_SCRIBE_H

#include "paper_repro/lab.h"

struct scribe;

/* For a run of p on so many SMs, into *out, which holds nothing yet; sets the
 * callbacks of *o. NULL when out of memory. */
struct scribe *scribe_create(struct lab_record *out, const struct point *p,
                             int sms, struct sampler_options *o);
/* The run has ended. False when out of memory, now or before. */
bool scribe_finish(struct scribe *s);
void scribe_free(struct scribe *s);

#endif
