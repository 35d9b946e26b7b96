/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From design points to results: the interval model alone, calibrated by short
 * cycle-level samples (hybrid), or full detail.
 *
 * The words of this folder, from the whole to the part:
 *
 * study   what is asked: the design points of one kernel on one GPU
 * job     a study under way
 * point   a block count under a policy set; the result has one row for each
 * round   samples of all jobs, run in parallel; then each job plans its next
 * sample  one cycle-level run of a point, or what came of it
 * window  the blocks that a sample runs
 * anchor  a block count that is sampled to tell others by */
#ifndef CALIB_CALIB_H
#define CALIB_CALIB_H

#include "base/error.h"
#include "base/result.h"
#include "model/model.h"
#include "sampler/policy/policy.h"

#include <stdint.h>

struct kernel;
struct kernel_list;
struct sampler_launch;
struct gpu;
struct profile_pool;

/* In hybrid mode, too, every point of an application is run in full detail,
 * because what a launch leaves in the caches is what the next one begins with;
 * but for one that is too heavy (application_parts.h). */
enum mode { MODE_MODEL, MODE_HYBRID, MODE_DETAILED };

/* Defaults of calib_options: the half-width of intervals, and the warp
 * instructions of a sample for each SM, so that the sweep of 14 kernels over
 * every block count and scheduler on 16 SMs takes about a minute on two cores
 * of about two million sampled warp instructions a second each. */
#define CALIB_ERROR_PCT 5
#define CALIB_SM_INSTS  30000

/* The design points of one kernel or application on one GPU: every block count
 * crossed with every policy set. */
struct study {
    const struct kernel *kernel; /* an application's first launch */
    /* Its launches, run one after another; NULL: the kernel alone. */
    const struct kernel_list *application;
    /* [befores] launches that ran before the kernel, as sampler_options.before;
     * NULL: none. */
    const struct sampler_launch *before;
    size_t befores;
    double share; /* of what is asked for, by instructions; 0: it is all */
    const struct gpu *gpu;
    const int *tb; /* resident blocks, each 1..study_tb_limit(), ascending */
    int tb_count;
    const struct policy_set *policies;
    int policy_count;
    int reference; /* the policy study_result.versus compares with */
};

/* Where a point's result is among those of its study; of row tb_count, how many
 * there are. */
static inline size_t study_point(const struct study *s, int tb, int policy)
{
    return (size_t)tb * (size_t)s->policy_count + (size_t)policy;
}

/* The kernel's or application's name, and a hash of all that decides what it
 * does. */
const char *study_name(const struct study *s);
uint64_t study_hash(const struct study *s);
/* Resident blocks that make a difference: an application's launches have each
 * at most as many as fit. 0, with *unfit the launch (may be NULL), when not
 * even one block of some launch does. */
int study_tb_limit(const struct study *s, const struct kernel **unfit);

/* How a study of hybrid mode is known among many: */
enum effort {
    EFFORT_TOLD,     /* by samples of others */
    EFFORT_SAMPLED,  /* by its own */
    EFFORT_CONFIRMED /* by longer ones: what is decided by it */
};

struct calib_options {
    enum mode mode;
    double error_pct;      /* half-width the intervals should reach, 0 =
                            * CALIB_ERROR_PCT */
    uint64_t budget_insts; /* warp instructions that a sample may take, 0 =
                            * CALIB_SM_INSTS for each SM */
    uint64_t seed;
    uint64_t max_cycles;   /* of a detailed run, 0 = none */
    double time_limit_s;   /* of the whole call, 0 = none */
    int threads;           /* OpenMP threads, 0 = all */
    bool use_cache;        /* read and write kept samples */
    bool refresh;          /* ... but run samples anew even if kept */
    const char *sources;   /* of the build, their hash: it does not use samples
                            * that another one kept; NULL = none */
    bool explain;          /* keep accounts, detailed mode alone */
    const char *cache_dir; /* where, NULL = $XDG_CACHE_HOME/estimate */
    const char *store;     /* a file in its place, made if need be; NULL = none;
                            * one that cannot be used is an error */
    struct error *unkept; /* set when samples could not be written to that file;
                           * may be NULL */
    const volatile int *cancel;
    /* In model mode: profiles for calls that do some of very many GPUs each, so
     * that what a GPU gets does not depend on the others of its call; NULL:
     * there is one call. */
    struct profile_pool *pool;
    /* In hybrid mode over many GPUs: raise effort[study] (enum effort) of some,
     * by what out says of all points, first by the model alone. Called until it
     * returns false: no more. NULL: all are sampled. */
    bool (*choose)(void *user, unsigned char *effort);
    /* Called when a point or sample is done, from any thread, serialised; may
     * be NULL. */
    void (*progress)(void *user, int done, int total);
    void *user;
    /* Likewise, with the study's number: when a sample of it has ended; when
     * what out[study] says of a point, its differences too, will stay. */
    void (*ended)(void *user, size_t study);
    void (*known)(void *user, size_t study, size_t point);
};

/* The difference of a policy to another at the same tb. */
struct paired_delta {
    double pct, lo, hi; /* percent, 90 % interval; 0 to itself */
};

struct study_result {
    struct result *result;       /* [tb_index * policy_count + policy_index] */
    struct paired_delta *delta;  /* same shape: to the first policy */
    struct paired_delta *versus; /* likewise: to study.reference */
    char **account;  /* likewise: what the thread-block scheduler says of its
                      * run, lines, NULL where none was run */
    size_t accounts; /* its points, 0 unless asked for */
    bool carried;    /* told by samples of other studies */
    bool by_launch;  /* an application's, whose launches were told one by one */
    uint64_t sample_insts; /* warp instructions the samples took */
    double needed_insts;   /* budget_insts with which intervals should reach the
                            * error asked for, 0 where the budget is enough */
    double full_insts; /* ... and a detailed run of every point would take */
    int samples;
    double seconds;
    struct model_params params; /* of the model */
};

/* How a point asked for in mode `asked` came about: MODE_MODEL where hybrid
 * mode had no sample of the kernel (the budget was too small for one, or a
 * limit came first), or none of this point of an application. */
enum mode study_point_mode(const struct study *s, const struct study_result *r,
                           enum mode asked, size_t at);

/* Run every study, in parallel over studies and their samples. out[count].
 * Results do not depend on options->threads. On a limit: true, with the points
 * concerned marked partial. On failure nothing is left to free. */
bool calib_studies(struct study_result *out, const struct study *studies,
                   size_t count, const struct calib_options *options,
                   struct error *e);
/* One study. */
bool calib_study(struct study_result *out, const struct study *study,
                 const struct calib_options *options, struct error *e);

/* What a study should take when nothing is kept: warp instructions in full
 * detail, and seconds on options->threads. */
struct study_cost {
    double insts, seconds;
};
bool calib_expect(struct study_cost *out, const struct study *study,
                  const struct calib_options *options, struct error *e);

void study_result_free(struct study_result *r);

#endif
