/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast the engines are: the sampler under every warp scheduler relative to
 * the first, on one SM and on 16, or with
 *
 *     speed [--work FOLDER] REFERENCE
 *
 * on the traces of a reference (speed_reference.h); the model; the main sweep.
 */
#include "bench/speed_reference.h"
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TB       8
#define MODEL_POINTS 2000000
#define RUN_INSTS    300000.0 /* of a timed sampler run */

static const char gpu_name[] = "m2090";
static const char *const timed_kernels[] = {"bp-k1", "kmeans", "montecarlo"};
static const int timed_sms[] = {1, 16};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool policies_of(struct policy_set *p, const char *warp, struct error *e)
{
    return policy_set_parse(p, NULL, warp, NULL, NULL, e);
}

static double block_insts(const struct kernel *k, const struct gpu *g,
                          struct error *e)
{
    struct profile *p = profile_create(k, g, 0, e);
    if (p == NULL)
        return 0;
    double insts = profile_warp_insts(p) / (double)k->blocks;
    profile_free(p);
    return insts;
}

/* Warp instructions a second, 0 on failure. */
static double sampler_rate(struct kernel *k, const struct gpu *gpu,
                           const char *warp, double insts, struct error *e)
{
    struct policy_set policies = {0};
    if (!policies_of(&policies, warp, e))
        return 0;
    uint64_t blocks = (uint64_t)(RUN_INSTS / insts) + 1;
    struct sampler_options o = {.block_count =
                                    blocks < k->blocks ? blocks : k->blocks};
    struct sampler_run run;
    double start = omp_get_wtime();
    if (!sampler_simulate(&run,
                          &(struct sampler_job){.kernel = &k,
                                                .kernels = 1,
                                                .gpu = gpu,
                                                .policies = &policies,
                                                .options = &o},
                          e))
        return 0;
    return (double)run.counts.warp_insts / (omp_get_wtime() - start);
}

static bool time_sampler(const char *name, const struct gpu *whole, int sms,
                         struct error *e)
{
    struct kernel_list list;
    struct load_options load = {0};
    struct gpu gpu;
    if (!kernel_load(&list, name, &load, e))
        return false;
    gpu_slice(&gpu, whole, sms);
    double insts = block_insts(list.kernel[0], whole, e), first = 0;
    bool ok = insts > 0;
    printf("%-12s %3d SMs", name, sms);
    for (size_t i = 0; ok && warp_policies[i] != NULL; i++) {
        const char *warp = warp_policies[i]->info.name;
        double rate = sampler_rate(list.kernel[0], &gpu, warp, insts, e);
        ok = rate > 0;
        if (i == 0) {
            first = rate;
            printf("  %s %.2f M/s", warp, rate / 1e6);
        } else
            printf("  %s %.2f", warp, rate / first);
    }
    printf("\n");
    kernel_list_free(&list);
    return ok;
}

static bool time_model(const struct gpu *gpu, struct error *e)
{
    struct kernel_list list;
    struct load_options load = {0};
    struct policy_set policies = {0};
    struct model_params params;
    model_params_default(&params);
    if (!policies_of(&policies, "gto", e) ||
        !kernel_load(&list, timed_kernels[0], &load, e))
        return false;
    double begin = omp_get_wtime();
    struct profile *p = profile_create(list.kernel[0], gpu, 0, e);
    double profiled = omp_get_wtime();
    if (p != NULL) {
        double sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < MODEL_POINTS; i++) {
            struct result r;
            model_estimate(&r, p, gpu, &policies, 1 + i % 4, &params);
            sum += r.cycles;
        }
        double rate = MODEL_POINTS / (omp_get_wtime() - profiled);
        printf("model: profile %.1f ms, %.2f M points/s on %d threads (mean "
               "%.0f cycles)\n",
               1e3 * (profiled - begin), rate / 1e6, omp_get_max_threads(),
               sum / MODEL_POINTS);
        profile_free(p);
    }
    kernel_list_free(&list);
    return p != NULL;
}

/* ---- the main sweep ----------------------------------------------------- */

struct sweep {
    struct study *study;
    struct kernel_list *list;
    int (*tb)[MAX_TB];
    struct study_result *out;
    struct policy_set policy[64];
    int policies;
    size_t count;
};

static bool load_sweep(struct sweep *s, const struct gpu *gpu,
                       const char *const *names, struct error *e)
{
    struct load_options load = {0};
    for (; warp_policies[s->policies] != NULL && s->policies < 64;
         s->policies++)
        if (!policies_of(&s->policy[s->policies],
                         warp_policies[s->policies]->info.name, e))
            return false;
    for (size_t i = 0; i < s->count; i++) {
        if (!kernel_load(&s->list[i], names[i], &load, e))
            return false;
        const struct kernel *k = s->list[i].kernel[0];
        int most = occupancy_blocks(gpu, k, NULL);
        most = most < MAX_TB ? most : MAX_TB;
        for (int tb = 0; tb < most; tb++)
            s->tb[i][tb] = tb + 1;
        s->study[i] = (struct study){.kernel = k,
                                     .gpu = gpu,
                                     .tb = s->tb[i],
                                     .tb_count = most,
                                     .policies = s->policy,
                                     .policy_count = s->policies};
    }
    return true;
}

static void report_sweep(const struct sweep *s, double seconds)
{
    double insts = 0, full = 0;
    int points = 0;
    for (size_t i = 0; i < s->count; i++) {
        insts += (double)s->out[i].sample_insts;
        full += s->out[i].full_insts;
        points += s->study[i].tb_count * s->policies;
        study_result_free(&s->out[i]);
    }
    printf("sweep of %zu kernels, %d points: %.1f s on %d threads; samples "
           "took %.1f M warp instructions, full detail %.0f M: %.0f times as "
           "many\n",
           s->count, points, seconds, omp_get_max_threads(), insts / 1e6,
           full / 1e6, full / insts);
}

static bool time_sweep(const struct gpu *gpu, struct error *e)
{
    struct sweep s = {0};
    const char *const *names = kernel_default_names(&s.count);
    s.study = calloc(s.count, sizeof(*s.study));
    s.list = calloc(s.count, sizeof(*s.list));
    s.tb = calloc(s.count, sizeof(*s.tb));
    s.out = calloc(s.count, sizeof(*s.out));
    struct calib_options o = {.mode = MODE_HYBRID};
    double start = omp_get_wtime();
    bool ok = s.study && s.list && s.tb && s.out &&
              load_sweep(&s, gpu, names, e) &&
              calib_studies(s.out, s.study, s.count, &o, e);
    if (ok)
        report_sweep(&s, omp_get_wtime() - start);
    for (size_t i = 0; s.list != NULL && i < s.count; i++)
        kernel_list_free(&s.list[i]);
    free(s.study);
    free(s.list);
    free(s.tb);
    free(s.out);
    return ok;
}

static bool time_bundled(const struct gpu *gpu, struct error *e)
{
    bool ok = true;
    printf("sampler on %s: warp instructions a second, the others relative to "
           "the first\n",
           gpu_name);
    for (size_t i = 0; i < COUNT(timed_kernels); i++)
        for (size_t j = 0; ok && j < COUNT(timed_sms); j++)
            ok = time_sampler(timed_kernels[i], gpu, timed_sms[j], e);
    return ok;
}

int main(int argc, char **argv)
{
    const char *work = "build/reference", *reference = NULL;
    struct gpu gpu;
    struct error e = {.text = "out of memory"};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--work") == 0 && i + 1 < argc)
            work = argv[++i];
        else
            reference = argv[i];
    bool ok = gpu_load(&gpu, gpu_name, NULL, 0, &e);
    ok = ok && (reference != NULL ? speed_of_reference(reference, work, &e)
                                  : time_bundled(&gpu, &e));
    ok = ok && time_model(&gpu, &e) && time_sweep(&gpu, &e);
    if (!ok)
        fprintf(stderr, "speed: %s\n", e.text);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
