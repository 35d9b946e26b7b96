/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include "configs/gpu.h"
#include "model/kernel_time.h"
#include "sampler/policy/warp/warp_policy.h"

#include <math.h>

/* The error of an uncalibrated interval model, as the standard deviation of the
 * logarithm: published ones miss by 10 to 14 % on average (GPUMech, MICRO 2014;
 * GCoM, ISCA 2022), which with tails of their size is about this. */
#define PRIOR_SIGMA 0.16
#define NORMAL_90   1.645

static double beta_of(enum policy_family family,
                      const struct model_params *params)
{
    static const enum model_param param[] = {
        [FAMILY_ROUND_ROBIN] = PARAM_BETA_ROUND_ROBIN,
        [FAMILY_GREEDY] = PARAM_BETA_GREEDY,
        [FAMILY_PHASE] = PARAM_BETA_PHASE,
        [FAMILY_LIMIT] = PARAM_BETA_LIMIT,
    };

    return params->value[param[family]];
}

/* Of a ready queue of G warps only these issue; each leaves it when it waits
 * for memory. */
static double issue_stretch(const struct choice *w, const struct demand *d,
                            const struct gpu *g, double warps_a_scheduler)
{
    double slots = d->use[RES_ISSUE] * g->sm.schedulers;
    double queue = choice_param(w, ROLE_READY_QUEUE, INFINITY);
    double ready = fmin(queue, warps_a_scheduler);

    if (isinf(queue) || slots <= 0 || ready < 1)
        return 1;
    return fmax(1, overlap_shared_time(d->compute, slots, ready) /
                       (slots * ready));
}

/* Warps of an SM that may issue. */
static double issue_limit(const struct choice *w, const struct gpu *g)
{
    return choice_param(w, ROLE_WARP_LIMIT, INFINITY) * g->sm.schedulers;
}

/* Warps whose lines are in use: the oldest as many as it takes to keep the
 * busiest resource of the SM busy when they go first, else all. */
static double live_warps(const struct profile *p, const struct choice *w,
                         const struct gpu *g, double warps)
{
    double issue = 0;

    if (w->warp->traits.family == FAMILY_LIMIT)
        return fmin(warps, issue_limit(w, g));
    if (w->warp->traits.family != FAMILY_GREEDY)
        return warps;
    for (int i = 0; i < p->phases; i++)
        issue +=
            p->phase[i].figure[PHASE_COUNT] * p->phase[i].figure[PHASE_SLOTS];
    issue *= (double)g->sm.issue_period / g->sm.schedulers;
    return fmin(warps, 1 + p->alone[LEVEL_L2] / issue);
}

static enum limiter limiter_of(const struct demand *d, int bottleneck)
{
    if (bottleneck == RESOURCES)
        return LIMITER_LATENCY;
    switch (bottleneck) {
    case RES_ISSUE:
        return LIMITER_ISSUE;
    case RES_LDST:
        return d->shared_use > 0.5 * d->use[RES_LDST] ? LIMITER_SHARED
                                                      : LIMITER_L1;
    case RES_MSHR:
        return LIMITER_L1;
    case RES_ICNT:
    case RES_L2:
        return LIMITER_L2;
    case RES_DRAM:
        return LIMITER_DRAM;
    default:
        return LIMITER_ALU;
    }
}

/* Shares of issue slots. What is not issued while blocks run is put down to
 * pipelines as far as they are the bottleneck, else to what warps wait for; the
 * rest of the time SMs stand partly idle. */
static void stall_shares(double stall[STALLS], const struct demand *d,
                         const struct kernel_time *k, const struct profile *p,
                         const struct gpu *g, int bottleneck)
{
    double slots = k->cycles * g->sms;
    double warps = p->blocks * p->warps_per_block;
    double issued = fmin(1, warps * d->use[RES_ISSUE] / slots);
    double busy = fmax(issued, fmin(1, p->blocks * k->block / slots));
    double waits, memory = d->alone > 0 ? 1 - d->compute / d->alone : 0;

    stall[STALL_ISSUED] = issued;
    stall[STALL_IDLE] = 1 - busy;
    waits = busy - issued;
    stall[STALL_SB_MEM] = stall[STALL_SB_ALU] = 0;
    stall[STALL_PIPE_MEM] = stall[STALL_PIPE_ALU] = 0;
    if (bottleneck >= RES_LDST && bottleneck < RESOURCES) {
        stall[STALL_PIPE_MEM] = waits * 0.5;
        waits *= 0.5;
    } else if (bottleneck > RES_ISSUE && bottleneck < RES_LDST) {
        stall[STALL_PIPE_ALU] = waits * 0.5;
        waits *= 0.5;
    }
    stall[STALL_SB_MEM] = waits * memory;
    stall[STALL_SB_ALU] = waits * (1 - memory);
}

static void fill_result(struct result *out, const struct profile *p,
                        const struct gpu *g, const struct demand *d,
                        const struct kernel_time *k, double resident)
{
    double warps = p->blocks * p->warps_per_block;
    double spread = exp(NORMAL_90 * PRIOR_SIGMA);
    double seconds = k->cycles / (g->clock.core_mhz * 1e6);

    out->cycles = k->cycles;
    out->cycles_lo = k->cycles / spread;
    out->cycles_hi = k->cycles * spread;
    out->warp_insts = p->warp_insts;
    out->thread_insts = p->thread_insts;
    out->ipc = p->warp_insts / k->cycles / g->sms;
    out->time_us = seconds * 1e6;
    out->occupancy = resident * p->warps_per_block / g->sm.max_warps;
    out->l1_miss = d->l1_wait;
    out->l2_miss = d->l2_bytes > 0 ? d->l2_miss_bytes / d->l2_bytes : 0;
    out->l2_fill =
        d->l2_plain_bytes > 0 ? d->l2_fill_bytes / d->l2_plain_bytes : 0;
    out->dram_gbps = d->dram_bytes * warps / seconds * 1e-9;
    out->energy_uj = NAN;
    memory_account_unknown(&out->memory);
    out->sampled = out->partial = false;
}

void model_estimate(struct result *out, const struct profile *p,
                    const struct gpu *g, const struct policy_set *policies,
                    int blocks_resident, const struct model_params *params)
{
    const struct choice *w = &policies->warp;
    enum policy_family family = w->warp->traits.family;
    double resident = fmin(blocks_resident, ceil(p->blocks / g->sms));
    double warps = resident * p->warps_per_block;
    struct sharing s = {
        .warps = warps,
        .live = live_warps(p, w, g, warps),
        .blocks = resident,
        .active_sms = fmin(g->sms, p->blocks),
        .interference = params->value[PARAM_INTERFERENCE],
        .latency = params->value[PARAM_LATENCY],
        .bandwidth = params->value[PARAM_BANDWIDTH],
    };
    struct overlap o = {
        .schedulers = g->sm.schedulers,
        .limit = issue_limit(w, g),
        .beta = beta_of(family, params),
        .aligned = family == FAMILY_ROUND_ROBIN,
        .barriers = p->barriers,
        .warps_per_block = p->warps_per_block,
    };
    struct demand d;
    struct kernel_time k;
    int bottleneck;

    demand_of(&d, p, g, &s);
    o.issue_stretch = issue_stretch(w, &d, g, warps / g->sm.schedulers);
    k = kernel_time(p, g, &d, &o, blocks_resident, family != FAMILY_ROUND_ROBIN,
                    params->value[PARAM_TAIL]);
    bottleneck = overlap_bottleneck(&d, &o, resident);
    fill_result(out, p, g, &d, &k, resident);
    out->limiter = limiter_of(&d, bottleneck);
    stall_shares(out->stall, &d, &k, p, g, bottleneck);
}
