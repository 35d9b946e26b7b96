/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "calib/calib.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

/* ---- policies ------------------------------------------------------------ */

/* A policy that only the context knows. */
static bool is_registered(enum policy_kind kind, const struct choice *c)
{
    return policy_find(NULL, kind, c->info->name, NULL) != c->info;
}

static bool set_policy(struct estimate_study *s,
                       const struct policy_registry *registry,
                       const struct estimate_policies *p, struct error *e)
{
    struct policy_set *set = &s->policy[s->policies];
    struct policy_labels *label = &s->label[s->policies];
    if (!policy_set_parse(set, registry, p->sched, p->tb_sched, p->l1_policy,
                          e))
        return false;
    const struct cache_policy *own = set->warp.warp->l1;
    if (own != NULL && own != set->l1.cache)
        set->l1 = choice_of(&own->info);
    choice_label(label->sched, LABEL_BYTES, &set->warp);
    choice_label(label->tb_sched, LABEL_BYTES, &set->block);
    choice_label(label->l1_policy, LABEL_BYTES, &set->l1);
    s->registered |= is_registered(POLICY_WARP, &set->warp) ||
                     is_registered(POLICY_BLOCK, &set->block) ||
                     is_registered(POLICY_L1, &set->l1);
    s->policies++;
    return true;
}

static bool set_policies(struct estimate_study *s,
                         const struct policy_registry *registry,
                         const struct estimate_policies *policies, size_t count,
                         struct error *e)
{
    s->policy = calloc(count, sizeof(*s->policy));
    s->label = calloc(count, sizeof(*s->label));
    if (s->policy == NULL || s->label == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < count; i++)
        if (!set_policy(s, registry, &policies[i], e))
            return false;
    return true;
}

struct estimate_study *
estimate_study_create(const struct estimate_context *c,
                      const struct estimate_policies *policies, size_t count,
                      struct estimate_error *out)
{
    static const struct estimate_policies defaults = {NULL, NULL, NULL};
    struct error e;
    struct estimate_study *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    if (count > 0 ? set_policies(s, registry_of(c), policies, count, &e)
                  : set_policies(s, registry_of(c), &defaults, 1, &e))
        return s;
    tell(out, &e);
    estimate_study_free(s);
    return NULL;
}

void estimate_study_free(struct estimate_study *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->cases; i++) {
        free(s->at[i].tb);
        free(s->at[i].found);
    }
    free(s->at);
    free(s->policy);
    free(s->label);
    free(s);
}

bool estimate_study_reference(struct estimate_study *s, size_t policy,
                              struct estimate_error *out)
{
    struct error e;
    if (policy < s->policies) {
        s->reference = policy;
        return true;
    }
    error_set(&e, STATUS_USAGE, "there are %zu policies, there is no %zu",
              s->policies, policy);
    return tell(out, &e);
}

/* ---- cases --------------------------------------------------------------- */

static bool room_for_case(struct estimate_study *s)
{
    if (s->cases < s->capacity)
        return true;
    size_t capacity = 2 * s->capacity + 8;
    struct study_case *grown = realloc(s->at, capacity * sizeof(*grown));
    if (grown == NULL)
        return false;
    s->at = grown;
    s->capacity = capacity;
    return true;
}

static bool check_blocks(const int *tb, size_t count, int limit,
                         struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (tb[i] < 1 || tb[i] > limit || (i > 0 && tb[i] <= tb[i - 1]))
            return error_set(e, STATUS_USAGE,
                             "%d resident blocks: expected ascending numbers "
                             "from 1 to %d",
                             tb[i], limit);
    return true;
}

/* As many blocks as fit where no number is given. */
static bool set_blocks(struct study_case *c, const int *tb, size_t count,
                       struct error *e)
{
    int limit = max_blocks(c->kernel, c->gpu, e);
    if (limit == 0 || !check_blocks(tb, count, limit, e))
        return false;
    c->tb_count = count > 0 ? count : 1;
    c->tb = calloc(c->tb_count, sizeof(*c->tb));
    if (c->tb == NULL)
        return error_no_memory(e);
    c->tb[0] = limit;
    if (count > 0)
        memcpy(c->tb, tb, count * sizeof(*tb));
    return true;
}

const struct gpu *found_gpu(const struct study_case *c)
{
    return c->found != NULL ? c->found : &c->gpu->gpu;
}

/* False without memory. */
static bool set_found(struct study_case *c)
{
    const struct gpu *g = &c->gpu->gpu;
    const struct kernel_list *application = c->kernel->application;
    struct kernel *const *kernels =
        application != NULL ? application->kernel
                            : (struct kernel *const *)&c->kernel->first;
    if (!g->l1.unified)
        return true;
    c->found = malloc(sizeof(*c->found));
    if (c->found != NULL)
        gpu_for_kernels(c->found, g, kernels,
                        application != NULL ? application->count : 1);
    return c->found != NULL;
}

bool estimate_study_add(struct estimate_study *s,
                        const struct estimate_kernel *k,
                        const struct estimate_gpu *g, const int *tb,
                        size_t tb_count, struct estimate_error *out)
{
    struct error e;
    struct study_case c = {.kernel = k, .gpu = g};
    if (!room_for_case(s))
        return tell_no_memory(out);
    if (!gpu_validate(&g->gpu, &e) || !set_blocks(&c, tb, tb_count, &e))
        return tell(out, &e);
    if (!set_found(&c)) {
        free(c.tb);
        return tell_no_memory(out);
    }
    s->at[s->cases++] = c;
    return true;
}
