/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that several processes share, each with a store of its own: which
 * studies such a run has, whose each is and whether it was finished, so that
 * one who puts the stores together is told what they lack. */
#ifndef CALIB_SHARES_H
#define CALIB_SHARES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A study of a run. */
struct share {
    const char *name; /* for people to read */
    size_t number;    /* in the run */
    size_t shard;     /* whose it is */
    bool done;
};

/* Note the studies in a store; one that was done stays so. `plan` is a hash of
 * all that decides the run's results. */
bool shares_note(const char *store, uint64_t plan, size_t shards,
                 const struct share *share, size_t count, struct error *e);

/* Told each study that no store has. */
typedef void share_missing(void *user, const char *name, size_t shard,
                           size_t shards);

/* Write all that the stores hold into the file `to`, whole or not at all.
 * Refuses (STATUS_BAD_INPUT) what is no store of this version, and shards that
 * are of no run that the first one is of. */
bool shares_merge(const char *const *from, size_t count, const char *to,
                  share_missing *missing, void *user, struct error *e);

#endif
