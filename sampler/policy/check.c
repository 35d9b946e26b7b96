/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/check.h"

#include "base/error.h"
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"

#include <math.h>
#include <string.h>

static bool check_param(const struct policy_info *info,
                        const struct policy_param *p, struct error *e)
{
    bool whole = p->fallback == floor(p->fallback) && p->min == floor(p->min) &&
                 p->max == floor(p->max);
    if (whole && p->min <= p->fallback && p->fallback <= p->max)
        return true;
    return error_set(e, STATUS_USAGE,
                     "%s: parameter '%s' has the default %g and the range "
                     "from %g to %g, expected whole numbers and the default "
                     "in the range",
                     info->name, p->name, p->fallback, p->min, p->max);
}

/* "a:8,b" and "all" mean something else in lists of policies. */
static bool check_info(enum policy_kind kind, const struct policy_info *info,
                       struct error *e)
{
    if (info == NULL || info->name == NULL || info->name[0] == '\0')
        return error_set(e, STATUS_USAGE, "a %s has no name",
                         policy_kind_name(kind));
    if (strcspn(info->name, ":, \t\n") != strlen(info->name) ||
        strcmp(info->name, "all") == 0)
        return error_set(e, STATUS_USAGE,
                         "%s '%s': expected a name other than 'all', without "
                         "colons, commas and blanks",
                         policy_kind_name(kind), info->name);
    int count = policy_param_count(info);
    for (int i = 0; i < count; i++)
        if (!check_param(info, &info->param[i], e))
            return false;
    return true;
}

/* A callback that is called, or one that never would be. */
struct rule {
    bool broken;
    const char *text; /* what is missing or too much */
};

static bool check_rules(enum policy_kind kind, const struct policy_info *info,
                        const struct rule *rule, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (rule[i].broken)
            return error_set(e, STATUS_USAGE, "%s '%s': %s",
                             policy_kind_name(kind), info->name, rule[i].text);
    return true;
}
#define CHECK(kind, info, rule, e)                                             \
    check_rules(kind, info, rule, sizeof(rule) / sizeof((rule)[0]), e)

static bool check_warp(const struct warp_policy *p, struct error *e)
{
    const struct rule rules[] = {
        {p->pick == NULL, "no callback 'pick'"},
        {p->events != 0 && p->event == NULL,
         "no callback 'event' for the events it wants"},
        {p->events == 0 && p->event != NULL,
         "a callback 'event', but no events that it wants"},
        {p->next_change != NULL && p->eligible == NULL,
         "a callback 'next_change', but no callback 'eligible'"},
        {(p->base == NULL) != (p->departed == NULL),
         "one of 'base' and 'departed' without the other"},
    };
    return CHECK(POLICY_WARP, &p->info, rules, e);
}

static bool check_block(const struct block_policy *p, struct error *e)
{
    const struct rule rules[] = {
        {p->sample_at != NULL && p->event == NULL,
         "no callback 'event' for the samples of its callback 'sample_at'"},
    };
    return CHECK(POLICY_BLOCK, &p->info, rules, e);
}

static bool check_cache(const struct cache_policy *p, struct error *e)
{
    const struct rule rules[] = {
        {p->victim == NULL, "no callback 'victim'"},
    };
    return CHECK(POLICY_L1, &p->info, rules, e);
}

bool policy_check(enum policy_kind kind, const struct policy_info *policy,
                  struct error *e)
{
    const struct choice c = {.info = policy};
    if (!check_info(kind, policy, e))
        return false;
    switch (kind) {
    case POLICY_WARP:
        return check_warp(c.warp, e);
    case POLICY_BLOCK:
        return check_block(c.block, e);
    default:
        return check_cache(c.cache, e);
    }
}

bool policy_set_check(const struct policy_set *set, struct error *e)
{
    return policy_check(POLICY_WARP, set->warp.info, e) &&
           policy_check(POLICY_BLOCK, set->block.info, e) &&
           policy_check(POLICY_L1, set->l1.info, e);
}
