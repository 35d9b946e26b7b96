/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1_coherence.h"

#include "kernels/form/read_only.h"
#include "sampler/machine.h"
#include "sampler/sm/l1.h"

/* As fast as the L1's port takes them. */
void l1_end_kernel(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    struct cache *c = &sm->l1;
    if (g->coherence != COHERENCE_GPU || g->l1.write_policy != L1_WRITE_BACK)
        return;
    sm->now = sm->machine->now;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (l->dirty != 0)
                l1_write_back(sm, l);
            l->dirty = 0;
        }
}

/* Keep what the L1 owns and what nobody writes. */
static void drop_not_owned(struct sm *sm, const struct address_ranges *r)
{
    struct cache *c = &sm->l1;
    uint64_t bytes = (uint64_t)sm->gpu->l1.line_bytes;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (address_ranges_contain(r, l->tag * bytes))
                continue;
            l->valid = l->dirty;
            if (l->dirty == 0)
                cache_drop(c, set, way);
        }
}

void l1_start_kernel(struct sm *sm, const struct address_ranges *read_only)
{
    if (sm->gpu->coherence == COHERENCE_GPU)
        cache_invalidate(&sm->l1);
    else
        drop_not_owned(sm, read_only);
    cache_invalidate(&sm->constant);
    cache_invalidate(&sm->texture);
}

void l1_invalidate(struct sm *sm, uint64_t line, uint32_t words)
{
    struct cache *c = &sm->l1;
    int set = cache_set(c, line), way = cache_find(c, set, line);
    if (way == NO_WAY)
        return;
    struct cache_line *l = cache_at(c, set, way);
    l->dirty &= ~words;
    l->valid &= ~words;
    if (l->valid == 0)
        cache_drop(c, set, way);
}

void l1_expect_answer(struct sm *sm, const struct request *r)
{
    if (r->kind == REQUEST_FILL)
        sm->fills++;
    else
        sm->op[r->owner].outstanding++;
}
