/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warmed.h"

#include "configs/gpu.h"
#include "sampler/memory/memory.h"
#include "sampler/warm.h"

#include <omp.h>
#include <stdlib.h>

/* Kept at a time: runs from the same block come one after another. Chosen. */
#define IMAGES 2

/* The tags of all slices and L1s, as a warming left them. */
struct image {
    const struct gpu *gpu; /* NULL: there is none */
    struct warm_blocks blocks;
    struct cache *l2; /* [gpu->l2.banks] */
    struct cache *l1; /* [gpu->sms]; NULL: none were warmed */
};

struct warmed {
    const struct kernel *kernel;
    omp_lock_t lock; /* of what follows */
    struct image image[IMAGES];
    int oldest;
};

static void tags_free(struct cache *tags, int count)
{
    for (int i = 0; tags != NULL && i < count; i++)
        cache_free(&tags[i]);
    free(tags);
}

static void image_free(struct image *i)
{
    if (i->gpu != NULL) {
        tags_free(i->l2, i->gpu->l2.banks);
        tags_free(i->l1, i->gpu->sms);
    }
    *i = (struct image){0};
}

/* False without memory; image_free() is due in either case. */
static bool image_take(struct image *out, const struct warm_caches *c,
                       const struct warm_blocks *blocks)
{
    const struct gpu *g = c->memory->core.gpu;
    size_t slices = (size_t)g->l2.banks, sms = (size_t)g->sms;
    *out = (struct image){g, *blocks, calloc(slices, sizeof(*out->l2)), NULL};
    if (c->l1 != NULL)
        out->l1 = calloc(sms, sizeof(*out->l1));
    bool ok = out->l2 != NULL && (c->l1 == NULL || out->l1 != NULL);
    for (size_t s = 0; ok && s < slices; s++)
        ok = cache_copy(&out->l2[s], &c->memory->slice[s].tags);
    for (size_t s = 0; ok && c->l1 != NULL && s < sms; s++)
        ok = cache_copy(&out->l1[s], c->l1[s]);
    return ok;
}

static void image_give(const struct image *i, const struct warm_caches *c)
{
    for (int s = 0; s < i->gpu->l2.banks; s++)
        cache_assign(&c->memory->slice[s].tags, &i->l2[s]);
    for (int s = 0; c->l1 != NULL && s < i->gpu->sms; s++)
        cache_assign(c->l1[s], &i->l1[s]);
}

struct warmed *warmed_create(const struct kernel *kernel)
{
    struct warmed *w = calloc(1, sizeof(*w));
    if (w == NULL)
        return NULL;
    w->kernel = kernel;
    omp_init_lock(&w->lock);
    return w;
}

void warmed_free(struct warmed *w)
{
    if (w == NULL)
        return;
    for (int i = 0; i < IMAGES; i++)
        image_free(&w->image[i]);
    omp_destroy_lock(&w->lock);
    free(w);
}

static bool is_of(const struct image *i, const struct warm_caches *c,
                  const struct warm_blocks *b)
{
    return i->gpu == c->memory->core.gpu && i->blocks.first == b->first &&
           i->blocks.most == b->most && i->blocks.at_once == b->at_once &&
           (c->l1 == NULL || i->l1 != NULL);
}

static bool give_kept(struct warmed *w, const struct warm_caches *c,
                      const struct warm_blocks *blocks)
{
    bool found = false;
    omp_set_lock(&w->lock);
    for (int i = 0; !found && i < IMAGES; i++) {
        const struct image *kept = &w->image[i];
        found = is_of(kept, c, blocks);
        if (found)
            image_give(kept, c);
    }
    omp_unset_lock(&w->lock);
    return found;
}

static void keep(struct warmed *w, const struct image *image)
{
    omp_set_lock(&w->lock);
    image_free(&w->image[w->oldest]);
    w->image[w->oldest] = *image;
    w->oldest = (w->oldest + 1) % IMAGES;
    omp_unset_lock(&w->lock);
}

bool warmed_caches(struct warmed *w, const struct warm_caches *c,
                   const struct warm_blocks *blocks, struct error *e)
{
    struct image made;
    if (give_kept(w, c, blocks))
        return true;
    if (!warm_caches(c, w->kernel, blocks, e))
        return false;
    if (!image_take(&made, c, blocks)) {
        image_free(&made);
        return error_no_memory(e);
    }
    keep(w, &made);
    return true;
}
