/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's own L1 policy as the engines want it. */
#include "api/registration.h"

#include "sampler/policy/l1/cache_policy.h"

#include <stdlib.h>
#include <string.h>

struct adapter {
    struct cache_policy policy; /* first: this is what is registered */
    struct estimate_l1_policy given;
};

static const struct estimate_l1_policy *given_of(const struct own_state *s)
{
    return &((const struct adapter *)s->adapter)->given;
}

static struct estimate_l1_access access_of(const struct cache_access *a)
{
    return (struct estimate_l1_access){.line = a->line,
                                       .address = a->address,
                                       .instruction = a->pc,
                                       .warp = a->warp,
                                       .write = a->write};
}

static size_t state_size(const struct cache_shape *shape)
{
    const struct adapter *a = (const struct adapter *)shape->policy;
    return sizeof(struct own_state) + a->given.state_size +
           cache_lines(shape) * a->given.way_state_size;
}

static void init(void *state, const struct cache_shape *shape)
{
    struct own_state *s = state;
    s->adapter = shape->policy;
    if (given_of(s)->init != NULL)
        given_of(s)->init(s->own,
                          &(struct estimate_l1_start){.user = given_of(s)->user,
                                                      .param = shape->param,
                                                      .sets = shape->sets,
                                                      .ways = shape->ways});
}

static void hit(void *state, int set, int way, const struct cache_access *a)
{
    struct own_state *s = state;
    struct estimate_l1_access access = access_of(a);
    given_of(s)->hit(s->own, set, way, &access);
}

static void fill(void *state, int set, int way, const struct cache_access *a)
{
    struct own_state *s = state;
    struct estimate_l1_access access = access_of(a);
    given_of(s)->fill(s->own, set, way, &access);
}

static int victim(void *state, int set, const uint8_t *locked,
                  const struct cache_access *a)
{
    struct own_state *s = state;
    struct estimate_l1_access access = access_of(a);
    return given_of(s)->victim(s->own, set, locked, &access);
}

static void evict(void *state, int set, int way)
{
    struct own_state *s = state;
    given_of(s)->evict(s->own, set, way);
}

static void drop(void *state, int set, int way)
{
    struct own_state *s = state;
    given_of(s)->drop(s->own, set, way);
}

void estimate_l1_policy_init(struct estimate_l1_policy *p, size_t size)
{
    memset(p, 0, size);
    p->size = size;
}

static void keep_callbacks(struct adapter *a)
{
    const struct estimate_l1_policy *given = &a->given;
    struct cache_policy *p = &a->policy;
    p->state_size = state_size;
    p->init = init;
    p->hit = given->hit != NULL ? hit : NULL;
    p->fill = given->fill != NULL ? fill : NULL;
    p->victim = given->victim != NULL ? victim : NULL;
    p->evict = given->evict != NULL ? evict : NULL;
    p->drop = given->drop != NULL ? drop : NULL;
}

bool estimate_l1_policy_register(struct estimate_context *c,
                                 const struct estimate_l1_policy *given,
                                 struct estimate_error *out)
{
    struct error e;
    struct adapter *a = calloc(1, sizeof(*a));
    if (a == NULL)
        return tell_no_memory(out);
    a->given.size = sizeof(a->given);
    if (!take_struct(&a->given, sizeof(a->given), given, &e)) {
        free(a);
        return tell(out, &e);
    }
    keep_callbacks(a);
    const struct policy_naming naming = {a->given.name, a->given.summary,
                                         a->given.paper, a->given.param,
                                         a->given.params};
    return context_add(c, POLICY_L1, &a->policy.info, &naming, &e) ||
           tell(out, &e);
}
