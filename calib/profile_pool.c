/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/profile_pool.h"

#include "calib/constants.h"
#include "model/model.h"

#include <stdlib.h>

struct kept {
    struct profile *profile; /* NULL: the place is free */
    struct profile_request of;
    int users;
    uint64_t used; /* of pool.clock */
};

struct profile_pool {
    struct kept kept[POOL_PROFILES];
    uint64_t clock;
};

struct profile_pool *profile_pool_create(void)
{
    return calloc(1, sizeof(struct profile_pool));
}

void profile_pool_free(struct profile_pool *pool)
{
    for (int i = 0; pool != NULL && i < POOL_PROFILES; i++)
        if (pool->kept[i].profile != NULL)
            profile_free(pool->kept[i].profile);
    free(pool);
}

static bool is_same(const struct profile_request *a,
                    const struct profile_request *b)
{
    return a->kernel_hash == b->kernel_hash && a->structure == b->structure &&
           a->latency == b->latency && a->seed == b->seed;
}

static struct profile *find(struct profile_pool *pool,
                            const struct profile_request *r)
{
    for (int i = 0; i < POOL_PROFILES; i++) {
        struct kept *k = &pool->kept[i];
        if (k->profile == NULL || !is_same(&k->of, r))
            continue;
        k->users++;
        k->used = ++pool->clock;
        return k->profile;
    }
    return NULL;
}

/* The place of the profile that nobody uses and nobody used for longest; NULL:
 * all are in use. */
static struct kept *place(struct profile_pool *pool)
{
    struct kept *oldest = NULL;
    for (int i = 0; i < POOL_PROFILES; i++) {
        struct kept *k = &pool->kept[i];
        if (k->users == 0 && (oldest == NULL || k->used < oldest->used))
            oldest = k;
    }
    return oldest;
}

static void keep(struct profile_pool *pool, const struct profile_request *r,
                 struct profile *p)
{
    struct kept *k = place(pool);
    if (k == NULL)
        return;
    if (k->profile != NULL)
        profile_free(k->profile);
    *k = (struct kept){
        .profile = p, .of = *r, .users = 1, .used = ++pool->clock};
}

struct profile *profile_pool_take(struct profile_pool *pool,
                                  const struct profile_request *r,
                                  struct error *e)
{
    struct profile *p = NULL;
    if (pool != NULL)
#pragma omp critical(calib_pool)
        p = find(pool, r);
    if (p != NULL)
        return p;
    p = profile_create_at(r->kernel, r->gpu, r->latency, r->seed, e);
    if (p != NULL && pool != NULL)
#pragma omp critical(calib_pool)
        keep(pool, r, p);
    return p;
}

static bool give_back(struct profile_pool *pool, const struct profile *p)
{
    for (int i = 0; i < POOL_PROFILES; i++)
        if (pool->kept[i].profile == p) {
            pool->kept[i].users--;
            return true;
        }
    return false;
}

void profile_pool_give(struct profile_pool *pool, struct profile *p)
{
    bool kept = false;
    if (p == NULL)
        return;
    if (pool != NULL)
#pragma omp critical(calib_pool)
        kept = give_back(pool, p);
    if (!kept)
        profile_free(p);
}
