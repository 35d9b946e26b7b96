/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libestimate: how many cycles a GPU kernel takes under every thread-block
 * count and warp scheduler. Everything but the command line is behind this
 * header, so that an autotuner can embed it:
 *
 *     struct estimate_error e;
 *     struct estimate_kernel *k = estimate_kernel_load("lud", &e);
 *     struct estimate_gpu *g = estimate_gpu_load("v100", &e);
 *     const char *scheds[] = {"gto", "lrr"};
 *     struct estimate_point p[2];
 *     int tb = 4;
 *     estimate_points(p, k, g, &tb, 1, scheds, 2, NULL, &e);
 *
 * Functions that can fail return NULL or false and fill *e (may be NULL).
 * Loaded kernels and GPUs may be used by several threads at once. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct estimate_kernel;
struct estimate_gpu;

struct estimate_error {
    int status; /* as the program's exit status: 2 usage, 3 bad input, ... */
    char text[512]; /* one line */
};

enum estimate_mode {
    ESTIMATE_MODEL,   /* the analytical model alone: microseconds a point */
    ESTIMATE_HYBRID,  /* calibrated by short cycle-level samples */
    ESTIMATE_DETAILED /* cycle level, whole grid */
};

struct estimate_options {
    enum estimate_mode mode;
    double error_pct; /* half-width the intervals should reach, 0 = default */
    uint64_t budget_insts; /* warp instructions of samples, 0 = default */
    uint64_t seed;
    int threads;   /* 0 = all cores; the results do not depend on it */
    bool no_cache; /* neither read nor write kept fits */
    const char *tb_sched, *l1_policy; /* NULL: "rr", "lru" */
};

/* One design point's estimate. Shares are 0..1, NAN = unknown. */
struct estimate_point {
    int tb;                               /* resident blocks per SM */
    const char *sched;                    /* as passed in */
    double cycles, cycles_lo, cycles_hi;  /* 90 % interval */
    double delta_pct, delta_lo, delta_hi; /* to the first scheduler, same tb */
    double time_us, ipc;                  /* warp instructions, cycle and SM */
    double warp_insts, thread_insts, occupancy;
    double l1_miss, l2_miss, dram_gbps;
    bool sampled, partial;
};

const char *estimate_version(void);

/* A bundled kernel's name, a .kernel file, a trace, or a kernelslist.g (its
 * first kernel). Runs no other program: registers of PTX are the launch file's
 * or found from the text. */
struct estimate_kernel *estimate_kernel_load(const char *input,
                                             struct estimate_error *e);
void estimate_kernel_free(struct estimate_kernel *k);

/* A bundled GPU's name, a .cfg file or a gpgpusim.config. */
struct estimate_gpu *estimate_gpu_load(const char *name_or_path,
                                       struct estimate_error *e);
/* Change one key of the configuration, "l1.size_kb" say. On failure the GPU
 * stays as it was. */
bool estimate_gpu_set(struct estimate_gpu *g, const char *key, double value,
                      struct estimate_error *e);
void estimate_gpu_free(struct estimate_gpu *g);

/* Blocks of k that fit on one SM of g, 0 when not even one does. */
int estimate_max_blocks(const struct estimate_kernel *k,
                        const struct estimate_gpu *g);

/* Every tb crossed with every scheduler: out[tb_count * sched_count], the
 * schedulers of one tb beside each other. tb ascending, each from 1 to
 * estimate_max_blocks(). options NULL = defaults, mode hybrid. */
bool estimate_points(struct estimate_point *out,
                     const struct estimate_kernel *k,
                     const struct estimate_gpu *g, const int *tb, int tb_count,
                     const char *const *scheds, int sched_count,
                     const struct estimate_options *options,
                     struct estimate_error *e);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
