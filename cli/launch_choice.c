/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launch_choice.h"

#include "cli/launch_sweep.h"
#include "cli/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Launches alike are as much apart in each of what is compared. Chosen. */
#define ALIKE 0.1

/* ---- --kernels --------------------------------------------------------------
 */

/* "A" or "A..B", from 1 on. */
static bool parse_range(const char *entry, uint64_t *first, uint64_t *last)
{
    char text[VALUE_MAX];
    const char *dots = strstr(entry, "..");
    if (dots == NULL)
        return parse_u64(entry, 1, UINT32_MAX, first) &&
               parse_u64(entry, 1, UINT32_MAX, last);
    snprintf(text, sizeof(text), "%.*s", (int)(dots - entry), entry);
    return parse_u64(text, 1, UINT32_MAX, first) &&
           parse_u64(dots + 2, *first, UINT32_MAX, last);
}

/* Whether the list has a number; an empty one has all. */
static bool is_listed(const char *list, size_t number)
{
    char entry[VALUE_MAX];
    uint64_t first, last;
    for (const char *p = list; list_next(&p, entry);)
        if (parse_range(entry, &first, &last) && number >= first &&
            number <= last)
            return true;
    return list == NULL;
}

bool launch_choice_check(const struct options *o, struct estimate_error *e)
{
    char entry[VALUE_MAX];
    uint64_t first, last;
    for (const char *p = o->kernels; list_next(&p, entry);)
        if (!parse_range(entry, &first, &last))
            return fail(e, ESTIMATE_USAGE,
                        "--kernels %s: expected numbers and ranges A..B of "
                        "launches, from 1 on",
                        o->kernels);
    bool any = o->kernels != NULL || o->representatives || o->heaviest > 0;
    return !any || launch_combinations(o) == 1 ||
           fail(e, ESTIMATE_USAGE,
                "--kernels, --representatives and --heaviest: not with a sweep "
                "of launches");
}

/* ---- what launches are like
 * -------------------------------------------------- */

enum { FEATURES = 5 };

struct launch {
    const struct estimate_launch_info *info;
    double cycles;             /* by the model */
    double likeness[FEATURES]; /* logs of what is compared */
    size_t group;              /* its first launch */
};

/* By the model on the first GPU, as many blocks as fit. */
static struct estimate_results *model_of(const struct plan *p,
                                         const struct options *o,
                                         struct estimate_error *e)
{
    struct estimate_options run = o->run;
    run.mode = ESTIMATE_MODEL;
    run.threads = (int)o->threads;
    run.use_cache = false;
    run.store = NULL;
    struct estimate_study *s = estimate_study_create(NULL, NULL, 0, e);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < p->kernels; i++)
        ok = estimate_study_add(s, p->kernel[i], p->gpus.gpu[0], NULL, 0, e);
    struct estimate_results *r = ok ? estimate_run(s, &run, e) : NULL;
    estimate_study_free(s);
    return r;
}

static void describe(struct launch *l, const struct plan *p,
                     const struct estimate_results *r, size_t i)
{
    const struct estimate_point *m = estimate_result(r, i, 0, 0);
    l->info = estimate_kernel_launch(p->kernel[i], 0);
    l->cycles = m->cycles;
    l->likeness[0] = log((double)l->info->blocks);
    l->likeness[1] = log(m->warp_insts);
    l->likeness[2] = log(m->thread_insts);
    l->likeness[3] = log(m->cycles);
    l->likeness[4] = log1p(m->dram_gbps * m->time_us);
}

/* "k" of "k#2", a later launch of a kernel. */
static size_t name_length(const char *name)
{
    return strcspn(name, "#");
}

/* Of one kernel, and alike in geometry and in what is executed. */
static bool is_alike(const struct launch *a, const struct launch *b)
{
    const struct estimate_launch_info *x = a->info, *y = b->info;
    size_t n = name_length(x->name);
    bool same = n == name_length(y->name) &&
                strncmp(x->name, y->name, n) == 0 &&
                x->threads_per_block == y->threads_per_block &&
                x->registers == y->registers &&
                x->shared_bytes == y->shared_bytes && x->phases == y->phases;
    for (int i = 0; same && i < FEATURES; i++)
        same = fabs(a->likeness[i] - b->likeness[i]) <= ALIKE;
    return same;
}

/* ---- choosing
 * ------------------------------------------------------------------ */

/* Launches first..first+count-1 are those of one input. */
struct choosing {
    struct plan *plan;
    const struct options *options;
    struct launch *launch;
    bool *kept; /* [plan.kernels] */
    FILE *notes;
};

static void find_groups(struct choosing *c, size_t first, size_t count)
{
    struct stands *stands = c->plan->stands;
    size_t of = 0, by = 0;
    for (size_t i = first; i < first + count; i++) {
        size_t g = first;
        if (!c->kept[i])
            continue;
        while (g < i && !(c->kept[g] && is_alike(&c->launch[g], &c->launch[i])))
            g++;
        of++;
        by += g == i;
        c->kept[i] = g == i;
        if (g == i)
            continue;
        stands[g].launches++;
        stands[g].times += c->launch[i].cycles / c->launch[g].cycles;
    }
    fprintf(c->notes, "%zu of %zu launches stand for all\n", by, of);
}

static double weight(const struct choosing *c, size_t i)
{
    return c->launch[i].cycles * c->plan->stands[i].times;
}

static void keep_heaviest(struct choosing *c, size_t first, size_t count)
{
    double all = 0, kept = 0;
    size_t n = 0, candidates = 0;
    bool *chosen = calloc(count + 1, sizeof(*chosen));
    for (size_t i = first; i < first + count; i++) {
        all += c->kept[i] ? weight(c, i) : 0;
        candidates += c->kept[i];
    }
    for (; chosen != NULL && n < c->options->heaviest && n < candidates; n++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (c->kept[first + i] && !chosen[i] &&
                (best == count ||
                 weight(c, first + i) > weight(c, first + best)))
                best = i;
        chosen[best] = true;
        kept += weight(c, first + best);
    }
    for (size_t i = 0; chosen != NULL && i < count; i++)
        c->kept[first + i] = chosen[i];
    free(chosen);
    fprintf(c->notes,
            "the %zu heaviest take %.1f %% of the time, by the model\n", n,
            100 * kept / all);
}

static bool choose(struct choosing *c, struct estimate_error *e)
{
    const struct options *o = c->options;
    struct plan *p = c->plan;
    struct estimate_results *r = NULL;
    if (o->representatives || o->heaviest > 0) {
        r = model_of(p, o, e);
        for (size_t i = 0; r != NULL && i < p->kernels; i++)
            describe(&c->launch[i], p, r, i);
        if (r == NULL)
            return false;
    }
    size_t first = 0;
    for (size_t n = 0; n < p->inputs; first += p->taken[n++]) {
        for (size_t i = 0; i < p->taken[n]; i++)
            c->kept[first + i] =
                p->taken[n] == 1 || is_listed(o->kernels, i + 1);
        if (o->representatives && p->taken[n] > 1)
            find_groups(c, first, p->taken[n]);
        if (o->heaviest > 0 && p->taken[n] > 1)
            keep_heaviest(c, first, p->taken[n]);
    }
    estimate_results_free(r);
    return true;
}

static void leave(struct choosing *c)
{
    struct plan *p = c->plan;
    size_t at = 0, to = 0;
    for (size_t n = 0; n < p->inputs; n++) {
        size_t before = to;
        for (size_t i = 0; i < p->taken[n]; i++, at++) {
            if (!c->kept[at])
                continue;
            p->kernel[to] = p->kernel[at];
            p->launched[to] = p->launched[at];
            p->stands[to++] = p->stands[at];
        }
        p->taken[n] = to - before;
    }
    p->kernels = to;
}

/* Whether some input has launches to choose from, or just one that is listed:
 * an application is one whole. */
static bool may_choose(const struct plan *p, const struct options *o)
{
    bool may = o->kernels == NULL;
    for (size_t n = 0, first = 0; n < p->inputs; first += p->taken[n++])
        may |= p->taken[n] > 1 ||
               (p->taken[n] == 1 && is_listed(o->kernels, 1) &&
                !estimate_kernel_info(p->kernel[first])->application);
    return may;
}

bool launch_choice(struct plan *p, const struct options *o, FILE *notes,
                   struct estimate_error *e)
{
    p->taken = calloc(p->inputs + 1, sizeof(*p->taken));
    p->stands = calloc(p->kernels + 1, sizeof(*p->stands));
    struct choosing c = {.plan = p,
                         .options = o,
                         .launch = calloc(p->kernels + 1, sizeof(*c.launch)),
                         .kept = calloc(p->kernels + 1, sizeof(*c.kept)),
                         .notes = notes};
    bool ok = (p->taken != NULL && p->stands != NULL && c.launch != NULL &&
               c.kept != NULL) ||
              fail_no_memory(e);
    for (size_t n = 0; ok && n < p->inputs; n++)
        p->taken[n] = estimate_input_kernels(p->input[n]);
    if (ok && !may_choose(p, o))
        ok = fail(e, ESTIMATE_USAGE,
                  "--kernels: found no list of launches among the inputs (an "
                  "application is estimated as a whole)");
    for (size_t i = 0; ok && i < p->kernels; i++)
        p->stands[i] = (struct stands){.launches = 1, .times = 1};
    ok = ok && choose(&c, e);
    if (ok)
        leave(&c);
    free(c.launch);
    free(c.kept);
    return ok && (p->kernels > 0 ||
                  fail(e, ESTIMATE_USAGE, "--kernels %s: no launch is left",
                       o->kernels));
}
