/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/profile_pool.h"

#include "calib/constants.h"
#include "model/model.h"

#include <stdlib.h>

/* What decides a profile, or a crowd, whose latency is 0. */
struct label {
    uint64_t kernel, structure, seed;
    double latency;
};

struct kept {
    void *made; /* NULL: the place is free */
    struct label label;
    int users;
    uint64_t used; /* of shelf.clock */
};

/* Things of a kind. */
struct shelf {
    struct kept *kept;
    int places;
    uint64_t clock;
    void (*free)(void *made);
};

struct profile_pool {
    struct kept profile[POOL_PROFILES], crowd[POOL_CROWDS];
    struct shelf profiles, crowds;
};

/* ---- shelves ------------------------------------------------------------- */

static bool is_same(const struct label *a, const struct label *b)
{
    return a->kernel == b->kernel && a->structure == b->structure &&
           a->seed == b->seed && a->latency == b->latency;
}

static void *take(struct shelf *s, const struct label *l)
{
    for (int i = 0; i < s->places; i++) {
        struct kept *k = &s->kept[i];
        if (k->made == NULL || !is_same(&k->label, l))
            continue;
        k->users++;
        k->used = ++s->clock;
        return k->made;
    }
    return NULL;
}

/* The place of the thing that nobody uses and nobody used for longest; NULL:
 * all are in use. */
static struct kept *place(struct shelf *s)
{
    struct kept *oldest = NULL;
    for (int i = 0; i < s->places; i++) {
        struct kept *k = &s->kept[i];
        if (k->users == 0 && (oldest == NULL || k->used < oldest->used))
            oldest = k;
    }
    return oldest;
}

static void keep(struct shelf *s, const struct label *l, void *made)
{
    struct kept *k = place(s);
    if (k == NULL)
        return;
    if (k->made != NULL)
        s->free(k->made);
    *k = (struct kept){made, *l, 1, ++s->clock};
}

/* False: it is not the shelf's. */
static bool give_back(struct shelf *s, const void *made)
{
    for (int i = 0; i < s->places; i++)
        if (s->kept[i].made == made) {
            s->kept[i].users--;
            return true;
        }
    return false;
}

static void give(struct shelf *s, void *made, void (*free_it)(void *made))
{
    bool kept = false;
    if (made == NULL)
        return;
    if (s != NULL)
#pragma omp critical(calib_pool)
        kept = give_back(s, made);
    if (!kept)
        free_it(made);
}

static void clear(struct shelf *s)
{
    for (int i = 0; i < s->places; i++)
        if (s->kept[i].made != NULL)
            s->free(s->kept[i].made);
}

/* ---- profiles and crowds ------------------------------------------------- */

static void free_profile(void *made)
{
    profile_free(made);
}

static void free_crowd(void *made)
{
    crowd_free(made);
}

struct profile_pool *profile_pool_create(void)
{
    struct profile_pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL)
        return NULL;
    pool->profiles = (struct shelf){
        .kept = pool->profile, .places = POOL_PROFILES, .free = free_profile};
    pool->crowds = (struct shelf){
        .kept = pool->crowd, .places = POOL_CROWDS, .free = free_crowd};
    return pool;
}

void profile_pool_free(struct profile_pool *pool)
{
    if (pool == NULL)
        return;
    clear(&pool->profiles);
    clear(&pool->crowds);
    free(pool);
}

static struct crowd *
take_crowd(struct shelf *s, const struct profile_request *r, struct error *e)
{
    struct label label = {
        .kernel = r->kernel_hash,
        .structure = crowd_hash(r->gpu),
        .seed = r->seed,
    };
    struct crowd *c = NULL;
    if (s != NULL)
#pragma omp critical(calib_pool)
        c = take(s, &label);
    if (c != NULL)
        return c;
    c = crowd_create(r->kernel, r->gpu, r->seed, e);
    if (c != NULL && s != NULL)
#pragma omp critical(calib_pool)
        keep(s, &label, c);
    return c;
}

static struct profile *make(struct profile_pool *pool,
                            const struct profile_request *r, struct error *e)
{
    struct shelf *crowds = pool != NULL ? &pool->crowds : NULL;
    struct crowd *c = take_crowd(crowds, r, e);
    if (c == NULL)
        return NULL;
    struct profile *p =
        profile_create_at(r->kernel, r->gpu, r->latency, c, r->seed, e);
    give(crowds, c, free_crowd);
    return p;
}

struct profile *profile_pool_take(struct profile_pool *pool,
                                  const struct profile_request *r,
                                  struct error *e)
{
    struct label label = {.kernel = r->kernel_hash,
                          .structure = r->structure,
                          .seed = r->seed,
                          .latency = r->latency};
    struct profile *p = NULL;
    if (pool != NULL)
#pragma omp critical(calib_pool)
        p = take(&pool->profiles, &label);
    if (p != NULL)
        return p;
    p = make(pool, r, e);
    if (p != NULL && pool != NULL)
#pragma omp critical(calib_pool)
        keep(&pool->profiles, &label, p);
    return p;
}

void profile_pool_give(struct profile_pool *pool, struct profile *p)
{
    give(pool != NULL ? &pool->profiles : NULL, p, free_profile);
}
