/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/policy.h"

#include <stdio.h>

const char *policy_kind_name(enum policy_kind kind)
{
    static const char *const names[POLICY_KINDS] = {
        [POLICY_WARP] = "scheduler",
        [POLICY_BLOCK] = "thread-block scheduler",
        [POLICY_L1] = "L1 policy",
    };
    return names[kind];
}

int policy_param_count(const struct policy_info *info)
{
    int n = 0;
    while (n < POLICY_MAX_PARAMS && info->param[n].name != NULL)
        n++;
    return n;
}

struct choice choice_of(const struct policy_info *info)
{
    struct choice c = {.info = info};
    int count = policy_param_count(info);
    for (int i = 0; i < count; i++)
        c.param[i] = info->param[i].fallback;
    return c;
}

bool choice_equal(const struct choice *a, const struct choice *b)
{
    for (int i = 0; i < POLICY_MAX_PARAMS; i++)
        if (a->param[i] != b->param[i])
            return false;
    return a->info == b->info;
}

bool policy_set_equal(const struct policy_set *a, const struct policy_set *b)
{
    return choice_equal(&a->warp, &b->warp) &&
           choice_equal(&a->block, &b->block) && choice_equal(&a->l1, &b->l1);
}

double choice_param(const struct choice *c, enum param_role role,
                    double otherwise)
{
    int count = policy_param_count(c->info);
    for (int i = 0; i < count; i++)
        if (c->info->param[i].role == role)
            return c->param[i];
    return otherwise;
}

void choice_label(char *out, size_t size, const struct choice *c)
{
    int last = policy_param_count(c->info);
    while (last > 0 && c->param[last - 1] == c->info->param[last - 1].fallback)
        last--;
    int used = snprintf(out, size, "%s", c->info->name);
    for (int i = 0; i < last && used >= 0 && (size_t)used < size; i++)
        used += snprintf(out + used, size - (size_t)used, ":%.0f", c->param[i]);
}
