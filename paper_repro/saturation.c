/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/saturation.h"

#include "kernels/load.h"

#include <string.h>

#define SCHEDULER "gto"

const char *saturation_gpu(const struct view *v, enum perfsat_board board)
{
    if (board == FERMI)
        return v->gpu;
    return strcmp(v->gpu, "m2090-gsim") == 0 ? "k20x-gsim" : "k20x";
}

double saturation_speedup(const struct saturation *s, int n, int m)
{
    return (double)s->run[m]->counts.cycles / (double)s->run[n]->counts.cycles;
}

double saturation_scoreboard(const struct saturation *s, int n)
{
    const double *stall = s->run[n]->result.stall;
    return stall[STALL_SB_MEM] + stall[STALL_SB_ALU];
}

double saturation_pipeline(const struct saturation *s, int n)
{
    const double *stall = s->run[n]->result.stall;
    return stall[STALL_PIPE_MEM] + stall[STALL_PIPE_ALU];
}

static int blocks_that_fit(const char *gpu, const char *kernel, struct error *e)
{
    struct gpu g;
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!gpu_load(&g, gpu, NULL, 0, e) || !kernel_load(&list, kernel, &load, e))
        return 0;
    int blocks = occupancy_blocks(&g, list.kernel[0], NULL);
    kernel_list_free(&list);
    return blocks < SATURATION_BLOCKS ? blocks : SATURATION_BLOCKS;
}

static bool gains(const struct saturation *s, int n)
{
    return saturation_speedup(s, n + 1, n) - 1 >= SATURATION_GAIN;
}

static void classify(struct saturation *s)
{
    s->best = s->last_best = 1;
    while (s->best < s->max && gains(s, s->best))
        s->best++;
    for (int n = 1; n < s->max; n++)
        if (gains(s, n))
            s->last_best = n + 1;
    if (s->best == s->max)
        s->class = C_STRONG;
    else if (saturation_speedup(s, s->max, s->best) < 1 - SATURATION_FALL)
        s->class = MEM;
    else
        s->class = C_WEAK;
}

bool saturation_sweep(struct saturation *out, const struct view *v,
                      const char *gpu, const char *kernel, struct error *e)
{
    *out = (struct saturation){.max = blocks_that_fit(gpu, kernel, e)};
    for (int n = 1; n <= out->max; n++) {
        const struct point p = {
            .kernel = kernel, .gpu = gpu, .policies = SCHEDULER, .blocks = n};
        out->run[n] = view_run(v, &p, e);
        if (out->run[n] == NULL)
            return false;
    }
    if (out->max > 0)
        classify(out);
    return out->max > 0;
}

bool saturation_search(struct saturation_search *out, const struct view *v,
                       const char *gpu, const char *kernel, struct error *e)
{
    struct gpu g;
    bool full = lab_window(v->lab) == WINDOW_FULL;
    struct point p = {.kernel = kernel,
                      .gpu = gpu,
                      .policies = SCHEDULER "/perfsat",
                      .window = full ? WINDOW_FULL : WINDOW_LONG};
    const struct sampler_run *search = view_run(v, &p, e);
    p.policies = SCHEDULER;
    const struct sampler_run *most = view_run(v, &p, e);
    if (search == NULL || most == NULL || !gpu_load(&g, gpu, NULL, 0, e))
        return false;
    *out = (struct saturation_search){.max = blocks_that_fit(gpu, kernel, e),
                                      .blocks = search->search.blocks,
                                      .settled = search->search.settled,
                                      .sms = full ? g.sms : QUICK_SMS,
                                      .speedup = (double)most->counts.cycles /
                                                 (double)search->counts.cycles};
    return out->max > 0;
}
