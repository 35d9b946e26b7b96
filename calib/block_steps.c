/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/block_steps.h"

#include "kernels/form/kernel.h"

#include <omp.h>
#include <search.h>
#include <stdlib.h>

struct counted {
    uint64_t block;
    struct counted *next;
    uint64_t steps[]; /* [warps_per_block] */
};

struct block_steps {
    const struct kernel *kernel;
    omp_lock_t lock; /* of what follows */
    void *tree;      /* tsearch() of struct counted */
    struct counted *first;
};

static int by_block(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

static const struct counted *find(struct block_steps *b, uint64_t block)
{
    struct counted key = {.block = block};
    omp_set_lock(&b->lock);
    struct counted *const *known = tfind(&key, &b->tree, by_block);
    omp_unset_lock(&b->lock);
    return known != NULL ? *known : NULL;
}

/* NULL without memory, or where the block cannot be read. */
static struct counted *count(const struct kernel *k, uint64_t block)
{
    size_t bytes = k->warps_per_block * sizeof(uint64_t);
    struct counted *made = calloc(1, sizeof(*made) + bytes);
    struct error e;
    if (made == NULL)
        return NULL;
    made->block = block;
    if (kernel_block_steps(made->steps, k, block, &e))
        return made;
    free(made);
    return NULL;
}

/* Keep it, or the one that another thread has counted meanwhile; NULL without
 * memory. */
static const struct counted *keep(struct block_steps *b, struct counted *made)
{
    omp_set_lock(&b->lock);
    struct counted *const *kept = tsearch(made, &b->tree, by_block);
    const struct counted *out = kept != NULL ? *kept : NULL;
    if (out == made) {
        made->next = b->first;
        b->first = made;
    } else {
        free(made);
    }
    omp_unset_lock(&b->lock);
    return out;
}

struct block_steps *block_steps_create(const struct kernel *kernel)
{
    struct block_steps *b = calloc(1, sizeof(*b));
    if (b == NULL)
        return NULL;
    b->kernel = kernel;
    omp_init_lock(&b->lock);
    return b;
}

void block_steps_free(struct block_steps *b)
{
    struct counted *next;
    if (b == NULL)
        return;
    for (struct counted *c = b->first; c != NULL; c = next) {
        next = c->next;
        tdelete(c, &b->tree, by_block);
        free(c);
    }
    omp_destroy_lock(&b->lock);
    free(b);
}

const uint64_t *block_steps_of(struct block_steps *b, uint64_t block)
{
    const struct kernel *k = b->kernel;
    uint64_t of = k->period > 0 ? block % k->period : block;
    const struct counted *known = find(b, of);
    if (known != NULL)
        return known->steps;
    struct counted *made = count(k, of);
    if (made == NULL)
        return NULL;
    known = keep(b, made);
    return known != NULL ? known->steps : NULL;
}
