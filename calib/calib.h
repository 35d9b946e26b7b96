/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From design points to results: the interval model alone, calibrated by short
 * cycle-level samples (hybrid), or full detail. */
#ifndef CALIB_CALIB_H
#define CALIB_CALIB_H

#include "base/error.h"
#include "base/result.h"

#include <stdint.h>

struct kernel;
struct gpu;

enum mode { MODE_MODEL, MODE_HYBRID, MODE_DETAILED };

/* The design points of one kernel on one GPU: every block count crossed with
 * every policy set. */
struct study {
    const struct kernel *kernel;
    const struct gpu *gpu;
    const int *tb; /* resident blocks, each 1..occupancy, ascending */
    int tb_count;
    const struct policy_set *policies;
    int policy_count;
};

struct calib_options {
    enum mode mode;
    double error_pct;       /* half-width the intervals should reach */
    uint64_t budget_insts;  /* warp instructions to spend on samples; 0 = as
                             * many as error_pct asks for */
    uint64_t seed;
    uint64_t max_cycles;    /* of a detailed run, 0 = none */
    double time_limit_s;    /* of the whole study, 0 = none */
    int threads;            /* OpenMP threads, 0 = all */
    bool use_cache;         /* read and write kept fits */
    const char *cache_dir;  /* where, NULL = $XDG_CACHE_HOME/estimate */
    const volatile int *cancel;
    /* Called when a point or sample is done, from any thread, serialised; may
     * be NULL. */
    void (*progress)(void *user, int done, int total);
    void *user;
};

/* The difference of a policy to the study's first policy at the same tb. */
struct paired_delta {
    double pct, lo, hi; /* percent, 90 % interval; 0 for the first policy */
};

struct study_result {
    struct result *result;      /* [tb_index * policy_count + policy_index] */
    struct paired_delta *delta; /* same shape */
    uint64_t sample_insts;      /* warp instructions the samples took */
    int samples;
    double seconds;
    int rank;                   /* of the fit, 0 when there was none */
    double leave_one_out_pct;   /* mean absolute, NAN when there was none */
    char fit_note[256];         /* which parameters stayed at their priors */
};

/* Results do not depend on options->threads. On a limit: true, with the points
 * concerned marked partial. */
bool calib_study(struct study_result *out, const struct study *study,
                 const struct calib_options *options, struct error *e);
void study_result_free(struct study_result *r);

#endif
