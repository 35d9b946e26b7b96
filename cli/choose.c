/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/choose.h"

#include "cli/options.h"
#include "cli/values.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

/* What was asked for of one kind. */
struct choices {
    enum policy_kind kind;
    struct choice *choice;
    size_t count, capacity;
};

static const char *const option_of[POLICY_KINDS] = {
    [POLICY_WARP] = "sched",
    [POLICY_BLOCK] = "tb-sched",
    [POLICY_L1] = "l1-policy",
};

static bool append(struct choices *list, const struct choice *c,
                   struct error *e)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 8;
        struct choice *grown =
            realloc(list->choice, list->capacity * sizeof(*grown));
        if (grown == NULL)
            return error_no_memory(e);
        list->choice = grown;
    }
    list->choice[list->count++] = *c;
    return true;
}

static bool add(struct choices *list, const char *text, struct error *e)
{
    struct choice c;
    if (!choice_parse(&c, NULL, list->kind, text, e))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (choice_equal(&list->choice[i], &c))
            return error_set(e, STATUS_USAGE, "--%s: '%s' is named twice",
                             option_of[list->kind], text);
    return append(list, &c, e);
}

static bool add_all(struct choices *list, struct error *e)
{
    const struct policy_info *info;
    for (size_t i = 0; (info = policy_at(NULL, list->kind, i)) != NULL; i++)
        if (!add(list, info->name, e))
            return false;
    return true;
}

/* A comma list; NULL is the default. */
static bool choices_parse(struct choices *list, const char *text,
                          struct error *e)
{
    char entry[VALUE_MAX];
    const char *p = text != NULL ? text : policy_default(list->kind);
    while (list_next(&p, entry))
        if (strcmp(entry, "all") == 0 ? !add_all(list, e)
                                      : !add(list, entry, e))
            return false;
    return true;
}

/* Which of the L1 policies asked for the scheduler w brings: its index, -1 when
 * it brings none, -2 with e set when it brings one that was left out. */
static int brought_l1(const struct choice *w, const struct choices *l1,
                      struct error *e)
{
    const struct cache_policy *brought = w->warp->l1;
    if (brought == NULL)
        return -1;
    for (size_t i = 0; i < l1->count; i++)
        if (l1->choice[i].cache == brought)
            return (int)i;
    error_set(e, STATUS_USAGE,
              "--l1-policy: %s brings %s, which is not among those given",
              w->info->name, brought->info.name);
    return -2;
}
/* Append w under each of its L1 policies that is `at`, the crossing's place. */
static bool cross_one(struct policy_list *out, const struct choice *w,
                      const struct choice *b, const struct choices *l1,
                      size_t at, bool l1_given, struct error *e)
{
    struct policy_set set = {*w, *b, l1->choice[at]};
    if (w->warp->l1 != NULL && !l1_given) {
        set.l1 = choice_of(&w->warp->l1->info);
    } else {
        int brought = brought_l1(w, l1, e);
        if (brought == -2)
            return false;
        if (brought >= 0 && (size_t)brought != at)
            return true;
    }
    out->set[out->count++] = set;
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
    struct choices w = {.kind = POLICY_WARP};
    struct choices b = {.kind = POLICY_BLOCK}, l1 = {.kind = POLICY_L1};
    *out = (struct policy_list){0};
    bool ok = choices_parse(&w, o->sched, e) &&
              choices_parse(&b, o->tb_sched, e) &&
              choices_parse(&l1, o->l1_policy, e) &&
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
