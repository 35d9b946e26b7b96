/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warmed.h"

#include "configs/gpu.h"
#include "sampler/memory/memory.h"
#include "sampler/warm.h"

#include <omp.h>
#include <stdlib.h>

/* Kept at a time: runs from the same block come one after another. Chosen. */
#define IMAGES 2

/* The tags of all slices, as a warming left them. */
struct image {
    const struct gpu *gpu; /* NULL: there is none */
    struct warm_blocks blocks;
    struct cache *tags; /* [gpu->l2.banks] */
};

struct warmed {
    const struct kernel *kernel;
    omp_lock_t lock; /* of what follows */
    struct image image[IMAGES];
    int oldest;
};

static void image_free(struct image *i)
{
    for (int s = 0; i->tags != NULL && s < i->gpu->l2.banks; s++)
        cache_free(&i->tags[s]);
    free(i->tags);
    *i = (struct image){0};
}

/* False without memory; image_free() is due in either case. */
static bool image_take(struct image *out, const struct memory *m,
                       const struct warm_blocks *blocks)
{
    const struct gpu *g = m->core.gpu;
    size_t slices = (size_t)g->l2.banks;
    *out = (struct image){g, *blocks, calloc(slices, sizeof(*out->tags))};
    bool ok = out->tags != NULL;
    for (size_t s = 0; ok && s < slices; s++)
        ok = cache_copy(&out->tags[s], &m->slice[s].tags);
    return ok;
}

static void image_give(const struct image *i, struct memory *m)
{
    for (int s = 0; s < i->gpu->l2.banks; s++)
        cache_assign(&m->slice[s].tags, &i->tags[s]);
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

static bool is_of(const struct image *i, const struct memory *m,
                  const struct warm_blocks *b)
{
    return i->gpu == m->core.gpu && i->blocks.first == b->first &&
           i->blocks.most == b->most && i->blocks.at_once == b->at_once;
}

static bool give_kept(struct warmed *w, struct memory *m,
                      const struct warm_blocks *blocks)
{
    bool found = false;
    omp_set_lock(&w->lock);
    for (int i = 0; !found && i < IMAGES; i++) {
        const struct image *kept = &w->image[i];
        found = is_of(kept, m, blocks);
        if (found)
            image_give(kept, m);
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

bool warmed_l2(struct warmed *w, struct memory *m,
               const struct warm_blocks *blocks, struct error *e)
{
    struct image made;
    if (give_kept(w, m, blocks))
        return true;
    if (!warm_l2(m, w->kernel, blocks, e))
        return false;
    if (!image_take(&made, m, blocks)) {
        image_free(&made);
        return error_no_memory(e);
    }
    keep(w, &made);
    return true;
}
