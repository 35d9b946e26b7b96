/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/repeat.h"

#include <stdlib.h>
#include <string.h>

#define MISSES_MAX 6 /* doublings of the launches between two tries */

static bool is_same_dim(struct estimate_dim a, struct estimate_dim b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool calls_alike(const struct estimate_call *a, const struct estimate_call *b)
{
    return is_same_dim(a->grid, b->grid) && is_same_dim(a->block, b->block) &&
           is_same_dim(a->cluster, b->cluster) &&
           a->shared_bytes == b->shared_bytes &&
           a->cooperative == b->cooperative;
}

static bool is_like(const struct repeat *r, const struct estimate_function *f,
                    const struct estimate_call *call)
{
    return calls_alike(&r->call, call) &&
           memcmp(r->parameters, estimate_function_parameters(f),
                  r->parameter_bytes) == 0;
}

struct repeat *repeats_find(struct repeats *all,
                            const struct estimate_function *f,
                            const struct estimate_call *call)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_like(all->one[i], f, call))
            return all->one[i];
    return NULL;
}

/* ---- copies -------------------------------------------------------------- */

static void drop_copies(struct repeat *r, struct copies *c)
{
    for (size_t i = 0; i < r->uses; i++) {
        struct memory_use *u = &r->used[i];
        c->bytes -= (u->before != NULL ? u->bytes : 0) +
                    (u->after != NULL ? u->bytes : 0);
        free(u->before);
        free(u->after);
        u->before = u->after = NULL;
    }
    r->has_before = r->has_after = false;
}

static bool copy(uint8_t **to, const struct memory_use *u, struct copies *c)
{
    if (u->bytes > COPIES_MAX - c->bytes ||
        (*to = malloc(u->bytes + 1)) == NULL)
        return false;
    memcpy(*to, u->at, u->bytes);
    c->bytes += u->bytes;
    return true;
}

/* Comparing and copying a byte takes less than an instruction of a lane. */
static bool is_worth_copies(const struct repeat *r)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->uses; i++)
        bytes += r->used[i].bytes;
    return bytes <= r->executed.thread_insts;
}

static const struct allocation *still_there(const struct memory_use *u,
                                            const struct arena *a)
{
    const struct allocation *b = arena_find(a, u->at);
    return b != NULL && b->bytes == u->bytes && b->kind == u->kind ? b : NULL;
}

/* What textures are is not in their bytes. */
static bool holds_again(const struct memory_use *u, const struct arena *a)
{
    const struct allocation *b = still_there(u, a);
    if (b == NULL || u->kind == MEMORY_TEXTURE)
        return b != NULL && b->changed == u->changed;
    return memcmp(u->at, u->before, u->bytes) == 0;
}

void repeat_prepare(struct repeat *r, const struct arena *a, struct copies *c)
{
    bool ok = c->are_kept && r->holds && is_worth_copies(r);
    drop_copies(r, c);
    if (!ok || r->wait > 0) {
        r->wait -= r->wait > 0;
        return;
    }
    for (size_t i = 0; i < r->uses && ok; i++) {
        struct memory_use *u = &r->used[i];
        ok = still_there(u, a) != NULL &&
             (u->kind == MEMORY_TEXTURE || copy(&u->before, u, c));
    }
    r->has_before = ok;
    if (!ok)
        drop_copies(r, c);
}

/* ---- launches that repeat one -------------------------------------------- */

static bool is_unchanged(const struct repeat *r, const struct arena *a)
{
    for (size_t i = 0; i < r->uses; i++) {
        const struct allocation *b = still_there(&r->used[i], a);
        if (b == NULL || b->changed != r->used[i].changed)
            return false;
    }
    return true;
}

/* Whether all memory holds what it held, and now what the launch left. */
static bool restore(struct repeat *r, struct arena *a)
{
    for (size_t i = 0; i < r->uses; i++)
        if (!holds_again(&r->used[i], a))
            return false;
    for (size_t i = 0; i < r->uses; i++) {
        struct memory_use *u = &r->used[i];
        if (u->after == NULL)
            continue;
        memcpy(u->at, u->after, u->bytes);
        arena_change(a, u->at);
        u->changed = arena_find(a, u->at)->changed;
    }
    return true;
}

const struct estimate_executed *repeat_use(struct repeat *r, struct arena *a,
                                           struct copies *c)
{
    if (r->leaves && is_unchanged(r, a))
        return &r->executed;
    if (!r->has_after)
        return NULL;
    if (restore(r, a)) {
        r->misses = 0;
        return &r->executed;
    }
    drop_copies(r, c);
    r->misses += r->misses < MISSES_MAX;
    r->wait = (1u << r->misses) - 1;
    return NULL;
}

/* ---- what is remembered -------------------------------------------------- */

/* Room for one in front: a new one, or that which was new longest ago. */
static struct repeat *first_place(struct repeats *all, struct copies *c)
{
    struct repeat *r = all->count == REPEATS_MAX ? all->one[REPEATS_MAX - 1]
                                                 : calloc(1, sizeof(*r));
    if (r == NULL)
        return NULL;
    if (all->count == REPEATS_MAX) {
        drop_copies(r, c);
        r->uses = 0;
        r->misses = r->wait = 0;
    } else {
        all->count++;
    }
    memmove(all->one + 1, all->one, (all->count - 1) * sizeof(struct repeat *));
    return all->one[0] = r;
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

static bool add_use(struct repeat *r, const struct allocation *b, unsigned use)
{
    void *grown = realloc(r->used, (r->uses + 1) * sizeof(*r->used));
    if (grown == NULL)
        return false;
    r->used = grown;
    r->used[r->uses++] = (struct memory_use){b->at,   b->bytes, b->changed, use,
                                             b->kind, NULL,     NULL};
    return true;
}

/* The program itself may write what is not the device's alone. */
static bool leaves_same(const struct memory_use *u)
{
    return (u->kind == MEMORY_DEVICE || u->kind == MEMORY_TEXTURE) &&
           u->use != (ESTIMATE_READ | ESTIMATE_WRITTEN);
}

/* Note what the launch wrote, and whether it used what `r` says. */
static bool note_changes(const struct repeat *r, struct arena *a,
                         const struct estimate_device *d)
{
    size_t n = 0;
    bool same = true;
    for (size_t i = 0; i < a->allocations; i++) {
        struct allocation *b = &a->allocation[i];
        unsigned use = b->is_free ? 0 : estimate_device_use(d, b->at);
        if ((use & ESTIMATE_WRITTEN) != 0)
            b->changed = ++a->clock;
        if (use == 0)
            continue;
        same = same && n < r->uses && r->used[n].at == b->at &&
               r->used[n].use == use;
        if (same)
            r->used[n].changed = b->changed;
        n++;
    }
    return same && n == r->uses;
}

/* Copies of what it left, beside those of what it found. */
static void keep_results(struct repeat *r, struct copies *c)
{
    bool ok = r->has_before;
    for (size_t i = 0; i < r->uses && ok; i++) {
        struct memory_use *u = &r->used[i];
        ok = (u->use & ESTIMATE_WRITTEN) == 0 || copy(&u->after, u, c);
    }
    r->has_after = ok;
    if (!ok)
        drop_copies(r, c);
}

static void learn_uses(struct repeat *r, const struct arena *a,
                       const struct estimate_device *d)
{
    r->uses = 0;
    for (size_t i = 0; i < a->allocations; i++) {
        const struct allocation *b = &a->allocation[i];
        unsigned use = b->is_free ? 0 : estimate_device_use(d, b->at);
        if (use == 0)
            continue;
        r->holds = r->holds && add_use(r, b, use);
        r->leaves = r->holds && r->leaves && leaves_same(&r->used[r->uses - 1]);
    }
}

void repeats_note(struct repeats *all, struct arena *a, struct copies *c,
                  const struct estimate_device *d,
                  const struct estimate_function *f,
                  const struct estimate_call *call,
                  const struct estimate_executed *x)
{
    static const struct repeat none = {.uses = 0};
    struct repeat *r = repeats_find(all, f, call);
    bool same = note_changes(r != NULL ? r : &none, a, d);
    if (r != NULL && r->holds && same) {
        keep_results(r, c);
        return;
    }
    if (r == NULL)
        r = first_place(all, c);
    if (r == NULL)
        return;
    drop_copies(r, c);
    r->call = *call;
    r->call.value = NULL;
    r->executed = *x;
    r->holds = r->leaves =
        keep_parameters(r, f) && !estimate_function_info(f)->may_print;
    learn_uses(r, a, d);
}
