/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/choose.h"

#include "cli/options.h"
#include "cli/values.h"
#include "sampler/policy/policy.h"

#include <stdlib.h>
#include <string.h>

/* A choice of any kind: all three have this shape (base/result.h). */
struct choice {
    const void *policy; /* begins with its policy_info */
    double param[POLICY_MAX_PARAMS];
};

struct choices {
    struct choice *choice;
    size_t count, capacity;
};

/* What differs between the three kinds of policy. */
struct kind {
    const char *option;
    const void *table; /* NULL-ended */
    bool (*parse)(struct choice *out, const char *text, struct error *e);
};

static bool parse_warp(struct choice *out, const char *text, struct error *e)
{
    struct warp_choice c;
    if (!warp_choice_parse(&c, text, e))
        return false;
    out->policy = c.policy;
    memcpy(out->param, c.param, sizeof(c.param));
    return true;
}

static bool parse_block(struct choice *out, const char *text, struct error *e)
{
    struct block_choice c;
    if (!block_choice_parse(&c, text, e))
        return false;
    out->policy = c.policy;
    memcpy(out->param, c.param, sizeof(c.param));
    return true;
}

static bool parse_l1(struct choice *out, const char *text, struct error *e)
{
    struct cache_choice c;
    if (!cache_choice_parse(&c, text, e))
        return false;
    out->policy = c.policy;
    memcpy(out->param, c.param, sizeof(c.param));
    return true;
}

static const struct kind warp_kind = {"sched", warp_policies, parse_warp};
static const struct kind block_kind = {"tb-sched", block_policies, parse_block};
static const struct kind l1_kind = {"l1-policy", cache_policies, parse_l1};

static bool same(const void *a_policy, const double *a_param,
                 const void *b_policy, const double *b_param)
{
    for (int i = 0; i < POLICY_MAX_PARAMS; i++)
        if (a_param[i] != b_param[i])
            return false;
    return a_policy == b_policy;
}

static bool add(struct choices *list, const struct kind *kind, const char *text,
                struct error *e)
{
    struct choice c;
    if (!kind->parse(&c, text, e))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (same(list->choice[i].policy, list->choice[i].param, c.policy,
                 c.param))
            return error_set(e, STATUS_USAGE, "--%s: '%s' is named twice",
                             kind->option, text);
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 8;
        struct choice *grown =
            realloc(list->choice, list->capacity * sizeof(*grown));
        if (grown == NULL) {
            error_no_memory(e);
            return false;
        }
        list->choice = grown;
    }
    list->choice[list->count++] = c;
    return true;
}

static bool add_all(struct choices *list, const struct kind *kind,
                    struct error *e)
{
    const struct policy_info *const *info = kind->table;
    for (; *info != NULL; info++)
        if (!add(list, kind, (*info)->name, e))
            return false;
    return true;
}

static bool choices_parse(struct choices *list, const struct kind *kind,
                          const char *text, struct error *e)
{
    char entry[VALUE_MAX];
    for (const char *p = text; list_next(&p, entry);) {
        bool ok = strcmp(entry, "all") == 0 ? add_all(list, kind, e)
                                            : add(list, kind, entry, e);
        if (!ok)
            return false;
    }
    return true;
}

static struct policy_set make_set(const struct choice *w,
                                  const struct choice *b,
                                  const struct choice *l1)
{
    struct policy_set s = {.warp.policy = w->policy,
                           .block.policy = b->policy,
                           .l1.policy = l1->policy};
    memcpy(s.warp.param, w->param, sizeof(w->param));
    memcpy(s.block.param, b->param, sizeof(b->param));
    memcpy(s.l1.param, l1->param, sizeof(l1->param));
    return s;
}

/* Which of the L1 policies asked for the scheduler w brings: its index, -1 when
 * it brings none, -2 with e set when it brings one that was left out. */
static int brought_l1(const struct choice *w, const struct choices *l1,
                      struct error *e)
{
    const struct warp_policy *policy = w->policy;
    if (policy->l1_policy == NULL)
        return -1;
    for (size_t i = 0; i < l1->count; i++) {
        const struct cache_policy *cache = l1->choice[i].policy;
        if (strcmp(cache->info.name, policy->l1_policy) == 0)
            return (int)i;
    }
    error_set(e, STATUS_USAGE,
              "--l1-policy: %s brings %s, which is not among those given",
              policy->info.name, policy->l1_policy);
    return -2;
}

/* Append w under each of its L1 policies that is `at`, the crossing's place. */
static bool cross_one(struct policy_list *out, const struct choice *w,
                      const struct choice *b, const struct choices *l1,
                      size_t at, bool l1_given, struct error *e)
{
    struct choice own;
    const struct choice *l1_choice = &l1->choice[at];
    const struct warp_policy *policy = w->policy;
    if (policy->l1_policy != NULL && !l1_given) {
        if (!parse_l1(&own, policy->l1_policy, e))
            return false;
        l1_choice = &own;
    } else {
        int brought = brought_l1(w, l1, e);
        if (brought == -2)
            return false;
        if (brought >= 0 && (size_t)brought != at)
            return true;
    }
    out->set[out->count++] = make_set(w, b, l1_choice);
    return true;
}

static bool cross(struct policy_list *out, const struct choices *w,
                  const struct choices *b, const struct choices *l1,
                  bool l1_given, struct error *e)
{
    /* One more: a sweep may add the default point. */
    out->set = calloc(w->count * b->count * l1->count + 1, sizeof(*out->set));
    if (out->set == NULL)
        return error_no_memory(e);
    out->block_count = b->count;
    out->l1_count = l1->count;
    for (size_t j = 0; j < b->count; j++)
        for (size_t k = 0; k < l1->count; k++)
            for (size_t i = 0; i < w->count; i++)
                if (!cross_one(out, &w->choice[i], &b->choice[j], l1, k,
                               l1_given, e))
                    return false;
    return true;
}

bool policy_list_create(struct policy_list *out, const struct options *o,
                        struct error *e)
{
    struct choices w = {0}, b = {0}, l1 = {0};
    const char *l1_text = o->l1_policy != NULL ? o->l1_policy : "lru";
    *out = (struct policy_list){0};
    bool ok = choices_parse(&w, &warp_kind, o->sched, e) &&
              choices_parse(&b, &block_kind, o->tb_sched, e) &&
              choices_parse(&l1, &l1_kind, l1_text, e) &&
              cross(out, &w, &b, &l1, o->l1_policy != NULL, e);
    free(w.choice);
    free(b.choice);
    free(l1.choice);
    return ok;
}

void policy_list_free(struct policy_list *list)
{
    free(list->set);
}

bool policy_set_default(struct policy_set *out, struct error *e)
{
    return warp_choice_parse(&out->warp, "gto", e) &&
           block_choice_parse(&out->block, "rr", e) &&
           cache_choice_parse(&out->l1, "lru", e);
}

bool policy_set_equal(const struct policy_set *a, const struct policy_set *b)
{
    return same(a->warp.policy, a->warp.param, b->warp.policy, b->warp.param) &&
           same(a->block.policy, a->block.param, b->block.policy,
                b->block.param) &&
           same(a->l1.policy, a->l1.param, b->l1.policy, b->l1.param);
}
