/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/repeat.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_dim(struct estimate_dim a, struct estimate_dim b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool calls_alike(const struct estimate_call *a, const struct estimate_call *b)
{
    return is_same_dim(a->grid, b->grid) && is_same_dim(a->block, b->block) &&
           is_same_dim(a->cluster, b->cluster) &&
           a->shared_bytes == b->shared_bytes;
}

const struct estimate_executed *repeat_find(const struct repeat *last,
                                            const struct arena *a,
                                            const struct estimate_function *f,
                                            const struct estimate_call *call)
{
    if (!last->holds || !calls_alike(&last->call, call) ||
        memcmp(last->parameters, estimate_function_parameters(f),
               last->parameter_bytes) != 0)
        return NULL;
    for (size_t i = 0; i < last->uses; i++) {
        const struct allocation *b = arena_find(a, last->used[i].at);
        if (b == NULL || b->changed != last->used[i].changed)
            return NULL;
    }
    return &last->executed;
}

/* Whether the launch could be repeated as far as this memory goes. */
static bool add_use(struct repeat *r, const struct allocation *b, unsigned use)
{
    if (b->kind != MEMORY_DEVICE || use == (ESTIMATE_READ | ESTIMATE_WRITTEN))
        return false;
    void *grown = realloc(r->used, (r->uses + 1) * sizeof(*r->used));
    if (grown == NULL)
        return false;
    r->used = grown;
    r->used[r->uses].at = b->at;
    r->used[r->uses++].changed = b->changed;
    return true;
}

static bool keep_parameters(struct repeat *r, const struct estimate_function *f)
{
    uint64_t bytes = estimate_function_info(f)->parameter_bytes;
    void *grown = realloc(r->parameters, bytes + 1);
    if (grown == NULL)
        return false;
    r->parameters = grown;
    r->parameter_bytes = bytes;
    memcpy(r->parameters, estimate_function_parameters(f), bytes);
    return true;
}

void repeat_note(struct repeat *last, struct arena *a,
                 const struct estimate_device *d,
                 const struct estimate_function *f,
                 const struct estimate_call *call,
                 const struct estimate_executed *x)
{
    last->uses = 0;
    last->call = *call;
    last->call.value = NULL;
    last->executed = *x;
    last->holds =
        keep_parameters(last, f) && !estimate_function_info(f)->may_print;
    for (size_t i = 0; i < a->allocations; i++) {
        struct allocation *b = &a->allocation[i];
        unsigned use = b->is_free ? 0 : estimate_device_use(d, b->at);
        if ((use & ESTIMATE_WRITTEN) != 0)
            b->changed = ++a->clock;
        if (use != 0)
            last->holds &= add_use(last, b, use);
    }
}
