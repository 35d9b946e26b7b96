/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_draw.h"

#include "bench/accuracy_case.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { GPUS_MAX = 14, COUNTS_MAX = 3, SCHEDS_MAX = 5 };

/* Where `repeat` is not 0 the blocks of a trace, which touch the same lines
 * every time, are repeated to so many. */
static const struct {
    const char *kernel;
    unsigned repeat;
} kernels[] = {
    /* the 14 of paws Table II and those that perfsat Table II adds */
    {"bp-k1", 0},
    {"bp-k2", 0},
    {"bt-k1", 0},
    {"bt-k2", 0},
    {"heartwall", 0},
    {"kmeans", 0},
    {"lud", 0},
    {"srad", 0},
    {"cfd", 0},
    {"dwt", 0},
    {"dxtc", 0},
    {"fwt", 0},
    {"histogram", 0},
    {"montecarlo", 0},
    {"gaussian", 0},
    {"hotspot", 0},
    {"pathfinder", 0},
    {"nn", 0},
    {"srad-1", 0},
    {"srad-2", 0},
    {"srad-3", 0},
    {"srad-4", 0},
    {"srad-5", 0},
    {"srad-6", 0},
    /* of kaws, cawa and ikra those of one launch */
    {"hotspot-512", 0},
    {"kmeans-rows", 0},
    {"tpacf", 0},
    {"vector-add", 0},
    {"streamcluster-mid", 0},
    {"streamcluster-small", 0},
    {"ikra-lavamd", 0},
    {"ikra-nn", 0},
    {"ikra-sgemm", 0},
    /* examples in PTX */
    {"ptx-bfs#7", 0},
    {"ptx-histogram", 0},
    {"ptx-kmeans#1", 0},
    {"ptx-matmul-naive", 0},
    {"ptx-matmul-tiled", 0},
    {"ptx-reduction#1", 0},
    {"ptx-scan#1", 0},
    {"ptx-softmax", 0},
    {"ptx-spmv", 0},
    {"ptx-stencil#1", 0},
    {"ptx-transpose", 0},
    {"ptx-vectoradd", 0},
    /* traces of random kernels */
    {"trace:copy_3107_sm70_300k", 0},
    {"trace:gather_4219_sm70_300k", 0},
    {"trace:phased_1873_sm70_300k", 0},
    {"trace:ragged_2606_sm70_300k", 0},
    {"trace:shrow_5530_sm70_300k", 0},
    {"trace:batched_6041_sm70_24k", 3000},
    {"trace:stencil_7482_sm70_24k", 3000},
    {"trace:strided_8215_sm70_24k", 3000},
};

#define EVERY_GPU                                                              \
    {                                                                          \
        {"gtx480"}, {"m2090"}, {"k20x"}, {"titanx"}, {"v100"}, {"t4"},         \
            {"rtx2080ti"}, {"a100"}, {"a10"}, {"rtx3090"}, {"l4"},             \
            {"rtx4090"}, {"h100"}, {"h200"},                                   \
    }

/* `gpus` generations, one of each drawn where there are several; a kernel is on
 * `each` of them. */
struct draw {
    unsigned long seed;
    double most_insts; /* grids that take more warp instructions are cut */
    int counts, scheds, gpus, each;
    const char *generation[GPUS_MAX][4];
};

static const struct draw draws[DRAWS] = {
    {2026,
     5e6,
     3,
     5,
     8,
     1,
     {{"gtx480", "m2090"},
      {"k20x"},
      {"titanx"},
      {"v100"},
      {"t4", "rtx2080ti"},
      {"a100", "a10", "rtx3090"},
      {"l4", "rtx4090"},
      {"h100", "h200"}}},
    /* GPUs that the first has not drawn */
    {2027,
     7e6,
     2,
     4,
     6,
     1,
     {{"m2090"}, {"t4"}, {"a100"}, {"a10"}, {"rtx4090"}, {"h100"}}},
    /* all of them, at larger grids, most of which are sampled */
    {2028, 20e6, 2, 2, 14, 2, EVERY_GPU},
    /* likewise, drawn when what the others showed was mended */
    {2031, 20e6, 2, 2, 14, 2, EVERY_GPU},
};

static void draw_gpus(const char **gpu, const struct draw *d, gsl_rng *rng)
{
    for (int i = 0; i < d->gpus; i++) {
        size_t n = 0;
        while (n < COUNT(d->generation[i]) && d->generation[i][n] != NULL)
            n++;
        gpu[i] = d->generation[i][gsl_rng_uniform_int(rng, n)];
    }
}

const char *draw_kernel(size_t i)
{
    return i < COUNT(kernels) ? kernels[i].kernel : NULL;
}

struct dim3 draw_scaled_grid(struct dim3 g, double blocks)
{
    double have;
    while ((have = (double)g.x * g.y * g.z) > blocks) {
        uint32_t *side = g.x >= g.y && g.x >= g.z ? &g.x
                         : g.y >= g.z             ? &g.y
                                                  : &g.z;
        double others = have / *side;
        double next = fmax(*side / 2.0, ceil(blocks / others));
        if (next >= *side)
            break;
        *side = (uint32_t)next;
    }
    return g;
}

static bool set_grid(struct accuracy_point *p, const struct accuracy_case *c,
                     double most_insts, struct error *e)
{
    struct profile *profile = profile_create(c->kernel, &c->gpu, 0, e);
    if (profile == NULL)
        return false;
    double insts = profile_warp_insts(profile);
    double blocks = (double)c->kernel->blocks;
    profile_free(profile);
    struct dim3 g =
        draw_scaled_grid(c->kernel->grid, blocks * fmin(1, most_insts / insts));
    snprintf(p->grid, sizeof(p->grid), "%ux%ux%u", g.x, g.y, g.z);
    return true;
}

/* Block counts that make a difference: no SM gets more than its share. */
static int most_blocks(const struct accuracy_case *c)
{
    int fit = occupancy_blocks(&c->gpu, c->kernel, NULL);
    return (int)fmin(fit, ceil((double)c->kernel->blocks / c->gpu.sms));
}

/* The largest count and some below it, up to `counts` of them. */
static int draw_counts(int *tb, int counts, int most, gsl_rng *rng)
{
    int below[CASE_COUNTS], n = most < counts ? most - 1 : counts - 1;
    for (int i = 0; i + 1 < most; i++)
        below[i] = i + 1;
    if (n > 0)
        gsl_ran_choose(rng, tb, (size_t)n, below, (size_t)most - 1,
                       sizeof(*tb));
    tb[n] = most;
    return n + 1;
}

/* gto and others, `scheds` in all. */
static void draw_scheds(const char **sched, int scheds, gsl_rng *rng)
{
    const char *others[64];
    size_t n = 0;
    for (size_t i = 0; warp_policies[i] != NULL && n < COUNT(others); i++)
        if (strcmp(warp_policies[i]->info.name, "gto") != 0)
            others[n++] = warp_policies[i]->info.name;
    sched[0] = "gto";
    gsl_ran_choose(rng, sched + 1, (size_t)scheds - 1, others, n,
                   sizeof(*others));
}

static void write_points(FILE *out, const struct draw *d,
                         const struct accuracy_point *p, int most, gsl_rng *rng)
{
    int tb[COUNTS_MAX], counts = draw_counts(tb, d->counts, most, rng);
    const char *sched[SCHEDS_MAX];
    draw_scheds(sched, d->scheds, rng);
    for (int i = 0; i < counts; i++)
        for (int q = 0; q < d->scheds; q++)
            fprintf(out, "%s,%s,%s,%d,%s\n", p->kernel, p->gpu, p->grid, tb[i],
                    sched[q]);
}

static bool draw_case(FILE *out, const struct draw *d, const char *kernel,
                      unsigned repeat, const char *gpu, const char *traces,
                      gsl_rng *rng, struct error *e)
{
    struct accuracy_point p;
    struct accuracy_case c;
    char grid[ACCURACY_NAME];
    snprintf(p.kernel, sizeof(p.kernel), "%s", kernel);
    snprintf(p.gpu, sizeof(p.gpu), "%s", gpu);
    snprintf(grid, sizeof(grid), "%ux1x1", repeat);
    bool ok = case_load(&c, &p, repeat > 0 ? grid : NULL, traces, e) &&
              set_grid(&p, &c, d->most_insts, e);
    case_free(&c);
    ok = ok && case_load(&c, &p, p.grid, traces, e);
    if (ok)
        write_points(out, d, &p, most_blocks(&c), rng);
    case_free(&c);
    return ok;
}

bool draw_points(FILE *out, int draw, const char *traces, struct error *e)
{
    const struct draw *d = &draws[draw];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const char *gpu[GPUS_MAX];
    size_t gpus = (size_t)d->gpus;
    bool ok = rng != NULL || error_set(e, STATUS_FAILED, "out of memory");
    if (ok) {
        gsl_rng_set(rng, d->seed);
        draw_gpus(gpu, d, rng);
        fprintf(out, "kernel,gpu,grid,tb,sched\n");
    }
    size_t each = (size_t)d->each;
    for (size_t i = 0; ok && i < each * COUNT(kernels); i++) {
        if (i % gpus == 0)
            gsl_ran_shuffle(rng, gpu, gpus, sizeof(*gpu));
        ok = draw_case(out, d, kernels[i / each].kernel,
                       kernels[i / each].repeat, gpu[i % gpus], traces, rng, e);
    }
    gsl_rng_free(rng);
    return ok;
}
