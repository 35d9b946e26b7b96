/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples kept between runs, in an SQLite file: what came of each, under a hash
 * of all that it depends on, the build's version and sources among it. So only
 * what never ran is run; what follows from samples is computed anew. Samples
 * that a limit touched are not kept. A process that is killed loses the last
 * ones, which took a fraction of a second to run or fifty times as long as they
 * take to write. Any number of threads may use a store, and any
 * number of processes its file. */
#ifndef CALIB_STORE_H
#define CALIB_STORE_H

#include "calib/calib.h"
#include "calib/sample.h"

struct sample_store;

/* The store that the options name, else that of the cache folder, in *out; NULL
 * where there is none to use. False only for a named file: one that is no store
 * or another version's (STATUS_BAD_INPUT), or cannot be opened. */
bool sample_store_open(struct sample_store **out,
                       const struct calib_options *options, struct error *e);

/* Write what is still to be written. False when samples for a named store could
 * not be: e says why. */
bool sample_store_close(struct sample_store *s, struct error *e);

/* What a sample is kept under. */
uint64_t sample_key(const struct sample *sample,
                    const struct sample_request *request,
                    const struct calib_options *options);

/* Fill a planned sample from the store, unless it would have met the limit
 * `max_cycles` (0 = none). */
bool sample_store_find(struct sample_store *s, uint64_t key,
                       uint64_t max_cycles, struct sample *sample);

/* Keep a sample that was run whole, in `seconds`. */
void sample_store_keep(struct sample_store *s, uint64_t key,
                       const struct sample *sample, double seconds);

#endif
