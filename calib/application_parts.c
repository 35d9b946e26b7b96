/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application_parts.h"

#include "calib/constants.h"
#include "calib/launch_kinds.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/acting.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>

static struct study *add_study(struct application_parts *p,
                               const struct study *s)
{
    p->study[p->count] = *s;
    p->of[p->count] = (size_t)(s - p->whole);
    return &p->study[p->count++];
}

/* The launches before launch i, as many as are looked at. False without memory.
 */
static bool set_before(struct study *out, const struct kernel_list *a,
                       const double *insts, size_t i)
{
    double sampled = fmin(APPLICATION_INSTS * out->share, FEW_WAVES_INSTS);
    double left = fmax(BEFORE_LEAST, BEFORE_TIMES * fmin(insts[i], sampled));
    size_t first = i;
    while (first > 0 && left > 0)
        left -= insts[--first];
    struct sampler_launch *before = calloc(i - first + 1, sizeof(*before));
    if (before == NULL)
        return false;
    for (size_t j = first; j < i; j++)
        before[j - first] =
            (struct sampler_launch){a->kernel[j], a->kernel[j]->blocks};
    if (left < 0)
        before[0].blocks = (uint64_t)ceil((1 + left / insts[first]) *
                                          (double)before[0].blocks);
    out->before = before;
    out->befores = i - first;
    return true;
}

/* The block counts asked for, as many as fit of it. */
static bool set_block_counts(struct study *out, const struct study *s)
{
    int most = occupancy_blocks(s->gpu, out->kernel, NULL), count = 0;
    int *tb = calloc((size_t)s->tb_count, sizeof(*tb));
    for (int i = 0; tb != NULL && i < s->tb_count; i++) {
        int blocks = s->tb[i] < most ? s->tb[i] : most;
        if (count == 0 || tb[count - 1] < blocks)
            tb[count++] = blocks;
    }
    out->tb = tb;
    out->tb_count = count;
    return tb != NULL;
}

/* A kind of launches of an application, with its split's policies. */
static bool add_launch(struct application_parts *p, struct split *split,
                       const struct study *s, const struct launch_kinds *kinds,
                       const struct launch_kind *kind)
{
    size_t i = kind->stands;
    struct study *part = add_study(p, s);
    split->times[split->count++] = kind->times;
    int reference = split->at[s->reference];
    part->kernel = s->application->kernel[i];
    part->application = NULL;
    part->policies = split->policies;
    part->policy_count = split->launch_policies;
    part->reference = reference >= 0 ? reference : 0;
    part->tb = NULL;
    part->before = NULL;
    part->share = kind->times * kinds->insts[i] / kinds->all;
    return set_block_counts(part, s) &&
           set_before(part, s->application, kinds->insts, i);
}

static void add_whole(struct application_parts *p, struct split *split,
                      const struct study *s)
{
    struct study *part = add_study(p, s);
    part->policies = split->policies + split->launch_policies;
    part->policy_count = s->policy_count - split->launch_policies;
    part->reference = 0;
    split->count++;
}

/* The policies of launches, and those that run all of it. */
static bool set_policies(struct split *out, const struct study *s)
{
    size_t count = (size_t)s->policy_count;
    int across = 0;
    out->at = calloc(count, sizeof(*out->at));
    out->policies = calloc(count, sizeof(*out->policies));
    if (out->at == NULL || out->policies == NULL)
        return false;
    for (int q = 0; q < s->policy_count; q++)
        if (!policies_are_across(&s->policies[q])) {
            out->policies[out->launch_policies] = s->policies[q];
            out->at[q] = out->launch_policies++;
        }
    for (int q = 0; q < s->policy_count; q++)
        if (policies_are_across(&s->policies[q])) {
            out->policies[out->launch_policies + across] = s->policies[q];
            out->at[q] = -1 - across++;
        }
    return true;
}

static bool take_apart(struct application_parts *p, struct split *split,
                       const struct study *s, const struct launch_kinds *kinds)
{
    split->times = calloc(kinds->count + 1, sizeof(*split->times));
    p->apart = true;
    bool ok = split->times != NULL && set_policies(split, s);
    for (size_t i = 0; ok && i < kinds->count; i++)
        ok = add_launch(p, split, s, kinds, &kinds->kind[i]);
    if (ok && split->launch_policies < s->policy_count)
        add_whole(p, split, s);
    return ok;
}

static bool may_split(const struct study *s, const struct calib_options *o)
{
    bool any = false;
    if (s->application == NULL || o->mode != MODE_HYBRID || o->choose != NULL ||
        s->gpu->coherence == COHERENCE_DENOVO)
        return false;
    for (int q = 0; q < s->policy_count; q++)
        any |= !policies_are_across(&s->policies[q]);
    return any;
}

/* Whether it takes much, and its kinds of launches at most half as much. */
static bool is_worth_it(const struct launch_kinds *k,
                        const struct calib_options *o)
{
    double worth =
        o->budget_insts > 0 ? (double)o->budget_insts : APPLICATION_WHOLE;
    double kinds = 0;
    for (size_t i = 0; i < k->count; i++)
        kinds += fmin(k->insts[k->kind[i].stands], FEW_WAVES_INSTS);
    return k->all > worth && kinds < k->all / 2;
}

static bool add_split(struct application_parts *p, struct split *split,
                      const struct study *s, const struct calib_options *o,
                      struct error *e)
{
    struct launch_kinds kinds = {.count = 0};
    bool may = may_split(s, o), ok = true;
    *split = (struct split){.first = p->count};
    if (may)
        ok = launch_kinds_of(&kinds, s->application, o->seed, e);
    if (ok && may && is_worth_it(&kinds, o)) {
        ok = take_apart(p, split, s, &kinds) || error_no_memory(e);
    } else if (ok) {
        add_study(p, s);
        split->count = 1;
    }
    launch_kinds_free(&kinds);
    return ok;
}

bool application_parts_of(struct application_parts *out,
                          const struct study *studies, size_t count,
                          const struct calib_options *options, struct error *e)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += studies[i].application != NULL
                    ? studies[i].application->count + 1
                    : 1;
    *out =
        (struct application_parts){.whole = studies,
                                   .wholes = count,
                                   .split = calloc(count, sizeof(*out->split)),
                                   .study = calloc(most, sizeof(*out->study)),
                                   .of = calloc(most, sizeof(*out->of))};
    bool ok = (out->split != NULL && out->study != NULL && out->of != NULL) ||
              error_no_memory(e);
    for (size_t i = 0; ok && i < count; i++)
        ok = add_split(out, &out->split[i], &studies[i], options, e);
    return ok;
}

static void split_free(struct application_parts *p, struct split *s)
{
    for (size_t j = s->first; s->times != NULL && j < s->first + s->count; j++)
        if (p->study[j].application == NULL) {
            free((void *)p->study[j].tb);
            free((void *)p->study[j].before);
        }
    free(s->times);
    free(s->at);
    free(s->policies);
}

void application_parts_free(struct application_parts *p)
{
    for (size_t i = 0; p->split != NULL && i < p->wholes; i++)
        split_free(p, &p->split[i]);
    free(p->split);
    free(p->study);
    free(p->of);
}
