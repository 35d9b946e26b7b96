/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/copier.h"

#include <stdlib.h>

void copier_free(struct copier *c)
{
    free(c->copy);
}

static bool grow(struct copier *c)
{
    size_t old = c->capacity, capacity = old == 0 ? 16 : 2 * old;
    struct copy *ring = malloc(capacity * sizeof(*ring));
    if (ring == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        ring[i] = c->copy[(c->head + i) % old];
    free(c->copy);
    c->copy = ring;
    c->capacity = capacity;
    c->head = 0;
    return true;
}

static bool next_line(const struct copier *c, struct copy *k)
{
    const struct gpu *g = c->core->gpu;
    return box_next(&k->walk, (unsigned)g->l2.line_bytes,
                    (unsigned)g->l2.sector_bytes, &k->next);
}

void copier_add(struct copier *c, uint32_t op, const struct box_walk *walk)
{
    if (c->count == c->capacity && !grow(c)) {
        core_no_memory(c->core);
        return;
    }
    struct copy *k = &c->copy[(c->head + c->count++) % c->capacity];
    *k = (struct copy){.op = op, .walk = *walk};
    next_line(c, k);
}

void copier_cycle(struct copier *c)
{
    if (c->wait != GO)
        return;
    struct copy *k = &c->copy[c->head];
    c->wait = l1_bypass(c->l1, k->op, &k->next, 1);
    if (c->wait != GO)
        return;
    c->core->active_cycle = true;
    if (next_line(c, k))
        return;
    c->ops->op[k->op].all_sent = true;
    c->head = (c->head + 1) % c->capacity;
    c->count--;
}

uint64_t copier_wake(const struct copier *c)
{
    return c->count > 0 && c->wait == GO ? c->core->now + 1 : UINT64_MAX;
}

bool copier_credit(struct copier *c)
{
    bool waited = c->wait == NO_CREDIT;
    if (waited)
        c->wait = GO;
    return waited;
}
