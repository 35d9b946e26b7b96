/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How runs in full detail share the cores: the same runs, every warp scheduler
 * on a few kernels, with one thread, two, four, ... up to all. */
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_POLICIES = 64, BLOCKS = 64 };

static const char gpu_name[] = "m2090";
static const char *const names[] = {"srad", "kmeans", "lud", "bt-k2"};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct runs {
    struct gpu gpu;
    struct kernel_list list[COUNT(names)];
    int tb[COUNT(names)];
    struct study study[COUNT(names)];
    struct policy_set policy[MOST_POLICIES];
    int policies;
};

static bool load(struct runs *r, struct error *e)
{
    struct load_options load = {.launch.grid = {BLOCKS, 1, 1}};
    if (!gpu_load(&r->gpu, gpu_name, NULL, 0, e))
        return false;
    for (; warp_policies[r->policies] != NULL; r->policies++) {
        struct policy_set *p = &r->policy[r->policies];
        if (!policy_set_parse(p, NULL, warp_policies[r->policies]->info.name,
                              NULL, NULL, e))
            return false;
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!kernel_load(&r->list[i], names[i], &load, e))
            return false;
        r->tb[i] = occupancy_blocks(&r->gpu, r->list[i].kernel[0], NULL);
        r->study[i] = (struct study){.kernel = r->list[i].kernel[0],
                                     .gpu = &r->gpu,
                                     .tb = &r->tb[i],
                                     .tb_count = 1,
                                     .policies = r->policy,
                                     .policy_count = r->policies};
    }
    return true;
}

/* Seconds and warp instructions of all runs. */
static bool time_runs(const struct runs *r, int threads, double *seconds,
                      double *insts, struct error *e)
{
    struct calib_options o = {.mode = MODE_DETAILED, .threads = threads};
    struct study_result out[COUNT(names)];
    double start = omp_get_wtime();
    if (!calib_studies(out, r->study, COUNT(names), &o, e))
        return false;
    *seconds = omp_get_wtime() - start;
    *insts = 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        *insts += (double)out[i].sample_insts;
        study_result_free(&out[i]);
    }
    return true;
}

int main(void)
{
    struct runs r = {0};
    struct error e = {.text = "out of memory"};
    int most = omp_get_max_threads();
    double seconds = 0, insts = 0, alone = 0;
    bool ok = load(&r, &e);
    for (int n = 1; ok && n <= most;
         n = n < most && 2 * n > most ? most : 2 * n) {
        ok = time_runs(&r, n, &seconds, &insts, &e);
        if (n == 1)
            alone = seconds;
        if (ok)
            printf(
                "%zu runs in full detail on %d thread%s: %.2f s, %.2f M warp "
                "instructions a second, %.2f times one thread's\n",
                COUNT(names) * (size_t)r.policies, n, n > 1 ? "s" : "", seconds,
                insts / seconds / 1e6, alone / seconds);
    }
    for (size_t i = 0; i < COUNT(names); i++)
        kernel_list_free(&r.list[i]);
    if (!ok)
        fprintf(stderr, "parallel: %s\n", e.text);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
