/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/learned.h"

#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

bool policies_learn(const struct policy_set *p)
{
    const struct cache_policy *own = p->warp.warp->l1;
    return (own != NULL ? own : p->l1.cache)->learned != NULL;
}

bool learned_take(struct learned *out, const struct cache *from)
{
    const uint8_t *bytes = from->policy->learned(from->state, &out->size);
    out->bytes = malloc(out->size);
    if (out->bytes == NULL)
        return false;
    memcpy(out->bytes, bytes, out->size);
    return true;
}

void learned_give(const struct learned *l, struct cache *to)
{
    size_t size;
    if (l->bytes != NULL)
        memcpy(to->policy->learned(to->state, &size), l->bytes, l->size);
}

void learned_free(struct learned *l)
{
    free(l->bytes);
    *l = (struct learned){0};
}
