/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public interface (include/estimate.h) on top of kernels, configs, calib.
 */
#include "include/estimate.h"

#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"

#include <stdio.h>
#include <stdlib.h>

struct estimate_kernel {
    struct kernel_list list;
};

struct estimate_gpu {
    struct gpu gpu;
};

static void pass_on(struct estimate_error *out, const struct error *e)
{
    if (out == NULL)
        return;
    out->status = (int)e->status;
    snprintf(out->text, sizeof(out->text), "%s", e->text);
}

const char *estimate_version(void)
{
    return ESTIMATE_VERSION;
}

struct estimate_kernel *estimate_kernel_load(const char *input,
                                             struct estimate_error *out)
{
    struct error e = {.status = STATUS_FAILED, .text = "out of memory"};
    const struct load_options options = {0};
    struct estimate_kernel *k = calloc(1, sizeof(*k));
    if (k != NULL && kernel_load(&k->list, input, &options, &e))
        return k;
    free(k);
    pass_on(out, &e);
    return NULL;
}

void estimate_kernel_free(struct estimate_kernel *k)
{
    if (k == NULL)
        return;
    kernel_list_free(&k->list);
    free(k);
}

struct estimate_gpu *estimate_gpu_load(const char *name_or_path,
                                       struct estimate_error *out)
{
    struct error e = {.status = STATUS_FAILED, .text = "out of memory"};
    struct estimate_gpu *g = calloc(1, sizeof(*g));
    if (g != NULL && gpu_load(&g->gpu, name_or_path, NULL, 0, &e))
        return g;
    free(g);
    pass_on(out, &e);
    return NULL;
}

bool estimate_gpu_set(struct estimate_gpu *g, const char *key, double value,
                      struct estimate_error *out)
{
    struct error e;
    struct gpu changed = g->gpu;
    const struct gpu_key *k = gpu_key_find(key);
    bool ok = k != NULL || error_set(&e, STATUS_USAGE,
                                     "unknown configuration key '%s'", key);
    ok =
        ok && gpu_key_set(&changed, k, value, &e) && gpu_validate(&changed, &e);
    if (ok)
        g->gpu = changed;
    else
        pass_on(out, &e);
    return ok;
}

void estimate_gpu_free(struct estimate_gpu *g)
{
    free(g);
}

static struct study study_of(const struct estimate_kernel *k,
                             const struct estimate_gpu *g)
{
    bool launches = k->list.application != NULL;
    return (struct study){.kernel = k->list.kernel[0],
                          .application = launches ? &k->list : NULL,
                          .gpu = &g->gpu};
}

int estimate_max_blocks(const struct estimate_kernel *k,
                        const struct estimate_gpu *g)
{
    struct study study = study_of(k, g);
    return study_tb_limit(&study, NULL);
}

static bool parse_policies(struct policy_set *out, const char *const *scheds,
                           int count, const struct estimate_options *o,
                           struct error *e)
{
    for (int i = 0; i < count; i++)
        if (!policy_set_parse(&out[i], NULL, scheds[i], o->tb_sched,
                              o->l1_policy, e))
            return false;
    return true;
}

static bool check_blocks(const int *tb, int count, int max, struct error *e)
{
    for (int i = 0; i < count; i++)
        if (tb[i] < 1 || tb[i] > max || (i > 0 && tb[i] <= tb[i - 1]))
            return error_set(e, STATUS_USAGE,
                             "block count %d: expected ascending numbers from "
                             "1 to %d",
                             tb[i], max);
    return true;
}

static struct estimate_point point_of(const struct study_result *r, int i,
                                      int tb, const char *sched)
{
    const struct result *p = &r->result[i];
    return (struct estimate_point){
        .tb = tb,
        .sched = sched,
        .cycles = p->cycles,
        .cycles_lo = p->cycles_lo,
        .cycles_hi = p->cycles_hi,
        .delta_pct = r->delta[i].pct,
        .delta_lo = r->delta[i].lo,
        .delta_hi = r->delta[i].hi,
        .time_us = p->time_us,
        .ipc = p->ipc,
        .warp_insts = p->warp_insts,
        .thread_insts = p->thread_insts,
        .occupancy = p->occupancy,
        .l1_miss = p->l1_miss,
        .l2_miss = p->l2_miss,
        .dram_gbps = p->dram_gbps,
        .sampled = p->sampled,
        .partial = p->partial,
    };
}

static struct calib_options calib_options_of(const struct estimate_options *o)
{
    static const enum mode mode[] = {[ESTIMATE_MODEL] = MODE_MODEL,
                                     [ESTIMATE_HYBRID] = MODE_HYBRID,
                                     [ESTIMATE_DETAILED] = MODE_DETAILED};
    return (struct calib_options){.mode = mode[o->mode],
                                  .error_pct = o->error_pct,
                                  .budget_insts = o->budget_insts,
                                  .seed = o->seed,
                                  .threads = o->threads,
                                  .use_cache = !o->no_cache};
}

bool estimate_points(struct estimate_point *out,
                     const struct estimate_kernel *k,
                     const struct estimate_gpu *g, const int *tb, int tb_count,
                     const char *const *scheds, int sched_count,
                     const struct estimate_options *options,
                     struct estimate_error *error)
{
    const struct estimate_options defaults = {.mode = ESTIMATE_HYBRID};
    const struct estimate_options *o = options != NULL ? options : &defaults;
    struct error e = {.status = STATUS_FAILED, .text = "out of memory"};
    struct policy_set *p = calloc((size_t)sched_count, sizeof(*p));
    struct calib_options run = calib_options_of(o);
    struct study study = study_of(k, g);
    study.tb = tb;
    study.tb_count = tb_count;
    study.policies = p;
    study.policy_count = sched_count;
    struct study_result r;
    bool ok = p != NULL &&
              check_blocks(tb, tb_count, estimate_max_blocks(k, g), &e) &&
              parse_policies(p, scheds, sched_count, o, &e) &&
              calib_study(&r, &study, &run, &e);
    for (int i = 0; ok && i < tb_count * sched_count; i++)
        out[i] = point_of(&r, i, tb[i / sched_count], scheds[i % sched_count]);
    if (ok)
        study_result_free(&r);
    else
        pass_on(error, &e);
    free(p);
    return ok;
}
