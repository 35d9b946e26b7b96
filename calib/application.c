/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"

#include "calib/profile_pool.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Launches up to i of kernel i's likeness; 0 when an earlier one is alike. */
static int alike_from(const struct kernel_list *a, size_t i)
{
    int n = 0;
    for (size_t j = 0; j < a->count; j++) {
        if (a->kernel[j]->hash != a->kernel[i]->hash)
            continue;
        if (j < i)
            return 0;
        n++;
    }
    return n;
}

/* Shares of time are summed weighted by cycles. Misses cannot be added without
 * the accesses they are of. */
void application_add(struct result *sum, const struct result *r, double n)
{
    double cycles = n * r->cycles;
    sum->cycles += cycles;
    sum->cycles_lo += n * r->cycles_lo;
    sum->cycles_hi += n * r->cycles_hi;
    sum->warp_insts += n * r->warp_insts;
    sum->thread_insts += n * r->thread_insts;
    sum->time_us += n * r->time_us;
    sum->energy_uj += n * r->energy_uj;
    for (int i = 0; i < ENERGY_PARTS; i++)
        sum->memory.energy_uj[i] += n * r->memory.energy_uj[i];
    sum->occupancy += cycles * r->occupancy;
    sum->dram_gbps += cycles * r->dram_gbps;
    for (int s = 0; s < STALLS; s++)
        sum->stall[s] += cycles * r->stall[s];
    for (int i = 0; i < USES; i++)
        sum->use[i] += cycles * r->use[i];
}

void application_finish(struct result *sum, int sms)
{
    sum->ipc = sum->warp_insts / (sum->cycles * sms);
    sum->occupancy /= sum->cycles;
    sum->dram_gbps /= sum->cycles;
    for (int s = 0; s < STALLS; s++)
        sum->stall[s] /= sum->cycles;
    for (int i = 0; i < USES; i++)
        sum->use[i] /= sum->cycles;
    sum->limiter = limiter_of(sum->use);
    sum->l1_miss = sum->l2_miss = NAN;
    const struct memory_account known = sum->memory;
    memory_account_unknown(&sum->memory);
    memcpy(sum->memory.energy_uj, known.energy_uj, sizeof(known.energy_uj));
}

/* Add kernel k, launched n times, to every point. */
static bool add_kernel(struct job *job, const struct kernel *k, int n)
{
    const struct study *study = job->study;
    int room = occupancy_blocks(study->gpu, k, NULL);
    struct model_params params;
    model_params_default(&params);
    struct profile *p = profile_pool_take(
        job->pool,
        &(struct profile_request){.kernel = k,
                                  .gpu = study->gpu,
                                  .kernel_hash = k->hash,
                                  .structure = job->structure,
                                  .latency = profile_dram_latency(study->gpu),
                                  .seed = job->options->seed},
        &job->error);
    if (p == NULL)
        return false;
    for (int tb = 0; tb < study->tb_count; tb++)
        for (int q = 0; q < study->policy_count; q++) {
            size_t at = job_at(job, tb, q);
            int blocks = study->tb[tb] < room ? study->tb[tb] : room;
            struct result r;
            model_estimate(&r, p, study->gpu, &study->policies[q], blocks,
                           &params);
            application_add(&job->out->result[at], &r, n);
        }
    profile_pool_give(job->pool, p);
    return true;
}

bool application_model(struct job *job)
{
    const struct kernel_list *a = job->study->application;
    struct study_result *out = job->out;
    size_t points = job_points(job);
    for (size_t i = 0; i < points; i++)
        out->result[i] = (struct result){0};
    bool ok = true;
    for (size_t i = 0; ok && i < a->count; i++) {
        int n = alike_from(a, i);
        ok = n == 0 || add_kernel(job, a->kernel[i], n);
    }
    for (size_t i = 0; ok && i < points; i++)
        application_finish(&out->result[i], job->study->gpu->sms);
    if (ok)
        model_differences(job, out);
    return ok;
}
