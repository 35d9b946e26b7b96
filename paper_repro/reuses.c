/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/reuses.h"

#include "kernels/form/kernel.h"

#include <search.h>
#include <stdlib.h>

/* A line that a critical warp brought into an L1. */
struct held {
    int sm;
    uint64_t line;
    uint32_t source; /* line of the kernel's file */
    bool by_critical, by_others;
};

static int by_place(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static bool hold(struct reuses *r, const struct sampler_line *l)
{
    struct held *h = malloc(sizeof(*h));
    if (h == NULL)
        return false;
    *h = (struct held){.sm = l->sm, .line = l->line, .source = l->inst->line};
    if (tsearch(h, &r->held, by_place) != NULL)
        return true;
    free(h);
    return false;
}

static void drop(struct reuses *r, struct held *h)
{
    tdelete(h, &r->held, by_place);
    free(h);
}

/* NULL when out of memory. */
static struct lab_reuse *counts_of(struct reuses *r, uint32_t source)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->of[i].line == source)
            return &r->of[i];
    if (r->count == r->room) {
        size_t room = r->room == 0 ? 16 : 2 * r->room;
        struct lab_reuse *more = realloc(r->of, room * sizeof(*more));
        if (more == NULL)
            return NULL;
        r->of = more;
        r->room = room;
    }
    r->of[r->count] = (struct lab_reuse){.line = source};
    return &r->of[r->count++];
}

/* The L1 has the line no longer. */
static bool count(struct reuses *r, struct held *h)
{
    struct lab_reuse *of = counts_of(r, h->source);
    if (of != NULL) {
        of->brought++;
        of->by_critical += h->by_critical;
        of->by_others += h->by_others && !h->by_critical;
    }
    drop(r, h);
    return of != NULL;
}

static struct held *any(const struct reuses *r)
{
    return r->held != NULL ? *(struct held **)r->held : NULL;
}

static bool count_all(struct reuses *r)
{
    bool ok = true;
    for (struct held *h = any(r); h != NULL; h = any(r))
        ok &= count(r, h);
    return ok;
}

bool reuses_note(struct reuses *r, const struct sampler_line *l)
{
    const struct held key = {.sm = l->sm, .line = l->line};
    bool ok = l->kernel + 1 == r->launch || count_all(r);
    r->launch = l->kernel + 1;
    struct held *const *found = tfind(&key, &r->held, by_place);
    if (found == NULL) {
        bool brings = l->event == LINE_MISS && !l->present && l->critical;
        return ok && (!brings || hold(r, l));
    }
    if (l->event == LINE_EVICTED)
        return ok && count(r, *found);
    (*found)->by_critical |= l->critical;
    (*found)->by_others |= !l->critical;
    return ok;
}

static int by_source(const void *a, const void *b)
{
    const struct lab_reuse *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

bool reuses_take(struct reuses *r, struct lab_reuse **out, size_t *count)
{
    bool ok = count_all(r);
    if (r->count > 0)
        qsort(r->of, r->count, sizeof(*r->of), by_source);
    *out = r->of;
    *count = r->count;
    r->of = NULL;
    r->count = r->room = 0;
    return ok;
}

void reuses_free(struct reuses *r)
{
    for (struct held *h = any(r); h != NULL; h = any(r))
        drop(r, h);
    free(r->of);
}
