/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies: kernels on GPUs under block counts and policies, run together, and
 * what comes out. */
#ifndef ESTIMATE_STUDIES_H
#define ESTIMATE_STUDIES_H

#include <estimate/base.h>
#include <estimate/inputs.h>
#include <estimate/machines.h>
#include <estimate/policies.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what to study ------------------------------------------------------- */

struct estimate_study;

/* A policy of each kind, NULL: the default one. A scheduler that brings an L1
 * policy has that one whatever stands here. */
struct estimate_policies {
    const char *sched, *tb_sched, *l1_policy;
};

/* A study without cases. All its cases are run under the same policies, which
 * are compared with the first of them. */
ESTIMATE_API struct estimate_study *
estimate_study_create(const struct estimate_context *c,
                      const struct estimate_policies *policies, size_t count,
                      struct estimate_error *e);
ESTIMATE_API void estimate_study_free(struct estimate_study *s);

/* The policy that `versus` of the results compares with; the first unless set.
 */
ESTIMATE_API bool estimate_study_reference(struct estimate_study *s,
                                           size_t policy,
                                           struct estimate_error *e);

/* Add a case: a kernel on a GPU, at `tb_count` numbers of resident blocks an
 * SM, ascending, each from 1 to what fits. tb_count 0: as many as fit. The
 * points of a case are sampled and fitted together, so other lists may have
 * slightly other results; the program adds the default point where points are
 * compared. Kernel and GPU must outlive the study and its results, and stay as
 * they are. */
ESTIMATE_API bool estimate_study_add(struct estimate_study *s,
                                     const struct estimate_kernel *k,
                                     const struct estimate_gpu *g,
                                     const int *tb, size_t tb_count,
                                     struct estimate_error *e);

/* ---- how to run it ------------------------------------------------------- */

enum estimate_mode {
    ESTIMATE_MODEL,   /* the interval model alone: microseconds a point */
    ESTIMATE_HYBRID,  /* calibrated by short cycle-level samples */
    ESTIMATE_DETAILED /* cycle by cycle, the whole grid */
};

/* How a case of hybrid mode is known among many: */
enum estimate_effort {
    ESTIMATE_TOLD,     /* by what samples of its kernel on GPUs of the same name
                        * say, over the keys in which these differ */
    ESTIMATE_SAMPLED,  /* by samples of its own */
    ESTIMATE_CONFIRMED /* by longer ones: 2 % asked for, four times the budget
                        * unless one is given */
};

struct estimate_point;
struct estimate_profiles;
struct estimate_results;

struct estimate_options {
    size_t size; /* set by estimate_options_init() */
    enum estimate_mode mode;
    double error_pct;      /* half-width that the intervals should reach */
    uint64_t budget_insts; /* warp instructions that the sample of a point may
                            * take; 0: 30,000 for each SM, and 6 million for the
                            * whole of a grid of few waves */
    uint64_t seed;         /* of everything drawn at random */
    uint64_t max_cycles;   /* of a detailed run; 0: no limit */
    double time_limit_s;   /* of the whole call; 0: no limit */
    int threads;           /* 0: one a processor; results do not depend on it */
    bool use_cache;        /* read and write kept samples */
    bool refresh;          /* run samples anew even where they are kept */
    bool accounts;         /* keep what thread-block schedulers say of detailed
                            * runs */
    const char *cache_dir; /* of kept samples; NULL: the user's cache folder */
    const volatile int *cancel; /* not 0: stop; NULL: nobody asks */
    /* Called when one of the samples or points known so far is done, from any
     * thread but one at a time; may be NULL. */
    void (*progress)(void *user, int done, int total);
    void *user;
    const char *store; /* keep samples in this file, made if need be, and not
                        * in the cache folder; NULL: there. A study under
                        * policies of the program's own keeps none */
    /* As progress: a sample of a case has ended; a point of it is known, of
     * which `p` is gone when the call returns. In full detail points come as
     * they finish, else those of a case together. */
    void (*ended)(void *user, size_t which);
    void (*known)(void *user, size_t which, size_t tb, size_t policy,
                  const struct estimate_point *p);
    /* In model mode, of calls that do some of very many GPUs each: what they
     * share; NULL: nothing */
    struct estimate_profiles *profiles;
    /* In hybrid mode over many GPUs: raise effort[case] (enum estimate_effort,
     * at first all are told) of some, by results so far, at first the model's;
     * false: no more. NULL: all are sampled. One at a time. */
    bool (*choose)(void *user, const struct estimate_results *r,
                   unsigned char *effort);
};

/* What the model keeps of kernels between such calls. A GPU's points then do
 * not depend on which call has it. */
struct estimate_profiles;
ESTIMATE_API struct estimate_profiles *
estimate_profiles_create(struct estimate_error *e);
ESTIMATE_API void estimate_profiles_free(struct estimate_profiles *p);

/* The program's defaults: hybrid, 5 %, seed 1, kept samples. */
ESTIMATE_API void estimate_options_init(struct estimate_options *o,
                                        size_t size);

struct estimate_results;

/* Run every case, in parallel over cases and their samples. NULL options: the
 * defaults. When a limit is hit or *cancel is set, what is there is returned
 * with the points concerned marked partial. */
ESTIMATE_API struct estimate_results *
estimate_run(const struct estimate_study *s,
             const struct estimate_options *options, struct estimate_error *e);
ESTIMATE_API void estimate_results_free(struct estimate_results *r);

/* What such a run should take: kept samples are not looked at. */
struct estimate_cost {
    double warp_insts; /* in full detail, of samples or whole grids */
    double seconds;
};
ESTIMATE_API bool estimate_expect(struct estimate_cost *out, size_t size,
                                  const struct estimate_study *s,
                                  const struct estimate_options *options,
                                  struct estimate_error *e);
/* Why samples could not be written to the store that was named, a line; NULL:
 * they were. */
ESTIMATE_API const char *
estimate_results_unkept(const struct estimate_results *r);

/* ---- points -------------------------------------------------------------- */

/* Difference in cycles to another policy at the same number of blocks, in
 * percent of that one's, with its 90 % interval. */
struct estimate_delta {
    double pct, lo, hi;
};

/* One design point. Names are those of the program's CSV. */
struct estimate_point {
    const char *kernel, *gpu;
    int tb; /* resident blocks an SM */
    const char *sched, *tb_sched, *l1_policy;
    const char *mode;                    /* "hybrid", ... */
    double cycles, cycles_lo, cycles_hi; /* with the 90 % interval */
    struct estimate_delta delta;         /* to the first policy */
    struct estimate_delta versus;        /* to the reference policy */
    double ipc;                          /* warp instructions a cycle and SM */
    double warp_insts, thread_insts;     /* of the whole grid */
    double time_us;
    double occupancy;    /* share of an SM's warp slots */
    const char *limiter; /* "issue", "dram", ...; empty: not known */
    struct {             /* shares of issue slots, their sum is 1 */
        double issued, idle, sb_mem, sb_alu, pipe_mem, pipe_alu;
    } stall;
    double l1_miss, l2_miss; /* shares */
    double dram_gbps;        /* 1e9 bytes a second */
    double energy_uj;
    bool sampled; /* measured by a detailed run of this very point */
    bool partial; /* a limit cut it short */
    uint64_t seed;
    struct { /* shares of memory accesses by what answered, their sum is 1 */
        double l1, remote, l2, memory;
    } served;
    struct { /* flits times links */
        double read, write, writeback;
    } crossings;
    struct { /* microjoules, their sum is energy_uj */
        double core, l1, shared, l2, network, memory;
    } energy;
    struct { /* shares of peak, NAN not known: estimate_point_use() */
        double issue, alu_sp, alu_int, alu_sfu, alu_dp, alu_tensor, l1, shared,
            l2, interconnect, dram;
    } use;
};

/* The point of a case under a policy at its tb-th number of blocks, all counted
 * from 0; NULL when there is none. */
ESTIMATE_API const struct estimate_point *
estimate_result(const struct estimate_results *r, size_t which, size_t tb,
                size_t policy);
/* A resource with a peak, and how much of it a point achieves. */
struct estimate_use {
    const char *resource;         /* "issue", "alu_sp", "l2", "dram", ... */
    double achieved, peak, share; /* share: achieved / peak */
    const char *unit;
};
/* Resource i; false behind the last. The point's limiter is the one with the
 * highest share ("alu" of any alu_), or "latency" when none is above 0.6. g is
 * the point's GPU, `size` that of *out. */
ESTIMATE_API bool estimate_point_use(struct estimate_use *out, size_t size,
                                     const struct estimate_point *p,
                                     const struct estimate_gpu *g, size_t i);

/* What its thread-block scheduler says of a detailed run, lines; NULL: nothing
 * was kept. */
ESTIMATE_API const char *
estimate_result_account(const struct estimate_results *r, size_t which,
                        size_t tb, size_t policy);

/* ---- points by column ---------------------------------------------------- */

enum estimate_column_type {
    ESTIMATE_COLUMN_TEXT,
    ESTIMATE_COLUMN_WHOLE,
    ESTIMATE_COLUMN_FLAG, /* 0 or 1 */
    ESTIMATE_COLUMN_REAL
};

/* Column i of the program's CSV, without swept keys, which are the study's own.
 * NULL behind the last. */
struct estimate_column;
ESTIMATE_API const struct estimate_column *estimate_column(size_t i);
/* NULL when there is none of that name. */
ESTIMATE_API const struct estimate_column *
estimate_column_find(const char *name);
ESTIMATE_API const char *estimate_column_name(const struct estimate_column *c);
ESTIMATE_API const char *estimate_column_unit(const struct estimate_column *c);
ESTIMATE_API enum estimate_column_type
estimate_column_type(const struct estimate_column *c);
/* The value of a text column, NULL for others. */
ESTIMATE_API const char *estimate_column_string(const struct estimate_column *c,
                                                const struct estimate_point *p);
/* The value of other columns, NAN for text and where it is not known. A seed
 * beyond 2^53 is rounded. */
ESTIMATE_API double estimate_column_value(const struct estimate_column *c,
                                          const struct estimate_point *p);
/* Any value as CSV has it, empty when not known. Returns the length of the
 * whole text, as snprintf does. */
ESTIMATE_API size_t estimate_column_text(char *out, size_t size,
                                         const struct estimate_column *c,
                                         const struct estimate_point *p);

/* ---- what a case took ---------------------------------------------------- */

struct estimate_fit {
    int samples;
    uint64_t sample_insts; /* warp instructions that they took */
    double full_insts;     /* and that detailed runs of all points would take */
    double seconds;
    double needed_insts; /* budget_insts with which intervals should reach
                          * error_pct where it was too small, else 0 */
};
ESTIMATE_API const struct estimate_fit *
estimate_result_fit(const struct estimate_results *r, size_t which);

#ifdef __cplusplus
}
#endif

#endif
