/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every policy struct begins with its policy_info, so one walk serves all three
 * tables. */
typedef const struct policy_info *const *info_table;

static const char *info_name(const void *table, size_t i)
{
    return ((info_table)table)[i]->name;
}

static const struct policy_info *find_info(const char *kind, const void *table,
                                           const char *name, struct error *e)
{
    info_table infos = table;
    size_t count = 0;
    for (; infos[count] != NULL; count++)
        if (strcmp(infos[count]->name, name) == 0)
            return infos[count];
    const char *near = nearest_name(name, table, count, info_name);
    if (near != NULL)
        error_set(e, STATUS_USAGE, "unknown %s '%s', did you mean '%s'?", kind,
                  name, near);
    else
        error_set(e, STATUS_USAGE, "unknown %s '%s' (see `estimate list`)",
                  kind, name);
    return NULL;
}

static int param_count(const struct policy_info *info)
{
    int n = 0;
    while (n < POLICY_MAX_PARAMS && info->param[n].name != NULL)
        n++;
    return n;
}

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

static const struct policy_info *parse(double *params, const char *kind,
                                       const void *table, const char *text,
                                       struct error *e)
{
    char name[64];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof(name), "%.*s", (int)(length < 63 ? length : 63),
             text);
    const struct policy_info *info = find_info(kind, table, name, e);
    if (info == NULL)
        return NULL;
    int count = param_count(info);
    for (int i = 0; i < POLICY_MAX_PARAMS; i++)
        params[i] = i < count ? info->param[i].fallback : 0;
    bool more = text[length] == ':';
    const char *rest = text + length + (more ? 1 : 0);
    for (int i = 0; more; i++) {
        if (i == count) {
            error_set(e, STATUS_USAGE, "%s takes %d parameter%s, found '%.40s'",
                      info->name, count, count == 1 ? "" : "s", text);
            return NULL;
        }
        if (!parse_param(&params[i], &rest, info, &info->param[i], e))
            return NULL;
        more = rest[-1] == ':';
    }
    return info;
}

bool warp_choice_parse(struct warp_choice *out, const char *text,
                       struct error *e)
{
    out->policy = (const struct warp_policy *)parse(out->param, "scheduler",
                                                    warp_policies, text, e);
    return out->policy != NULL;
}

bool block_choice_parse(struct block_choice *out, const char *text,
                        struct error *e)
{
    out->policy = (const struct block_policy *)parse(
        out->param, "thread-block scheduler", block_policies, text, e);
    return out->policy != NULL;
}

bool cache_choice_parse(struct cache_choice *out, const char *text,
                        struct error *e)
{
    out->policy = (const struct cache_policy *)parse(out->param, "L1 policy",
                                                     cache_policies, text, e);
    return out->policy != NULL;
}

void policy_label(char *out, size_t size, const struct policy_info *info,
                  const double *param)
{
    int last = param_count(info);
    while (last > 0 && param[last - 1] == info->param[last - 1].fallback)
        last--;
    int used = snprintf(out, size, "%s", info->name);
    for (int i = 0; i < last && used >= 0 && (size_t)used < size; i++)
        used += snprintf(out + used, size - (size_t)used, ":%.0f", param[i]);
}
