/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/registry.h"

#include "base/error.h"
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/check.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 64

/* ---- the kinds ---------------------------------------------------------- */

static const struct policy_info *warp_at(size_t i)
{
    const struct warp_policy *p = warp_policies[i];
    return p != NULL ? &p->info : NULL;
}

static const struct policy_info *block_at(size_t i)
{
    const struct block_policy *p = block_policies[i];
    return p != NULL ? &p->info : NULL;
}

static const struct policy_info *cache_at(size_t i)
{
    const struct cache_policy *p = cache_policies[i];
    return p != NULL ? &p->info : NULL;
}

static const struct kind {
    const char *fallback;
    const struct policy_info *(*at)(size_t i); /* built in; NULL at the end */
} kinds[POLICY_KINDS] = {
    [POLICY_WARP] = {"gto", warp_at},
    [POLICY_BLOCK] = {"rr", block_at},
    [POLICY_L1] = {"lru", cache_at},
};

const char *policy_default(enum policy_kind kind)
{
    return kinds[kind].fallback;
}

/* ---- look-up ------------------------------------------------------------ */

const struct policy_info *policy_at(const struct policy_registry *r,
                                    enum policy_kind kind, size_t i)
{
    size_t built_in = 0;
    for (; kinds[kind].at(built_in) != NULL; built_in++)
        if (built_in == i)
            return kinds[kind].at(i);
    if (r == NULL || i - built_in >= r->added[kind].count)
        return NULL;
    return r->added[kind].policy[i - built_in];
}

/* All policies of one kind, for nearest_name. */
struct shelf {
    const struct policy_registry *registry;
    enum policy_kind kind;
};

static const char *shelf_name(const void *shelf, size_t i)
{
    const struct shelf *s = shelf;
    return policy_at(s->registry, s->kind, i)->name;
}

/* The policy of that name, or NULL; *count is how many there are. */
static const struct policy_info *look_up(const struct shelf *s,
                                         const char *name, size_t *count)
{
    const struct policy_info *info;
    for (size_t i = 0; (info = policy_at(s->registry, s->kind, i)) != NULL; i++)
        if (strcmp(info->name, name) == 0)
            return info;
        else
            *count = i + 1;
    return NULL;
}

const struct policy_info *policy_find(const struct policy_registry *r,
                                      enum policy_kind kind, const char *name,
                                      struct error *e)
{
    const struct shelf shelf = {r, kind};
    size_t count = 0;
    const struct policy_info *info = look_up(&shelf, name, &count);
    if (info != NULL)
        return info;
    const char *near = nearest_name(name, &shelf, count, shelf_name);
    if (near != NULL)
        error_set(e, STATUS_USAGE, "unknown %s '%s', did you mean '%s'?",
                  policy_kind_name(kind), name, near);
    else
        error_set(e, STATUS_USAGE, "unknown %s '%s' (see `estimate list`)",
                  policy_kind_name(kind), name);
    return NULL;
}

/* ---- adding ------------------------------------------------------------- */

static bool append(struct policy_added *list, const struct policy_info *policy)
{
    const struct policy_info **grown =
        realloc(list->policy, (list->count + 1) * sizeof(struct policy_info *));
    if (grown == NULL)
        return false;
    list->policy = grown;
    list->policy[list->count++] = policy;
    return true;
}

bool policy_register(struct policy_registry *r, enum policy_kind kind,
                     const struct policy_info *policy, struct error *e)
{
    const struct shelf shelf = {r, kind};
    size_t count;
    if (!policy_check(kind, policy, e))
        return false;
    if (look_up(&shelf, policy->name, &count) != NULL)
        return error_set(e, STATUS_USAGE, "%s '%s': there is one already",
                         policy_kind_name(kind), policy->name);
    return append(&r->added[kind], policy) || error_no_memory(e);
}

void policy_registry_free(struct policy_registry *r)
{
    for (int kind = 0; kind < POLICY_KINDS; kind++)
        free(r->added[kind].policy);
    *r = (struct policy_registry){0};
}

/* ---- choices ------------------------------------------------------------ */

/* One number out of "8:2"; advances *text past it. */
static bool parse_param(double *out, const char **text,
                        const struct policy_info *info,
                        const struct policy_param *param, struct error *e)
{
    char *end;
    double v = strtod(*text, &end);
    bool whole = end != *text && (*end == '\0' || *end == ':');
    if (!whole || v != floor(v) || !(v >= param->min && v <= param->max))
        return error_set(e, STATUS_USAGE,
                         "%s: parameter '%s' is '%.40s', expected a whole "
                         "number from %.0f to %.0f",
                         info->name, param->name, *text, param->min,
                         param->max);
    *out = v;
    *text = *end == ':' ? end + 1 : end;
    return true;
}

/* The parameters of "name:8:2", where they begin in text. */
static bool parse_params(struct choice *out, const char *text,
                         const char *params, struct error *e)
{
    const struct policy_info *info = out->info;
    int count = policy_param_count(info);
    bool more = true;
    for (int i = 0; more; i++) {
        if (i == count)
            return error_set(e, STATUS_USAGE,
                             "%s takes %d parameter%s, found '%.40s'",
                             info->name, count, count == 1 ? "" : "s", text);
        if (!parse_param(&out->param[i], &params, info, &info->param[i], e))
            return false;
        more = params[-1] == ':';
    }
    return true;
}

bool choice_parse(struct choice *out, const struct policy_registry *r,
                  enum policy_kind kind, const char *text, struct error *e)
{
    char name[NAME_SIZE];
    const char *from = text != NULL ? text : kinds[kind].fallback;
    size_t length = strcspn(from, ":");
    snprintf(name, sizeof(name), "%.*s",
             (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), from);
    const struct policy_info *info = policy_find(r, kind, name, e);
    if (info == NULL)
        return false;
    *out = choice_of(info);
    return from[length] != ':' || parse_params(out, from, from + length + 1, e);
}

bool policy_set_parse(struct policy_set *out, const struct policy_registry *r,
                      const char *warp, const char *block, const char *l1,
                      struct error *e)
{
    return choice_parse(&out->warp, r, POLICY_WARP, warp, e) &&
           choice_parse(&out->block, r, POLICY_BLOCK, block, e) &&
           choice_parse(&out->l1, r, POLICY_L1, l1, e);
}

static struct choice default_of(enum policy_kind kind)
{
    return choice_of(policy_find(NULL, kind, kinds[kind].fallback, NULL));
}

struct policy_set policy_set_default(void)
{
    return (struct policy_set){.warp = default_of(POLICY_WARP),
                               .block = default_of(POLICY_BLOCK),
                               .l1 = default_of(POLICY_L1)};
}
