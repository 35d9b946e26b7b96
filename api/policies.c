/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies by name. A public policy is the info that every policy begins
 * with. */
#include "api/handles.h"

#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(ESTIMATE_PARAMS == POLICY_MAX_PARAMS, "parameters of a policy");

struct estimate_context *estimate_context_create(struct estimate_error *e)
{
    struct estimate_context *c = calloc(1, sizeof(*c));
    if (c == NULL)
        tell_no_memory(e);
    return c;
}

void estimate_context_free(struct estimate_context *c)
{
    if (c == NULL)
        return;
    policy_registry_free(&c->registry);
    for (size_t i = 0; i < c->policies; i++)
        free(c->policy[i]);
    free(c->policy);
    free(c);
}

const struct policy_registry *registry_of(const struct estimate_context *c)
{
    return c != NULL ? &c->registry : NULL;
}

enum policy_kind kind_of(enum estimate_policy_kind kind)
{
    static const enum policy_kind kinds[] = {[ESTIMATE_WARP] = POLICY_WARP,
                                             [ESTIMATE_BLOCK] = POLICY_BLOCK,
                                             [ESTIMATE_L1] = POLICY_L1};
    return kinds[kind];
}

const struct estimate_policy *estimate_policy(const struct estimate_context *c,
                                              enum estimate_policy_kind kind,
                                              size_t i)
{
    return (const struct estimate_policy *)policy_at(registry_of(c),
                                                     kind_of(kind), i);
}

const char *estimate_policy_default(enum estimate_policy_kind kind)
{
    return policy_default(kind_of(kind));
}

static const struct policy_info *info(const struct estimate_policy *p)
{
    return (const struct policy_info *)p;
}

const char *estimate_policy_name(const struct estimate_policy *p)
{
    return info(p)->name;
}

const char *estimate_policy_summary(const struct estimate_policy *p)
{
    return info(p)->summary;
}

const char *estimate_policy_paper(const struct estimate_policy *p)
{
    return info(p)->paper;
}

bool estimate_policy_param(struct estimate_param *out, size_t size,
                           const struct estimate_policy *p, size_t i)
{
    if (i >= (size_t)policy_param_count(info(p)))
        return false;
    const struct policy_param *param = &info(p)->param[i];
    const struct estimate_param known = {.name = param->name,
                                         .fallback = param->fallback,
                                         .min = param->min,
                                         .max = param->max,
                                         .help = param->help};
    give_struct(out, size, &known, sizeof(known));
    return true;
}

bool estimate_policy_label(char *out, size_t size,
                           const struct estimate_context *c,
                           enum estimate_policy_kind kind, const char *text,
                           struct estimate_error *error)
{
    struct error e;
    struct choice choice;
    if (!choice_parse(&choice, registry_of(c), kind_of(kind), text, &e))
        return tell(error, &e);
    choice_label(out, size, &choice);
    return true;
}

const char *estimate_scheduler_l1(const struct estimate_context *c,
                                  const char *text)
{
    struct choice choice;
    if (!choice_parse(&choice, registry_of(c), POLICY_WARP, text, NULL) ||
        choice.warp->l1 == NULL)
        return NULL;
    return choice.warp->l1->info.name;
}
