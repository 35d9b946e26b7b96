/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1_coherence.h"

/* As fast as the L1's port takes them. */
void l1_end_kernel(struct l1 *l1)
{
    const struct gpu *g = l1->core->gpu;
    struct cache *c = &l1->tags;
    if (g->coherence != COHERENCE_GPU || g->l1.write_policy != L1_WRITE_BACK)
        return;
    while (l1->stores.count > 0)
        l1_write_oldest(l1);
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (cache_way_is_free(c, set, way))
                continue;
            if (l->dirty != 0)
                l1_write_back(l1, l);
            l->dirty = 0;
        }
}

/* Keep what the L1 owns and what nobody writes. */
static void drop_not_owned(struct l1 *l1, const struct address_ranges *r)
{
    struct cache *c = &l1->tags;
    uint64_t bytes = (uint64_t)l1->core->gpu->l1.line_bytes;
    for (int set = 0; set < c->sets; set++)
        for (int way = 0; way < c->ways; way++) {
            struct cache_line *l = cache_at(c, set, way);
            if (cache_way_is_free(c, set, way) ||
                address_ranges_contain(r, l->tag * bytes))
                continue;
            l->valid = l->dirty;
            if (l->dirty == 0)
                cache_drop(c, set, way);
        }
}

void l1_start_kernel(struct l1 *l1, const struct address_ranges *read_only)
{
    if (l1->core->gpu->coherence == COHERENCE_GPU)
        cache_invalidate(&l1->tags);
    else
        drop_not_owned(l1, read_only);
}

void l1_invalidate(struct l1 *l1, uint64_t line, uint32_t words)
{
    struct cache *c = &l1->tags;
    int set = cache_set(c, line), way = cache_find(c, set, line);
    if (way == NO_WAY)
        return;
    struct cache_line *l = cache_at(c, set, way);
    l->dirty &= ~words;
    l->valid &= ~words;
    if (l->valid == 0)
        cache_drop(c, set, way);
}

void l1_expect_answer(struct l1 *l1, const struct request *r)
{
    if (r->kind == REQUEST_FILL)
        l1->fills++;
    else
        l1->ops->op[r->owner].outstanding++;
}
