/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores of samples (estimate_options.store), and runs that several processes
 * share: each takes some of a study's cases, with a store of its own, and the
 * stores put together hold what one process would have found. */
#ifndef ESTIMATE_STORES_H
#define ESTIMATE_STORES_H

#include <estimate/base.h>
#include <estimate/studies.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A hash of all that decides the results of a study: cases, policies, options
 * but those that say how to run it. */
ESTIMATE_API uint64_t estimate_study_hash(const struct estimate_study *s,
                                          const struct estimate_options *o);

/* A case of a shared run. */
struct estimate_share {
    const char *name; /* for people to read */
    size_t number;    /* in the run */
    size_t shard;     /* which of the processes takes it, from 0 */
    bool done;
};

/* Note in a store which cases a run of `shards` processes has; one that was
 * noted as done stays so. `run` is the hash of the whole study. */
ESTIMATE_API bool estimate_store_note(const char *store, uint64_t run,
                                      size_t shards,
                                      const struct estimate_share *share,
                                      size_t count, struct estimate_error *e);

/* Write what the stores hold into the file `to`, whole or not at all. `missing`
 * is told each case that none of them has done. ESTIMATE_BAD_INPUT for what is
 * no store of this version, and for shards of another run than the first's. */
ESTIMATE_API bool estimate_stores_merge(
    const char *const *from, size_t count, const char *to,
    void (*missing)(void *user, const char *name, size_t shard, size_t shards),
    void *user, struct estimate_error *e);

#ifdef __cplusplus
}
#endif

#endif
