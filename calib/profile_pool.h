/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles that are kept for later, the ones last used, so that calls of
 * calib_studies() share them, and the crowds that profiles are made with. Any
 * number of threads may use a pool. */
#ifndef CALIB_PROFILE_POOL_H
#define CALIB_PROFILE_POOL_H

#include "base/error.h"

#include <stdint.h>

struct kernel;
struct gpu;
struct profile;
struct profile_pool;

/* What decides a profile, see model/model.h. */
struct profile_request {
    const struct kernel *kernel;
    const struct gpu *gpu;
    uint64_t kernel_hash, structure; /* structure: profile_hash() */
    double latency;                  /* of memory */
    uint64_t seed;
};

/* NULL without memory. Nothing is lent any more when it is freed. */
struct profile_pool *profile_pool_create(void);
void profile_pool_free(struct profile_pool *pool);

/* A profile, made if need be; NULL with e set. It goes back to the pool. pool
 * NULL: it is made, and freed when it goes back. */
struct profile *profile_pool_take(struct profile_pool *pool,
                                  const struct profile_request *r,
                                  struct error *e);
void profile_pool_give(struct profile_pool *pool, struct profile *p);

#endif
