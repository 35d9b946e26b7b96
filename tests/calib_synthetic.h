/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Engines with a known truth, in place of the sampler and the model: a kernel
 * is a law for its blocks' durations, so that a test can say how far from the
 * truth calibration ends up. Include in one test program only. */
#ifndef TESTS_CALIB_SYNTHETIC_H
#define TESTS_CALIB_SYNTHETIC_H

#include "base/mix.h"
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/oracle.h"
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SYNTHETIC_POLICIES 7

/* What decides the truth of a kernel. */
struct synthetic {
    double latency, work;  /* cycles: of a block alone, of its bottleneck */
    double bend, bend_own; /* what the model does not know, log cycles */
    double block_noise;    /* deviation of the log of a block's duration */
    double insts;          /* warp instructions of a block */
    double counted;        /* log of how many more blocks of any window have
                            * than the grid's, by the model */
    double touched;        /* likewise of their lines */
    enum limiter limiter;  /* as the model has it */
    double uneven;   /* of the log of the instructions, by how much the grid's
                      * mean,   which the profile knows, is more */
    double longest;  /* block, beyond the mean, as a share of it */
    double crowding; /* beyond 1, of the L2's busiest slices */
    struct model_params truth;
};

struct profile {
    const struct kernel *kernel;
};

const struct model_param_info model_param_info[MODEL_PARAMS] = {
    [PARAM_BETA_ROUND_ROBIN] = {"beta_round_robin", 0.3, 0.3, 0, 1, ""},
    [PARAM_BETA_GREEDY] = {"beta_greedy", 0.3, 0.3, 0, 1, ""},
    [PARAM_BETA_PHASE] = {"beta_phase", 0.3, 0.3, 0, 1, ""},
    [PARAM_BETA_LIMIT] = {"beta_limit", 0.3, 0.3, 0, 1, ""},
    [PARAM_LATENCY] = {"latency", 1, 0.3, 0.3, 3, ""},
    [PARAM_BANDWIDTH] = {"bandwidth", 0.7, 0.2, 0.2, 1, ""},
    [PARAM_INTERFERENCE] = {"interference", 1, 0.3, 0.2, 3, ""},
    [PARAM_TAIL] = {"tail", 1, 0.3, 0.2, 3, ""},
};

static int synthetic_runs;     /* calls of the sampler, all threads */
static int synthetic_passes;   /* ... that two passes took, both counted */
static double synthetic_apart; /* underway.apart of the last run of a part */
static double synthetic_slower = 1; /* a block on a slice, by the model */
static double synthetic_lone = 1;   /* ... on a single SM, when it is run */
static int synthetic_profiles;      /* ... of profile_create() */

void model_params_default(struct model_params *p)
{
    for (int i = 0; i < MODEL_PARAMS; i++)
        p->value[i] = model_param_info[i].prior;
}

/* Kept in place of a path, which is the same in a kernel whose streams are
 * shared. */
static const struct synthetic *law_of(const struct kernel *k)
{
    return (const void *)k->path;
}

/* Duration of a block with tb resident: latency bound at first, then by what
 * the family and the bandwidth make of the work. */
static inline double block_cycles(const struct synthetic *s,
                                  const struct model_params *p,
                                  enum policy_family family, int tb)
{
    double alone = s->latency * p->value[PARAM_LATENCY];
    double shared = tb * s->work / p->value[PARAM_BANDWIDTH];
    double lock = p->value[PARAM_BETA_ROUND_ROBIN + (int)family];
    double most = fmax(alone, shared);
    return most + lock * (alone + shared - most);
}

static inline double bend(const struct synthetic *s, int policy, int tb)
{
    double x = log((double)tb);
    return s->bend * sin(1.5 * x + s->latency) +
           s->bend_own * cos(1.2 * x + 2.0 * policy + s->work);
}

static inline int policy_index(const struct policy_set *p);

static inline double true_block_cycles(const struct synthetic *s,
                                       const struct policy_set *p, int tb)
{
    return block_cycles(s, &s->truth, p->warp.warp->traits.family, tb) *
           exp(bend(s, policy_index(p), tb));
}

struct profile *profile_create(const struct kernel *k, const struct gpu *g,
                               uint64_t seed, struct error *e)
{
    (void)g, (void)seed, (void)e;
#pragma omp atomic
    synthetic_profiles++;
    struct profile *p = malloc(sizeof(*p));
    p->kernel = k;
    return p;
}

struct profile *profile_create_at(const struct kernel *k, const struct gpu *g,
                                  double dram_latency,
                                  const struct crowd *crowd, uint64_t seed,
                                  struct error *e)
{
    (void)dram_latency, (void)crowd;
    return profile_create(k, g, seed, e);
}

struct crowd *crowd_create(const struct kernel *k, const struct gpu *g,
                           uint64_t seed, struct error *e)
{
    (void)k, (void)g, (void)seed, (void)e;
    return malloc(1);
}

void crowd_free(struct crowd *c)
{
    free(c);
}

uint64_t crowd_hash(const struct gpu *g)
{
    (void)g;
    return 0;
}

double profile_dram_latency(const struct gpu *g)
{
    return g->dram.latency;
}

size_t profile_keys(const struct gpu_key **out)
{
    (void)out;
    return 0;
}

uint64_t profile_hash(const struct gpu *g, const struct gpu_key *const *keys,
                      size_t count)
{
    (void)keys, (void)count;
    return (uint64_t)g->sms;
}

void profile_free(struct profile *p)
{
    free(p);
}

double profile_insts_error(const struct profile *p)
{
    (void)p;
    return 0;
}

double profile_insts_share(const struct profile *p, uint64_t first,
                           uint64_t count)
{
    (void)first, (void)count;
    return exp(law_of(p->kernel)->counted);
}

double profile_longest(const struct profile *p)
{
    return law_of(p->kernel)->longest;
}

uint64_t profile_long_block(const struct profile *p, double *insts)
{
    (void)p;
    *insts = INFINITY; /* too long to be run by itself */
    return 0;
}

double profile_lines_share(const struct profile *p, uint64_t first,
                           uint64_t count)
{
    (void)first, (void)count;
    return exp(law_of(p->kernel)->touched);
}

double profile_warp_insts(const struct profile *p)
{
    const struct synthetic *law = law_of(p->kernel);
    return law->insts * exp(law->uneven) * (double)p->kernel->blocks;
}

double profile_private_share(const struct profile *p)
{
    (void)p;
    return 1;
}

double profile_crowding(const struct profile *p)
{
    return 1 + law_of(p->kernel)->crowding;
}

double profile_transactions(const struct profile *p)
{
    (void)p;
    return 0;
}

double profile_thread_insts(const struct profile *p)
{
    return 32 * profile_warp_insts(p);
}

/* Laws have no stores. */
double profile_stores_left(const struct profile *p, const struct gpu *g)
{
    (void)p;
    (void)g;
    return 1;
}

static inline void fill_common(struct result *r, const struct gpu *g)
{
    r->ipc = r->warp_insts / (r->cycles * g->sms);
    r->time_us = r->cycles / g->clock.core_mhz;
    r->l1_miss = r->l2_miss = r->energy_uj = NAN;
    r->stall[STALL_ISSUED] = 1;
}

void model_estimate(struct result *out, const struct profile *p,
                    const struct gpu *g, const struct policy_set *policies,
                    int tb, const struct model_params *params)
{
    const struct synthetic *s = law_of(p->kernel);
    double waves = (double)p->kernel->blocks / (tb * g->sms);
    *out = (struct result){.warp_insts = profile_warp_insts(p),
                           .thread_insts = profile_thread_insts(p)};
    out->cycles =
        waves * block_cycles(s, params, policies->warp.warp->traits.family, tb);
    out->cycles_lo = out->cycles / 1.3;
    out->cycles_hi = out->cycles * 1.3;
    fill_common(out, g);
    out->limiter = s->limiter;
}

/* A number in 0..1 of a block, the same under every policy. */
static inline double draw(uint64_t block)
{
    return (double)(mix_state((block + 1) * MIX_STEP) >> 11) * 0x1p-53;
}

struct synthetic_slot {
    uint64_t block;
    double from, until; /* cycles; `from` of a block under way is below 0 */
    double has;         /* share of it that others did before the run */
};

struct synthetic_machine {
    const struct synthetic *law;
    const struct sampler_options *options;
    struct synthetic_slot *slot;
    size_t slots, busy;
    uint64_t launched, count, done;
    double base, now, had; /* `had`: blocks of which others did a part */
    double next_progress;
};

static inline void synthetic_launch(struct synthetic_machine *m,
                                    struct synthetic_slot *s)
{
    const struct sampler_options *o = m->options;
    s->block = o->first_block + m->launched;
    double place = draw(7 * s->block + 3);
    if (o->underway.apart > 0)
        place = fmod(1 + o->underway.apart * (place - 0.5), 1);
    s->has = m->launched < o->underway.blocks ? place : 0;
    double z = sqrt(12.0) * (draw(s->block) - 0.5);
    double lasts = m->base * exp(m->law->block_noise * z);
    s->from = m->now - s->has * lasts;
    s->until = s->from + lasts;
    m->launched++;
}

/* Warp instructions that the run has issued. */
static inline double synthetic_insts(const struct synthetic_machine *m)
{
    double blocks = (double)m->done - m->had;
    for (size_t i = 0; i < m->busy; i++) {
        const struct synthetic_slot *s = &m->slot[i];
        blocks += (m->now - s->from) / (s->until - s->from) - s->has;
    }
    return blocks * m->law->insts;
}

/* To the cycle in which the next block ends, telling of the progress on the
 * way. False when the run is to stop. */
static inline bool synthetic_advance(struct synthetic_machine *m, double until)
{
    const struct sampler_options *o = m->options;
    double from = m->now, before = synthetic_insts(m);
    bool goes_on = true;
    m->now = until;
    double rate = (synthetic_insts(m) - before) / (until - from);
    while (goes_on && o->progress != NULL &&
           m->next_progress <= before + rate * (until - from)) {
        m->now = from + (m->next_progress - before) / rate;
        goes_on = o->progress(o->user, (uint64_t)llround(m->now),
                              (uint64_t)m->next_progress);
        m->next_progress += (double)o->progress_period;
    }
    m->now = goes_on ? until : m->now;
    return goes_on;
}

/* Blocks go to the slot that frees first, like round-robin does. False when the
 * run is to stop. */
static inline bool synthetic_step(struct synthetic_machine *m)
{
    size_t next = 0;
    for (size_t i = 1; i < m->busy; i++)
        if (m->slot[i].until < m->slot[next].until)
            next = i;
    struct synthetic_slot *s = &m->slot[next];
    if (!synthetic_advance(m, s->until))
        return false;
    m->done++;
    m->had += s->has;
    const struct sampler_options *o = m->options;
    if (o->block_done != NULL)
        o->block_done(o->user, &(struct sampler_block){
                                   .block = s->block,
                                   .start = (uint64_t)llround(s->from),
                                   .end = (uint64_t)llround(s->until),
                                   .insts = (uint64_t)llround((1 - s->has) *
                                                              m->law->insts)});
    if (m->launched < m->count)
        synthetic_launch(m, s);
    else
        *s = m->slot[--m->busy];
    return o->max_cycles == 0 || m->now <= (double)o->max_cycles;
}

/* What is recorded of a first pass spares it. */
static inline void synthetic_pass(const struct sampler_job *job)
{
    struct oracle *o = job->options->oracle;
    bool twice = job->policies->warp.warp->two_pass;
    int passes = twice ? (o != NULL && o->complete ? 1 : 2) : 0;
#pragma omp atomic
    synthetic_passes += passes;
    if (o != NULL && !twice)
        o->complete = true;
}

bool sampler_simulate(struct sampler_run *out, const struct sampler_job *job,
                      struct error *e)
{
    const struct kernel *k = job->kernel[0];
    const struct sampler_options *o = job->options;
    (void)e;
#pragma omp atomic
    synthetic_runs++;
    synthetic_pass(job);
    struct synthetic_machine m = {
        .law = law_of(k),
        .options = o,
        .slots = (size_t)o->block_limit * (size_t)job->gpu->sms,
        .next_progress = (double)o->progress_period,
        .count = o->block_count > 0 ? o->block_count : k->blocks,
        .base = true_block_cycles(law_of(k), job->policies, o->block_limit)};
    if (job->gpu->sms == 1)
        m.base *= synthetic_lone;
    m.slot = calloc(m.slots, sizeof(*m.slot));
    for (; m.busy < m.slots && m.launched < m.count; m.busy++)
        synthetic_launch(&m, &m.slot[m.busy]);
    bool stop = false;
    while (m.done < m.count && !stop)
        stop = !synthetic_step(&m);
    if (o->underway.blocks > 0) {
#pragma omp atomic write
        synthetic_apart = o->underway.apart;
    }
    memset(out, 0, sizeof(*out));
    const struct warp_policy *policy = job->policies->warp.warp;
    out->departed = policy->departed != NULL && policy->departed(NULL);
    out->counts.cycles = (uint64_t)llround(m.now);
    out->counts.blocks_done = m.done;
    out->counts.warp_insts = (uint64_t)(m.law->insts * (double)m.done);
    out->result.warp_insts = (double)out->counts.warp_insts;
    out->result.thread_insts = 32 * out->result.warp_insts;
    out->result.cycles = (double)out->counts.cycles;
    out->result.partial = m.done < m.count;
    fill_common(&out->result, job->gpu);
    free(m.slot);
    return true;
}

/* ---- kernels, machine and policies -------------------------------------- */

static const struct warp_policy synthetic_policy[SYNTHETIC_POLICIES] = {
    {.info = {.name = "a"}, .traits = {.family = FAMILY_ROUND_ROBIN}},
    {.info = {.name = "b"}, .traits = {.family = FAMILY_GREEDY}},
    {.info = {.name = "c"}, .traits = {.family = FAMILY_GREEDY}},
    {.info = {.name = "d"}, .traits = {.family = FAMILY_PHASE}},
    {.info = {.name = "e"}, .traits = {.family = FAMILY_ROUND_ROBIN}},
    {.info = {.name = "f"}, .traits = {.family = FAMILY_PHASE}},
    {.info = {.name = "g"}, .traits = {.family = FAMILY_GREEDY}},
};
static const struct block_policy synthetic_block = {.info = {.name = "rr"}};
static const struct cache_policy synthetic_l1 = {.info = {.name = "lru"}};

static inline int policy_index(const struct policy_set *p)
{
    return (int)(p->warp.warp - synthetic_policy);
}

static inline void synthetic_policies(struct policy_set *out)
{
    for (int i = 0; i < SYNTHETIC_POLICIES; i++)
        out[i] = (struct policy_set){.warp.warp = &synthetic_policy[i],
                                     .block.block = &synthetic_block,
                                     .l1.cache = &synthetic_l1};
}

static const struct gpu synthetic_gpu = {
    .name = "synthetic",
    .sms = 16,
    .sm = {.max_warps = 8,
           .max_blocks = 8,
           .max_threads = 256,
           .shared_unit = 1},
    .clock = {.core_mhz = 1000,
              .icnt_mhz = 1000,
              .l2_mhz = 1000,
              .dram_mhz = 1000},
    .icnt = {.latency = 8, .flit_bytes = 32, .header_bytes = 8},
    .l1 = {.caches_global = 1, .sector_bytes = 128},
    .l2 = {.size_kb = 768,
           .banks = 6,
           .ways = 8,
           .line_bytes = 128,
           .mshr = 32,
           .queue = 8,
           .port_bytes = 32},
    .dram = {.gbps = 160,
             .channels = 6,
             .queue = 32,
             .burst_bytes = 64,
             .row_bytes = 2048,
             .latency = 100},
};

struct model_blocks model_blocks_of(const struct profile *p, double blocks,
                                    const struct gpu *g,
                                    const struct policy_set *policies, int tb,
                                    const struct model_params *params)
{
    double times = g->sms < synthetic_gpu.sms ? synthetic_slower : 1;
    return (struct model_blocks){
        .cycles = times * block_cycles(law_of(p->kernel), params,
                                       policies->warp.warp->traits.family, tb),
        .waves_in_step = ceil(blocks / (tb * g->sms))};
}

/* Their L1s hold what they hold. */
struct model_reuse model_reuse_of(const struct profile *p, const struct gpu *g,
                                  const struct policy_set *policies, int tb,
                                  const struct model_params *params)
{
    (void)p;
    (void)g;
    (void)policies;
    (void)tb;
    (void)params;
    return (struct model_reuse){0};
}

/* Kernel number i of a family of different ones. */
static inline void synthetic_kernel(struct kernel *k, struct synthetic *s,
                                    int i, uint64_t blocks)
{
    uint64_t at = (uint64_t)i * 100;
    *s = (struct synthetic){.latency = 2000 + 6000 * draw(at),
                            .work = 400 + 1200 * draw(at + 1),
                            .bend = 0.10 * (draw(at + 2) - 0.5),
                            .bend_own = 0.04 * (draw(at + 3) - 0.5),
                            .block_noise = 0.1 * draw(at + 4),
                            .insts = 500};
    model_params_default(&s->truth);
    s->truth.value[PARAM_LATENCY] = 0.7 + 0.6 * draw(at + 6);
    s->truth.value[PARAM_BANDWIDTH] = 0.5 + 0.4 * draw(at + 7);
    s->truth.value[PARAM_BETA_ROUND_ROBIN] = 0.2 + 0.4 * draw(at + 8);
    s->truth.value[PARAM_BETA_GREEDY] = 0.1 + 0.3 * draw(at + 9);
    s->truth.value[PARAM_BETA_PHASE] = 0.1 + 0.3 * draw(at + 10);
    *k = (struct kernel){.blocks = blocks,
                         .threads_per_block = 32,
                         .warps_per_block = 1,
                         .hash = (uint64_t)i,
                         .path = (char *)s};
}

/* Cycles of a point in full detail. */
static inline double synthetic_truth(const struct study *study, int tb,
                                     int policy)
{
    struct sampler_run run;
    struct kernel *k = (struct kernel *)study->kernel;
    struct sampler_options o = {.block_limit = study->tb[tb]};
    sampler_simulate(&run,
                     &(struct sampler_job){.kernel = &k,
                                           .kernels = 1,
                                           .gpu = study->gpu,
                                           .policies = &study->policies[policy],
                                           .options = &o},
                     NULL);
    return run.result.cycles;
}

#endif
