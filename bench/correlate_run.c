/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_run.h"

#include "configs/gpu.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"

#include <omp.h>
#include <time.h>

static double thread_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int resident_blocks(const struct gpu *g, const struct kernel *k,
                           int limit)
{
    int fit = occupancy_blocks(g, k, NULL);
    return limit > 0 && limit < fit ? limit : fit;
}

static bool simulate(struct run_outcome *out, const struct run_request *r,
                     const struct kernel_list *list, struct error *e)
{
    struct gpu gpu;
    struct policy_set policies = {0};
    struct sampler_options options = {.block_limit = r->block_limit};
    struct sampler_run run;
    if (!gpu_load(&gpu, r->gpu, NULL, 0, e) ||
        !policy_set_parse(&policies, NULL, r->scheduler, NULL, NULL, e) ||
        !sampler_simulate(&run,
                          &(struct sampler_job){.kernel = list->kernel,
                                                .kernels = (int)list->count,
                                                .gpu = &gpu,
                                                .policies = &policies,
                                                .options = &options},
                          e))
        return false;
    *out = (struct run_outcome){
        .cycles = run.result.cycles,
        .l1_miss = run.result.l1_miss,
        .l2_miss = run.result.l2_miss,
        .dram_util = run.result.dram_gbps / gpu.dram.gbps,
        .warp_insts = run.result.warp_insts,
        .blocks = resident_blocks(&gpu, list->kernel[0], r->block_limit)};
    return true;
}

static bool run_one(struct run_outcome *out, const struct run_request *r,
                    struct error *e)
{
    struct kernel_list list;
    double start = thread_cpu_s();
    if (!kernel_load(&list, r->trace, &r->load, e))
        return false;
    bool ok = simulate(out, r, &list, e);
    kernel_list_free(&list);
    out->cpu_s = thread_cpu_s() - start;
    return ok;
}

bool run_all(struct run_outcome *out, const struct run_request *r, size_t count,
             struct error *e)
{
    size_t failed = count;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < count; i++) {
        struct error mine;
        if (run_one(&out[i], &r[i], &mine))
            continue;
#pragma omp critical
        if (i < failed) {
            failed = i;
            *e = mine;
        }
    }
    return failed == count;
}

void run_print_load(FILE *out)
{
    double load;
    FILE *f = fopen("/proc/loadavg", "r");
    if (f != NULL && fscanf(f, "%lf", &load) == 1)
        fprintf(out, "; the machine's load was %.1f on %d cores", load,
                omp_get_num_procs());
    if (f != NULL)
        fclose(f);
}
