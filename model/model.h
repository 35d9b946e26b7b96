/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The analytical interval model: a kernel's profile once per kernel and GPU
 * timing, then a design point (blocks, policies, GPU) in about a microsecond.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/error.h"
#include "base/result.h"
#include "sampler/policy/policy.h"

#include <stdint.h>

struct kernel;
struct gpu;
struct gpu_key;
struct profile;
struct crowd;

/* What calibration may change; defaults and priors in model/params.c with the
 * source of each. */
enum model_param {
    PARAM_BETA_ROUND_ROBIN, /* share of lock-step in the overlap, by family */
    PARAM_BETA_GREEDY,
    PARAM_BETA_PHASE,
    PARAM_BETA_LIMIT,
    PARAM_LATENCY,      /* factor on memory latencies */
    PARAM_BANDWIDTH,    /* factor on DRAM bandwidth reached */
    PARAM_INTERFERENCE, /* exponent of reuse interference between warps */
    PARAM_TAIL,         /* factor on the last wave's spread */
    MODEL_PARAMS
};

struct model_param_info {
    const char *name;
    double prior, sigma, min, max;
    const char *help;
};
extern const struct model_param_info model_param_info[MODEL_PARAMS];

struct model_params {
    double value[MODEL_PARAMS];
    /* Share of lines stored to that do not leave the L2 before the grid ends;
     * NAN: as the caches have it. */
    double stores_left;
    /* Where blocks are in step, the share of the variance of when they end that
     * is between SMs (waves.h); NAN: by how long they take. */
    double alike;
};
void model_params_default(struct model_params *p);

/* Walk representative warps of k (clusters by instruction count and path,
 * weighted) on the timing of g. Cost: milliseconds. NULL with e set on failure.
 * Depends on g only through latencies, intervals, line and sector sizes, what
 * the L1 caches and does with stores, the instruction and texture caches, the
 * number of SMs, how addresses are spread over memory and the sets of the
 * caches: a profile serves any other change of g. */
struct profile *profile_create(const struct kernel *k, const struct gpu *g,
                               uint64_t seed, struct error *e);
void profile_free(struct profile *p);

/* ---- one profile for many GPUs ------------------------------------------- */

/* The keys on which profiles depend other than through the unloaded latency of
 * memory, [gpu_key_count]; returns how many. (profile_keys.c) */
size_t profile_keys(const struct gpu_key **out);
/* A hash of their values, as far as they count: the sets of a cache that hashes
 * lines do not. GPUs of the same hash and latency have the same profile. */
uint64_t profile_hash(const struct gpu *g, const struct gpu_key *const *keys,
                      size_t count);

/* The latency of a load that memory serves, on a machine where nothing else
 * runs; core cycles. */
double profile_dram_latency(const struct gpu *g);

/* What the kernel's blocks have in common wherever they lie (model/crowd.h): a
 * part of its profile that is the same for GPUs of one crowd_hash() and the
 * profiles' seed. Some milliseconds. NULL with e set on failure. */
struct crowd *crowd_create(const struct kernel *k, const struct gpu *g,
                           uint64_t seed, struct error *e);
void crowd_free(struct crowd *c);
uint64_t crowd_hash(const struct gpu *g);

/* The profile for g had it that latency, with its crowd. */
struct profile *profile_create_at(const struct kernel *k, const struct gpu *g,
                                  double dram_latency,
                                  const struct crowd *crowd, uint64_t seed,
                                  struct error *e);

/* Estimate one design point: blocks_resident per SM (1..occupancy) under
 * policies. Pure: any number of threads at once on one profile. About a
 * microsecond; allocates nothing. cycles_lo/hi are the prior interval of the
 * uncalibrated model. */
void model_estimate(struct result *out, const struct profile *p,
                    const struct gpu *g, const struct policy_set *policies,
                    int blocks_resident, const struct model_params *params);

/* How far, in log cycles, a point may be below what the model says of it, and
 * above, by how much warps interfere in the L1, which no model of a cache tells
 * where their lines just fit: the cycles at the two of three points with the
 * prior's deviation that are not its mean (of Gauss and Hermite: the root of 3
 * deviations from it). 0 where it makes no difference. */
struct model_reuse {
    double below, above;
};
struct model_reuse model_reuse_of(const struct profile *p, const struct gpu *g,
                                  const struct policy_set *policies,
                                  int blocks_resident,
                                  const struct model_params *params);

/* The blocks of a grid of so many of them. */
struct model_blocks {
    double cycles; /* core cycles of one where its SM holds so many */
    /* Waves that the grid takes when they start and end together: the last
     * one, of fewer blocks, which have L2 and memory for themselves, takes a
     * share of a whole one's time. */
    double waves_in_step;
};
struct model_blocks model_blocks_of(const struct profile *p, double blocks,
                                    const struct gpu *g,
                                    const struct policy_set *policies,
                                    int blocks_resident,
                                    const struct model_params *params);

/* Of the time that a warp of a point takes alone, the shares of the first
 * `count` phases of the code (struct phase). */
void model_code_shares(double *out, size_t count, const struct profile *p,
                       const struct gpu *g, const struct policy_set *policies,
                       int blocks_resident, const struct model_params *params);

/* Totals of the whole grid as the profile extrapolates them. */
double profile_warp_insts(const struct profile *p);
double profile_thread_insts(const struct profile *p);
/* Standard error of the warp instructions, as a share: of the blocks that were
 * counted. */
double profile_insts_error(const struct profile *p);
/* Of blocks from `first` on the mean, as a multiple of the grid's, as far as
 * those counted show that they differ from it; 1: they do not. */
double profile_insts_share(const struct profile *p, uint64_t first,
                           uint64_t count);
/* Likewise of the lines that a block touches; 1, too, of a grid whose addresses
 * come again. */
double profile_lines_share(const struct profile *p, uint64_t first,
                           uint64_t count);

/* By how much the longest block that was counted is longer than the mean, as a
 * share of it; 0 where too few were. */
double profile_longest(const struct profile *p);
/* ... which block that is, and its warp instructions. */
uint64_t profile_long_block(const struct profile *p, double *insts);

/* L1 lines that an average warp instruction touches in global memory: its
 * transactions, however often they come. */
double profile_transactions(const struct profile *p);

/* Of the lines that the grid stores to, the share that the L2 still holds at
 * its end. So much of the grid passes before DRAM is written to. */
double profile_stores_left(const struct profile *p, const struct gpu *g);

/* Of the lines a block touches, those that no other block does, as a share. */
double profile_private_share(const struct profile *p);

/* Requests of the busiest L2 slices, as a multiple of the mean (placement.h).
 */
double profile_crowding(const struct profile *p);

#endif
