/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include "configs/gpu.h"
#include "model/constants.h"
#include "model/energy.h"
#include "model/kernel_time.h"
#include "model/waves.h"
#include "sampler/policy/warp/warp_policy.h"

#include <math.h>

/* A design point on its way to a result. */
struct estimate {
    const struct profile *profile;
    const struct gpu *gpu;
    double resident; /* blocks an SM really holds */
    double sms;      /* as many as hold all that run at a time, if each has
                      * that many */
    double limit;    /* warps of an SM that may issue */
    struct demand demand;
    struct overlap overlap;
    struct kernel_time time;
    int bottleneck; /* enum resource, RESOURCES: latency */
};

/* ---- what the scheduler does -------------------------------------------- */

/* Warps advance together, and so do blocks. */
static bool is_aligned(const struct choice *w)
{
    return w->warp->traits.family == FAMILY_ROUND_ROBIN;
}

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
    if (queue >= warps_a_scheduler || slots <= 0 || ready < 1)
        return 1;
    return fmax(1, overlap_shared_time(d->compute, slots, ready) /
                       (slots * ready));
}

/* Warps of an SM that may issue, by the policy's parameter. */
static double issue_limit(const struct choice *w, const struct gpu *g)
{
    return choice_param(w, ROLE_WARP_LIMIT, INFINITY) * g->sm.schedulers;
}

/* Of a metric of phases, as much as an average warp has in all. */
static double of_warp(const struct profile *p, int metric)
{
    double sum = 0;
    for (int i = 0; i < p->phases; i++)
        sum += p->phase[i].metric[PHASE_COUNT] * p->phase[i].metric[metric];
    return sum;
}

/* Of so many warps the oldest, as many as it takes to keep busy, when they go
 * first, what each needs for so many cycles; else all. */
static double oldest_warps(const struct profile *p, const struct choice *w,
                           double warps, double busy)
{
    return w->warp->traits.family == FAMILY_GREEDY
               ? fmin(warps, 1 + p->unloaded[LEVEL_L2] / busy)
               : warps;
}

/* What it lets overlap; the stretch of issue follows from the demand. */
static void overlap_set(struct overlap *o, const struct estimate *x,
                        const struct choice *w,
                        const struct model_params *params)
{
    const struct profile *p = x->profile;
    const struct gpu *g = x->gpu;
    enum policy_family family = w->warp->traits.family;
    *o = (struct overlap){
        .schedulers = g->sm.schedulers,
        .unit_sets = g->sm.sub_core ? g->sm.schedulers : 1,
        .servers_a_sm = {g->l2.banks / x->sms, g->dram.channels / x->sms},
        .limit = x->limit,
        .drain = p->drain,
        .beta = beta_of(family, params),
        .aligned = family == FAMILY_ROUND_ROBIN,
        .barriers = p->barriers,
        .warps_per_block = p->warps_per_block,
    };
}

/* ---- what there is to say beside the time ------------------------------- */

/* Shares of peaks over the whole time, to be compared with those that the
 * sampler counts: means over slices and channels, crossbars as far as they
 * pass what waits for ports. */
static void use_of(double use[USES], const struct estimate *x)
{
    const struct profile *p = x->profile;
    const struct gpu *g = x->gpu;
    const struct demand *d = &x->demand;
    double warps = p->blocks * p->warps_per_block;
    double sms = warps / (x->time.cycles * g->sms);
    double active = warps / (x->time.cycles * x->sms);
    for (int i = 0; i < USES; i++)
        use[i] = 0;
    use[USE_ISSUE] = sms * d->use[RES_ISSUE];
    for (int u = UNIT_SP; u <= UNIT_TENSOR; u++)
        use[USE_SP + u] = sms * d->use[RES_UNIT + u];
    use[USE_L1] = sms * (d->use[RES_LDST] - d->shared_use);
    use[USE_SHARED] = sms * d->shared_use;
    use[USE_L2] = active * d->use[RES_L2] / p->placement.slice;
    use[USE_NETWORK] = active * fmax(d->use[RES_REQUESTS], d->use[RES_ANSWERS]);
    use[USE_DRAM] = d->dram.bytes * warps * g->clock.core_mhz /
                    (x->time.cycles * 1000 * g->dram.gbps);
    for (int i = 0; i < USES; i++)
        use[i] = fmin(use[i], 1);
}

/* The stall that a bottleneck in a pipeline is, STALLS for any other. */
static enum stall pipeline_stall(int bottleneck)
{
    if (bottleneck >= RES_LDST && bottleneck < RESOURCES)
        return STALL_PIPE_MEM;
    if (bottleneck > RES_ISSUE && bottleneck < RES_LDST)
        return STALL_PIPE_ALU;
    return STALLS;
}

/* Shares of issue slots. What is not issued while blocks run is put down to
 * pipelines as far as they are the bottleneck, else to what warps wait for; the
 * rest of the time SMs stand partly idle. */
static void stall_shares(double stall[STALLS], const struct estimate *x)
{
    const struct profile *p = x->profile;
    const struct demand *d = &x->demand;
    double slots = x->time.cycles * x->gpu->sms;
    double warps = p->blocks * p->warps_per_block;
    double issued = fmin(1, warps * d->use[RES_ISSUE] / slots);
    double busy = fmax(issued, fmin(1, p->blocks * x->time.block / slots));
    double memory = d->unloaded > 0 ? 1 - d->compute / d->unloaded : 0;
    double waits = busy - issued;
    enum stall pipeline = pipeline_stall(x->bottleneck);
    for (int i = 0; i < STALLS; i++)
        stall[i] = 0;
    if (pipeline != STALLS) {
        stall[pipeline] = waits * BOTTLENECK_STALLS;
        waits *= 1 - BOTTLENECK_STALLS;
    }
    stall[STALL_ISSUED] = issued;
    stall[STALL_IDLE] = 1 - busy;
    stall[STALL_SB_MEM] = waits * memory;
    stall[STALL_SB_ALU] = waits * (1 - memory);
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Standard deviation of log cycles, whatever the L1 leaves unsure. */
static double sigma_of(const struct estimate *x)
{
    return hypot(hypot(PRIOR_SIGMA, x->profile->block_insts.error),
                 LONGEST_SIGMA * x->time.longest);
}

/* Times by which the interval goes beyond the cycles on a side on which the L1
 * leaves so many log cycles unsure. */
static double spread(double sigma, double reuse)
{
    return exp(NORMAL_90 * hypot(sigma, reuse / sqrt(3)));
}

static void fill_result(struct result *out, const struct estimate *x,
                        const struct model_reuse *reuse)
{
    const struct profile *p = x->profile;
    const struct gpu *g = x->gpu;
    const struct demand *d = &x->demand;
    double cycles = x->time.cycles, sigma = sigma_of(x);
    double warps = p->blocks * p->warps_per_block;
    double seconds = cycles / (g->clock.core_mhz * 1e6);
    out->cycles = cycles;
    out->cycles_lo = cycles / spread(sigma, reuse->below);
    out->cycles_hi = cycles * spread(sigma, reuse->above);
    out->warp_insts = p->warp_insts;
    out->thread_insts = p->thread_insts;
    out->ipc = p->warp_insts / cycles / g->sms;
    out->time_us = seconds * 1e6;
    out->occupancy = x->resident * p->warps_per_block / g->sm.max_warps;
    out->l1_miss = d->l1_wait;
    out->l2_miss = share(d->l2_miss_bytes, d->l2_bytes);
    out->l2_fill = share(d->l2_fill_bytes, d->l2_plain_bytes);
    out->dram_gbps = d->dram.bytes * warps / seconds * 1e-9;
    memory_account_unknown(&out->memory);
    model_energy(out->memory.energy_uj, p, g, d);
    out->energy_uj = 0;
    for (int i = 0; i < ENERGY_PARTS; i++)
        out->energy_uj += out->memory.energy_uj[i];
    out->sampled = out->partial = false;
    use_of(out->use, x);
    out->limiter = limiter_of(out->use);
    stall_shares(out->stall, x);
}

/* ---- an estimate -------------------------------------------------------- */

static struct sharing sharing_of(const struct estimate *x,
                                 const struct choice *w,
                                 const struct model_params *params)
{
    const struct profile *p = x->profile;
    double warps = x->resident * p->warps_per_block;
    double most = fmin(warps, x->limit);
    double slots = of_warp(p, PHASE_SLOTS) * x->gpu->sm.issue_period /
                   x->gpu->sm.schedulers;
    double busy = fmax(slots, of_warp(p, PHASE_LDST));
    return (struct sharing){
        .warps = warps,
        .live = oldest_warps(p, w, most, slots),
        .oldest = oldest_warps(p, w, most, busy),
        .blocks = x->resident,
        .active_sms = x->sms,
        .aligned = is_aligned(w),
        .interference = params->value[PARAM_INTERFERENCE],
        .latency = params->value[PARAM_LATENCY],
        .bandwidth = params->value[PARAM_BANDWIDTH],
        .stores_left = params->stores_left,
    };
}

static double resident_blocks(const struct profile *p, const struct gpu *g,
                              int blocks)
{
    return fmin(blocks, ceil(p->blocks / g->sms));
}

/* What a phase takes beyond its instructions it waits for memory, behind the
 * last of them. */
void model_code_shares(double *out, size_t count, const struct profile *p,
                       const struct gpu *g, const struct policy_set *policies,
                       int blocks_resident, const struct model_params *params)
{
    struct estimate x = {.profile = p,
                         .gpu = g,
                         .resident = resident_blocks(p, g, blocks_resident)};
    x.sms = fmin(g->sms, p->blocks / x.resident);
    struct sharing s = sharing_of(&x, &policies->warp, params);
    demand_of(&x.demand, p, g, &s);
    for (size_t i = 0; i < count; i++)
        out[i] = i < p->codes ? p->code[i] / x.demand.unloaded : 0;
    for (int i = 0; i < p->phases; i++) {
        const struct profile_phase *f = &p->phase[i];
        double runs = f->metric[PHASE_COUNT] * f->metric[PHASE_COMPUTE];
        double waits = fmax(0, x.demand.phase_unloaded[i] - runs);
        if (f->waits_in < count)
            out[f->waits_in] += waits / x.demand.unloaded;
    }
}

/* What blocks ask for, and how they overlap. */
static void set_demand(struct estimate *x, const struct choice *w,
                       const struct model_params *params)
{
    const struct gpu *g = x->gpu;
    struct sharing s = sharing_of(x, w, params);
    demand_of(&x->demand, x->profile, g, &s);
    overlap_set(&x->overlap, x, w, params);
    x->overlap.issue_stretch =
        issue_stretch(w, &x->demand, g, s.warps / g->sm.schedulers);
}

static struct waves last_wave(const struct estimate *x, const struct choice *w,
                              double alike)
{
    double blocks = x->profile->blocks, sms = x->gpu->sms;
    if (!is_aligned(w))
        return waves_of(blocks, sms, x->resident);
    double cycles =
        kernel_block_time(&x->demand, &x->overlap, x->gpu, x->resident);
    return waves_in_step(blocks, sms, x->resident,
                         isnan(alike) ? waves_alike(cycles) : alike);
}

/* x->limit being set. */
static void set_time_within(struct estimate *x, const struct choice *w,
                            int blocks_resident,
                            const struct model_params *params)
{
    const struct profile *p = x->profile;
    const struct gpu *g = x->gpu;
    set_demand(x, w, params);
    struct waves waves = last_wave(x, w, params->alike);
    struct estimate last = {.profile = p,
                            .gpu = g,
                            .resident = waves.of_sm,
                            .sms = waves.sms,
                            .limit = x->limit};
    set_demand(&last, w, params);
    x->time = kernel_time(&(struct grid_run){
        .profile = p,
        .gpu = g,
        .demand = &x->demand,
        .overlap = &x->overlap,
        .blocks_resident = blocks_resident,
        .whole_waves = waves.whole,
        .last_demand = &last.demand,
        .last_overlap = &last.overlap,
        .last_resident = waves.of_sm,
        .tail_factor = params->value[PARAM_TAIL],
    });
}

/* A policy that throttles finds the limit under which the least time passes, of
 * those that halve again and again. */
static void set_time(struct estimate *x, const struct profile *p,
                     const struct gpu *g, const struct policy_set *policies,
                     int blocks_resident, const struct model_params *params)
{
    const struct choice *w = &policies->warp;
    *x = (struct estimate){.profile = p,
                           .gpu = g,
                           .resident = resident_blocks(p, g, blocks_resident),
                           .limit = issue_limit(w, g)};
    x->sms = fmin(g->sms, p->blocks / x->resident);
    set_time_within(x, w, blocks_resident, params);
    struct estimate less = *x;
    double warps = x->resident * p->warps_per_block;
    for (double n = warps / 2; w->warp->traits.throttles && n >= 1; n /= 2) {
        less.limit = n;
        set_time_within(&less, w, blocks_resident, params);
        if (less.time.cycles < x->time.cycles)
            *x = less;
    }
}

/* ---- what the L1 leaves unsure ------------------------------------------- */

/* Share of loaded sectors that wait for more than the L1. */
static double l1_wait(const struct estimate *x, const struct choice *w,
                      const struct model_params *params)
{
    struct cache_view view;
    struct sharing s = sharing_of(x, w, params);
    caches_view_l1(&view, x->profile, x->gpu, &s);
    return caches_l1_wait(x->profile, &view);
}

/* How far log cycles are from x's where warps interfere so much more; 0 where
 * the L1 holds as much as it does for x, of which `wait` is to wait. */
static double apart(const struct estimate *x, const struct policy_set *policies,
                    int blocks_resident, const struct model_params *params,
                    double wait, double more)
{
    struct model_params with = *params;
    struct estimate other;
    with.value[PARAM_INTERFERENCE] += more;
    if (fabs(l1_wait(x, &policies->warp, &with) - wait) < WAIT_MATTERS)
        return 0;
    set_time(&other, x->profile, x->gpu, policies, blocks_resident, &with);
    return log(other.time.cycles / x->time.cycles);
}

static struct model_reuse reuse_of(const struct estimate *x,
                                   const struct policy_set *policies,
                                   int blocks_resident,
                                   const struct model_params *params)
{
    double step = sqrt(3) * model_param_info[PARAM_INTERFERENCE].sigma;
    double wait = l1_wait(x, &policies->warp, params);
    double less = apart(x, policies, blocks_resident, params, wait, -step);
    double more = apart(x, policies, blocks_resident, params, wait, step);
    return (struct model_reuse){.below = fmax(0, -fmin(less, more)),
                                .above = fmax(0, fmax(less, more))};
}

struct model_reuse model_reuse_of(const struct profile *p, const struct gpu *g,
                                  const struct policy_set *policies,
                                  int blocks_resident,
                                  const struct model_params *params)
{
    struct estimate x;
    set_time(&x, p, g, policies, blocks_resident, params);
    return reuse_of(&x, policies, blocks_resident, params);
}

void model_estimate(struct result *out, const struct profile *p,
                    const struct gpu *g, const struct policy_set *policies,
                    int blocks_resident, const struct model_params *params)
{
    struct estimate x;
    set_time(&x, p, g, policies, blocks_resident, params);
    x.bottleneck = overlap_bottleneck(&x.demand, &x.overlap, x.resident);
    struct model_reuse reuse = reuse_of(&x, policies, blocks_resident, params);
    fill_result(out, &x, &reuse);
}

struct model_blocks model_blocks_of(const struct profile *p, double blocks,
                                    const struct gpu *g,
                                    const struct policy_set *policies,
                                    int blocks_resident,
                                    const struct model_params *params)
{
    struct profile grid = *p;
    struct estimate x;
    grid.blocks = blocks;
    grid.period = fmin(p->period, blocks);
    set_time(&x, &grid, g, policies, blocks_resident, params);
    return (struct model_blocks){.cycles = x.time.block,
                                 .waves_in_step =
                                     x.time.in_waves / x.time.block};
}
