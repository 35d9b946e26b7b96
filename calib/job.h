/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One study on its way: what calib_studies() runs round by round. In a round
 * the samples planned so far and not yet run are run, those of all studies
 * together in parallel; then each job looks at its own and plans the next
 * round. So nothing a job decides depends on threads or on other jobs. */
#ifndef CALIB_JOB_H
#define CALIB_JOB_H

#include "calib/calib.h"
#include "calib/sample.h"
#include "calib/window.h"

struct job {
    const struct study *study;
    const struct calib_options *options;
    struct study_result *out;
    struct profile *profile;
    /* Lent by calib/designs.c, which frees them; between this one and `above`
     * (NULL: none) lies the job's, `between` of the way. */
    bool lent;
    const struct profile *above;
    double between;
    /* Of an application: where the profiles of its kernels are kept (NULL:
     * nowhere), and the hash of what decides them beside kernel and latency. */
    struct profile_pool *pool;
    uint64_t structure;
    struct window_grid grid;
    double error_pct, cap_insts; /* of the options, defaults resolved */
    int most_tb;                 /* blocks that an SM holds of the kernel */

    struct sample *sample; /* those run first */
    size_t samples, ran, capacity;
    int *ended; /* [tb_count] samples that have, in full detail (news.h) */
    bool *told; /* [tb_count] the caller knows these points */

    bool done;     /* nothing left to run */
    bool open;     /* it may begin once more: nobody is told of its points */
    bool confirms; /* ... did, so that there are results */
    bool limited;  /* a limit kept samples from being run or finished */
    bool failed;
    struct error error;
};

static inline size_t job_at(const struct job *job, int tb, int policy)
{
    return study_point(job->study, tb, policy);
}

static inline size_t job_points(const struct job *job)
{
    return job_at(job, job->study->tb_count, 0);
}

/* ---- what every mode does with a job (job.c) ---------------------------- */

void job_set(struct job *job, struct study_result *out,
             const struct study *study, const struct calib_options *options);
/* The arrays of job->out and of the job. False with job->error set. */
bool job_alloc(struct job *job);
/* The kernel's profile, and the grid as the model has it. False with
 * job->error set. */
bool job_profile(struct job *job);
/* Cycles by the model where the L2 keeps such a share of what is stored. */
double job_model_cycles(const struct job *job, const struct policy_set *policy,
                        int tb, double stores_left);
/* How far, in log instructions, blocks of a window in the middle of the grid,
 * or of the slice beside its start, are from the grid's, by the blocks that the
 * model has counted, or in log lines where the model has memory limit them; 0:
 * by no more than matters (UNEVEN_LEAST). 0 of other windows. */
double job_uneven(const struct job *job, const struct window *w);
/* Every point unknown and partial, every difference unknown. */
void job_unknown(struct job *job);
/* Add a sample of tb resident blocks to the next round. */
bool job_plan(struct job *job, int tb, int policy, const struct window *window);
/* From its next start on its windows are longer: CONFIRM_ERROR_PCT is asked
 * for, and of CONFIRM_CAPS times as many instructions where no budget was
 * given. What a limit cuts short leaves the results as they are. */
void job_confirm(struct job *job);
/* Forget profile and samples, not results. */
void job_reset(struct job *job);
void job_free(struct job *job);

/* ---- the modes ---------------------------------------------------------- */

/* hybrid.c: samples of the first round; then after each round the next, or the
 * results in job->out and job->done. */
bool hybrid_begin(struct job *job);
bool hybrid_advance(struct job *job);

/* detailed.c: every point by a run of its own, without the model. A limit
 * leaves what ran until then, unknown where nothing ran. In hybrid mode, the
 * mode of applications, the model stands in for what a limit cut short. */
bool detailed_begin(struct job *job);
bool detailed_advance(struct job *job);
/* The results of a block count whose samples have all ended whole. */
void detailed_row(struct job *job, int tb);

/* results.c: every point of a kernel as the model alone has it. */
void model_results(const struct job *job, struct study_result *out);
/* The differences between points that are the model's. */
void model_differences(const struct job *job, struct study_result *out);

#endif
