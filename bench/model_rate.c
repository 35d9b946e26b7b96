/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many design points a second the interval model estimates: every bundled
 * kernel, block count and warp scheduler on one GPU, again and again, on all
 * threads. Also what its profiles cost. */
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "kernels/load.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define SECONDS 1.0

struct subject {
    struct kernel_list list;
    struct profile *profile;
    int blocks;
};

static struct policy_set policies_of(const struct warp_policy *warp)
{
    return (struct policy_set){.warp = choice_of(&warp->info)};
}

/* Every point of one subject; how many. */
static long estimate_all(const struct subject *s, const struct gpu *g,
                         const struct model_params *params, double *sum)
{
    long points = 0;

    for (int i = 0; warp_policies[i] != NULL; i++) {
        struct policy_set set = policies_of(warp_policies[i]);

        for (int blocks = 1; blocks <= s->blocks; blocks++, points++) {
            struct result r;

            model_estimate(&r, s->profile, g, &set, blocks, params);
            *sum += r.cycles;
        }
    }
    return points;
}

static double rate(const struct subject *s, size_t count, const struct gpu *g)
{
    struct model_params params;
    double start = omp_get_wtime(), sum = 0;
    long points = 0;

    model_params_default(&params);
#pragma omp parallel reduction(+ : points, sum)
    while (omp_get_wtime() - start < SECONDS)
        for (size_t i = 0; i < count; i++)
            points += estimate_all(&s[i], g, &params, &sum);
    return sum > 0 ? (double)points / (omp_get_wtime() - start) : 0;
}

static size_t load(struct subject *s, const char *const *name, size_t count,
                   const struct gpu *g)
{
    struct load_options options = load_options_default();
    struct error e;
    size_t loaded = 0;

    for (size_t i = 0; i < count; i++) {
        struct subject *to = &s[loaded];

        if (!kernel_load(&to->list, name[i], &options, &e)) {
            fprintf(stderr, "%s\n", e.text);
            continue;
        }
        to->blocks = occupancy_blocks(g, to->list.kernel[0], NULL);
        to->profile = profile_create(to->list.kernel[0], g, 1, &e);
        if (to->profile != NULL) {
            loaded++;
        } else {
            fprintf(stderr, "%s\n", e.text);
            kernel_list_free(&to->list);
        }
    }
    return loaded;
}

int main(int argc, char **argv)
{
    const char *gpu = argc > 1 ? argv[1] : "m2090";
    struct gpu g;
    struct error e;
    size_t count, loaded;
    const char *const *name = kernel_bundled_names(&count);
    struct subject *s = calloc(count, sizeof(*s));
    double start;

    if (s == NULL || !gpu_load(&g, gpu, NULL, 0, &e)) {
        fprintf(stderr, "%s\n", s == NULL ? "out of memory" : e.text);
        return EXIT_FAILURE;
    }
    start = omp_get_wtime();
    loaded = load(s, name, count, &g);
    printf("profiles        %8.1f ms each, %zu kernels on %s\n",
           1e3 * (omp_get_wtime() - start) / (double)(loaded + !loaded), loaded,
           gpu);
    printf("design points   %8.0f a second on %d threads\n",
           rate(s, loaded, &g), omp_get_max_threads());
    for (size_t i = 0; i < loaded; i++) {
        profile_free(s[i].profile);
        kernel_list_free(&s[i].list);
    }
    free(s);
    return loaded > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
