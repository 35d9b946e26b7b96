/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/hybrid.h"

#include "calib/calib.h"
#include "kernels/load.h"
#include "paper_repro/simulate.h"
#include "paper_repro/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POLICIES 16
#define BLOCKS   64

/* Points of one study, the first of which stands for all. */
struct group {
    const struct point *of;
    bool sweep; /* every block count */
    struct kernel_list list;
    struct gpu gpu;
    struct policy_set policy[POLICIES];
    int tb[BLOCKS];
    struct study study;
    struct study_result result;
    bool loaded;
    struct error error;
};

static bool same_study(const struct point *a, const struct point *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->keys, b->keys) == 0 && strcmp(a->study, b->study) == 0 &&
           (a->blocks > 0) == (b->blocks > 0);
}

static bool parse_study(struct group *g, struct error *e)
{
    const char *list = g->of->study;
    char word[64];
    while (next_word(word, sizeof(word), &list) &&
           g->study.policy_count < POLICIES)
        if (!point_policies(&g->policy[g->study.policy_count++], word, e))
            return false;
    return true;
}

static void set_blocks(struct group *g)
{
    int limit = study_tb_limit(&g->study, NULL);
    for (int n = g->sweep ? 1 : limit;
         n > 0 && n <= limit && g->study.tb_count < BLOCKS; n++)
        g->tb[g->study.tb_count++] = n;
}

static bool load_group(struct group *g, struct error *e)
{
    struct load_options load = load_options_default();
    if (!point_gpu(&g->gpu, g->of, e) ||
        !kernel_load(&g->list, g->of->kernel, &load, e))
        return false;
    g->loaded = true;
    if (g->list.count > 1)
        return error_set(e, STATUS_FAILED,
                         "%s: an application, which is run in full detail",
                         g->of->kernel);
    g->study = (struct study){.kernel = g->list.kernel[0],
                              .gpu = &g->gpu,
                              .tb = g->tb,
                              .policies = g->policy};
    if (!parse_study(g, e))
        return false;
    set_blocks(g);
    return g->study.tb_count > 0 ||
           error_set(e, STATUS_FAILED, "%s: does not fit", g->of->kernel);
}

/* Where the point is in its group's result. */
static bool take_result(struct hybrid_point *p, const struct group *g)
{
    const struct study *s = &g->study;
    struct policy_set wanted;
    if (!point_policies(&wanted, p->point->policies, &p->error))
        return false;
    int blocks = p->point->blocks, last = s->tb_count - 1;
    int t = g->sweep && blocks <= s->tb_count ? blocks - 1 : last;
    for (int i = 0; i < s->policy_count; i++) {
        if (!policy_set_equal(&s->policies[i], &wanted))
            continue;
        const struct result *r = &g->result.result[t * s->policy_count + i];
        if (isnan(r->cycles))
            return error_set(&p->error, STATUS_FAILED, "no estimate");
        memset(p->record, 0, sizeof(*p->record));
        p->record->run.result = *r;
        p->record->run.counts.cycles = (uint64_t)llround(r->cycles);
        return true;
    }
    return error_set(&p->error, STATUS_FAILED, "%s: not in the study",
                     p->point->policies);
}

static void give_results(struct hybrid_point *p, size_t count,
                         const struct group *g, bool ok)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_study(p[i].point, g->of))
            continue;
        if (ok)
            p[i].done = take_result(&p[i], g);
        else
            p[i].error = g->error;
    }
}

static void run_group(struct hybrid_point *p, size_t count,
                      const struct point *of, int threads)
{
    struct group g = {.of = of, .sweep = of->blocks > 0};
    const struct calib_options options = {.mode = MODE_HYBRID,
                                          .threads = threads};
    bool loaded = load_group(&g, &g.error);
    bool ok = loaded && calib_study(&g.result, &g.study, &options, &g.error);
    give_results(p, count, &g, ok);
    if (ok)
        study_result_free(&g.result);
    if (g.loaded)
        kernel_list_free(&g.list);
}

void hybrid_run(struct hybrid_point *p, size_t count, int threads)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (!same_study(p[first].point, p[i].point))
            first++;
        if (first == i)
            run_group(p, count, p[i].point, threads);
    }
}
