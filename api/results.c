/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/results.h"

#include "configs/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool create_cases(struct estimate_results *r,
                         const struct estimate_study *s)
{
    for (; r->cases < s->cases; r->cases++) {
        struct case_results *c = &r->at[r->cases];
        c->gpu = s->at[r->cases].gpu->gpu.name;
        c->tb_count = s->at[r->cases].tb_count;
        c->point = calloc(c->tb_count * r->policies, sizeof(*c->point));
        if (c->point == NULL)
            return false;
    }
    return true;
}

struct estimate_results *results_create(const struct estimate_study *s)
{
    struct estimate_results *r = calloc(1, sizeof(*r));
    if (r == NULL)
        return NULL;
    r->policies = s->policies;
    r->label = calloc(s->policies, sizeof(*r->label));
    r->at = calloc(s->cases + 1, sizeof(*r->at));
    if (r->label == NULL || r->at == NULL || !create_cases(r, s)) {
        estimate_results_free(r);
        return NULL;
    }
    memcpy(r->label, s->label, s->policies * sizeof(*r->label));
    return r;
}

void estimate_results_free(struct estimate_results *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->cases; i++) {
        struct case_results *c = &r->at[i];
        for (size_t n = 0; n < c->accounts; n++)
            free(c->account[n]);
        free(c->account);
        free(c->point);
    }
    free(r->at);
    free(r->label);
    free(r);
}

const char *estimate_results_unkept(const struct estimate_results *r)
{
    return r->unkept.status != STATUS_OK ? r->unkept.text : NULL;
}

static struct estimate_delta delta_of(const struct paired_delta *d)
{
    return (struct estimate_delta){d->pct, d->lo, d->hi};
}

static const char *const mode_names[] = {[MODE_MODEL] = "model",
                                         [MODE_HYBRID] = "hybrid",
                                         [MODE_DETAILED] = "detailed"};

static void put_counts(struct estimate_point *p, const struct result *r)
{
    const double *stall = r->stall, *served = r->memory.served;
    const double *crossings = r->memory.crossings;
    const double *energy = r->memory.energy_uj;
    p->stall.issued = stall[STALL_ISSUED];
    p->stall.idle = stall[STALL_IDLE];
    p->stall.sb_mem = stall[STALL_SB_MEM];
    p->stall.sb_alu = stall[STALL_SB_ALU];
    p->stall.pipe_mem = stall[STALL_PIPE_MEM];
    p->stall.pipe_alu = stall[STALL_PIPE_ALU];
    p->served.l1 = served[SERVED_L1];
    p->served.remote = served[SERVED_REMOTE];
    p->served.l2 = served[SERVED_L2];
    p->served.memory = served[SERVED_MEMORY];
    p->crossings.read = crossings[NOC_READ];
    p->crossings.write = crossings[NOC_WRITE];
    p->crossings.writeback = crossings[NOC_WRITEBACK];
    p->energy.core = energy[ENERGY_CORE];
    p->energy.l1 = energy[ENERGY_L1];
    p->energy.shared = energy[ENERGY_SHARED];
    p->energy.l2 = energy[ENERGY_L2];
    p->energy.network = energy[ENERGY_NETWORK];
    p->energy.memory = energy[ENERGY_MEMORY];
}

static void put_use(struct estimate_point *p, const double use[USES])
{
    p->use.issue = use[USE_ISSUE];
    p->use.alu_sp = use[USE_SP];
    p->use.alu_int = use[USE_INT];
    p->use.alu_sfu = use[USE_SFU];
    p->use.alu_dp = use[USE_DP];
    p->use.alu_tensor = use[USE_TENSOR];
    p->use.l1 = use[USE_L1];
    p->use.shared = use[USE_SHARED];
    p->use.l2 = use[USE_L2];
    p->use.interconnect = use[USE_NETWORK];
    p->use.dram = use[USE_DRAM];
}

bool estimate_point_use(struct estimate_use *out, size_t size,
                        const struct estimate_point *p,
                        const struct estimate_gpu *g, size_t i)
{
    const double share[USES] = {
        [USE_ISSUE] = p->use.issue,
        [USE_SP] = p->use.alu_sp,
        [USE_INT] = p->use.alu_int,
        [USE_SFU] = p->use.alu_sfu,
        [USE_DP] = p->use.alu_dp,
        [USE_TENSOR] = p->use.alu_tensor,
        [USE_L1] = p->use.l1,
        [USE_SHARED] = p->use.shared,
        [USE_L2] = p->use.l2,
        [USE_DRAM] = p->use.dram,
        [USE_NETWORK] = p->use.interconnect,
    };
    if (i >= USES)
        return false;
    double peak = peak_value(&g->gpu, (enum use)i);
    const struct estimate_use use = {.resource = use_names[i],
                                     .achieved = share[i] * peak,
                                     .peak = peak,
                                     .share = share[i],
                                     .unit = peak_unit((enum use)i)};
    give_struct(out, size, &use, sizeof(use));
    return true;
}

static void put_result(struct estimate_point *p, const struct result *r)
{
    p->cycles = r->cycles;
    p->cycles_lo = r->cycles_lo;
    p->cycles_hi = r->cycles_hi;
    p->ipc = r->ipc;
    p->warp_insts = r->warp_insts;
    p->thread_insts = r->thread_insts;
    p->time_us = r->time_us;
    p->occupancy = r->occupancy;
    p->limiter = isnan(r->cycles) ? "" : limiter_names[r->limiter];
    p->l1_miss = r->l1_miss;
    p->l2_miss = r->l2_miss;
    p->dram_gbps = r->dram_gbps;
    p->energy_uj = r->energy_uj;
    p->sampled = r->sampled;
    p->partial = r->partial;
    put_counts(p, r);
    put_use(p, r->use);
}

static void take_fit(struct case_results *c, const struct study_result *from)
{
    c->fit = (struct estimate_fit){.samples = from->samples,
                                   .sample_insts = from->sample_insts,
                                   .full_insts = from->full_insts,
                                   .seconds = from->seconds,
                                   .needed_insts = from->needed_insts};
}

const struct estimate_point *
results_take_point(struct estimate_results *r, size_t which, size_t at,
                   const struct study *study, const struct study_result *from,
                   const struct calib_options *options)
{
    const struct policy_labels *label = &r->label[at % r->policies];
    struct estimate_point *p = &r->at[which].point[at];
    p->kernel = study_name(study);
    p->gpu = r->at[which].gpu;
    p->tb = study->tb[at / r->policies];
    p->sched = label->sched;
    p->tb_sched = label->tb_sched;
    p->l1_policy = label->l1_policy;
    p->mode = mode_names[study_point_mode(study, from, options->mode, at)];
    p->seed = options->seed;
    p->delta = delta_of(&from->delta[at]);
    p->versus = delta_of(&from->versus[at]);
    put_result(p, &from->result[at]);
    return p;
}

void results_take(struct estimate_results *r, size_t which,
                  const struct study *study, struct study_result *from,
                  const struct calib_options *options)
{
    struct case_results *c = &r->at[which];
    for (size_t i = 0; i < c->tb_count * r->policies; i++)
        results_take_point(r, which, i, study, from, options);
    take_fit(c, from);
    c->account = from->account;
    c->accounts = from->accounts;
    from->account = NULL;
    from->accounts = 0;
}

static bool find(size_t *at, const struct estimate_results *r, size_t which,
                 size_t tb, size_t policy)
{
    if (which >= r->cases || tb >= r->at[which].tb_count ||
        policy >= r->policies)
        return false;
    *at = tb * r->policies + policy;
    return true;
}

const struct estimate_point *estimate_result(const struct estimate_results *r,
                                             size_t which, size_t tb,
                                             size_t policy)
{
    size_t at;
    return find(&at, r, which, tb, policy) ? &r->at[which].point[at] : NULL;
}

const char *estimate_result_account(const struct estimate_results *r,
                                    size_t which, size_t tb, size_t policy)
{
    size_t at;
    bool kept = find(&at, r, which, tb, policy) && at < r->at[which].accounts;
    return kept ? r->at[which].account[at] : NULL;
}

const struct estimate_fit *estimate_result_fit(const struct estimate_results *r,
                                               size_t which)
{
    return which < r->cases ? &r->at[which].fit : NULL;
}
