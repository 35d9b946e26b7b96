/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warmed.h"

#include "configs/gpu.h"
#include "sampler/forwarded.h"
#include "sampler/memory/memory.h"
#include "sampler/underway.h"
#include "sampler/warm.h"

#include <omp.h>
#include <stdlib.h>

/* Kept at a time, of caches and of blocks: runs from the same block come one
 * after another. Chosen. */
#define KEPT 2

/* Where a run begins, and on what. */
struct beginning {
    struct gpu gpu;
    struct warm_blocks blocks;
};

/* The tags of all slices and L1s, as a warming left them. */
struct image {
    bool made;
    struct beginning at;
    struct cache *l2; /* [gpu.l2.banks] */
    struct cache *l1; /* [gpu.sms]; NULL: none were warmed */
};

/* Blocks that began there in their middle. */
struct begun {
    bool made;
    struct beginning at;
    struct forwarded blocks;
};

struct warmed {
    const struct kernel *kernel;
    omp_lock_t lock; /* of what follows */
    struct image image[KEPT];
    struct begun begun[KEPT];
    int oldest_image, oldest_begun;
};

static bool is_there(const struct beginning *p, const struct gpu *g,
                     const struct warm_blocks *b)
{
    return p->blocks.first == b->first && p->blocks.most == b->most &&
           p->blocks.at_once == b->at_once && gpu_same(&p->gpu, g);
}

/* ---- caches -------------------------------------------------------------- */

static void image_free(struct image *i)
{
    memory_free_tags(i->l2, i->at.gpu.l2.banks);
    for (int s = 0; i->l1 != NULL && s < i->at.gpu.sms; s++)
        cache_free(&i->l1[s]);
    free(i->l1);
    *i = (struct image){0};
}

/* False without memory; image_free() is due in either case. */
static bool image_take(struct image *out, const struct warm_caches *c,
                       const struct warm_blocks *blocks)
{
    const struct gpu *g = c->memory->core.gpu;
    size_t sms = (size_t)g->sms;
    *out = (struct image){.made = true, .at = {*g, *blocks}};
    out->l2 = memory_copy_tags(c->memory);
    if (c->l1 != NULL)
        out->l1 = calloc(sms, sizeof(*out->l1));
    bool ok = out->l2 != NULL && (c->l1 == NULL || out->l1 != NULL);
    for (size_t s = 0; ok && c->l1 != NULL && s < sms; s++)
        ok = cache_copy(&out->l1[s], c->l1[s]);
    return ok;
}

static void image_give(const struct image *i, const struct warm_caches *c)
{
    memory_assign_tags(c->memory, i->l2);
    for (int s = 0; c->l1 != NULL && s < i->at.gpu.sms; s++)
        cache_assign(c->l1[s], &i->l1[s]);
}

static bool give_image(struct warmed *w, const struct warm_caches *c,
                       const struct warm_blocks *blocks)
{
    bool found = false;
    omp_set_lock(&w->lock);
    for (int i = 0; !found && i < KEPT; i++) {
        const struct image *kept = &w->image[i];
        found = kept->made &&
                is_there(&kept->at, c->memory->core.gpu, blocks) &&
                (c->l1 == NULL || kept->l1 != NULL);
        if (found)
            image_give(kept, c);
    }
    omp_unset_lock(&w->lock);
    return found;
}

static void keep_image(struct warmed *w, const struct image *image)
{
    omp_set_lock(&w->lock);
    image_free(&w->image[w->oldest_image]);
    w->image[w->oldest_image] = *image;
    w->oldest_image = (w->oldest_image + 1) % KEPT;
    omp_unset_lock(&w->lock);
}

bool warmed_caches(struct warmed *w, const struct warm_caches *c,
                   const struct warm_blocks *blocks, struct error *e)
{
    struct image made;
    if (give_image(w, c, blocks))
        return true;
    if (!warm_caches(c, w->kernel, blocks, e))
        return false;
    if (!image_take(&made, c, blocks)) {
        image_free(&made);
        return error_no_memory(e);
    }
    keep_image(w, &made);
    return true;
}

/* ---- blocks in their middle ---------------------------------------------- */

static bool give_begun(struct warmed *w, const struct warm_blocks *before,
                       const struct underway *u, struct memory *m)
{
    bool found = false;
    omp_set_lock(&w->lock);
    for (int i = 0; !found && i < KEPT; i++) {
        const struct begun *kept = &w->begun[i];
        found = kept->made && is_there(&kept->at, m->core.gpu, before) &&
                forwarded_is_of(&kept->blocks, u);
        if (found)
            forwarded_give(&kept->blocks, u, m);
    }
    omp_unset_lock(&w->lock);
    return found;
}

static void keep_begun(struct warmed *w, const struct begun *begun)
{
    omp_set_lock(&w->lock);
    forwarded_free(&w->begun[w->oldest_begun].blocks);
    w->begun[w->oldest_begun] = *begun;
    w->oldest_begun = (w->oldest_begun + 1) % KEPT;
    omp_unset_lock(&w->lock);
}

bool warmed_forward(struct warmed *w, const struct warm_blocks *before,
                    const struct underway *u, const struct kernel *k,
                    struct memory *m, struct error *e)
{
    if (u->count == 0 || give_begun(w, before, u, m))
        return true;
    if (!underway_forward(u, k, m, e))
        return false;
    struct begun made = {.made = true, .at = {*m->core.gpu, *before}};
    if (forwarded_take(&made.blocks, u, k, m))
        keep_begun(w, &made);
    else
        forwarded_free(&made.blocks);
    return true;
}

/* ---- life ---------------------------------------------------------------- */

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
    for (int i = 0; i < KEPT; i++) {
        image_free(&w->image[i]);
        forwarded_free(&w->begun[i].blocks);
    }
    omp_destroy_lock(&w->lock);
    free(w);
}
