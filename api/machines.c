/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "api/config_text.h"
#include "calib/calib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IGNORED_MAX 4096

const char *estimate_bundled_gpu(size_t i)
{
    size_t count;
    const char *const *names = gpu_bundled_names(&count);
    return i < count ? names[i] : NULL;
}

static bool load(struct estimate_gpu *g, const char *name_or_path,
                 struct error *e)
{
    char ignored[IGNORED_MAX] = "";
    if (!gpu_load(&g->gpu, name_or_path, ignored, sizeof(ignored), e))
        return false;
    if (ignored[0] != '\0')
        g->ignored = strdup(ignored);
    return ignored[0] == '\0' || g->ignored != NULL || error_no_memory(e);
}

struct estimate_gpu *estimate_gpu_load(const char *name_or_path,
                                       struct estimate_error *out)
{
    struct error e;
    struct estimate_gpu *g = calloc(1, sizeof(*g));
    if (g == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    if (load(g, name_or_path, &e))
        return g;
    tell(out, &e);
    estimate_gpu_free(g);
    return NULL;
}

struct estimate_gpu *estimate_gpu_copy(const struct estimate_gpu *g,
                                       struct estimate_error *out)
{
    struct estimate_gpu *copy = calloc(1, sizeof(*copy));
    if (copy != NULL) {
        copy->gpu = g->gpu;
        copy->dram_clock = g->dram_clock;
        copy->ignored = g->ignored != NULL ? strdup(g->ignored) : NULL;
    }
    if (copy != NULL && (copy->ignored != NULL) == (g->ignored != NULL))
        return copy;
    estimate_gpu_free(copy);
    tell_no_memory(out);
    return NULL;
}

void estimate_gpu_free(struct estimate_gpu *g)
{
    if (g != NULL)
        free(g->ignored);
    free(g);
}

const char *estimate_gpu_name(const struct estimate_gpu *g)
{
    return g->gpu.name;
}

const char *estimate_gpu_summary(const struct estimate_gpu *g)
{
    return g->gpu.summary;
}

const char *estimate_gpu_scheduler(const struct estimate_gpu *g)
{
    return g->gpu.sched;
}

const char *estimate_gpu_ignored(const struct estimate_gpu *g)
{
    return g->ignored != NULL ? g->ignored : "";
}

struct estimate_measured estimate_gpu_measured(const struct estimate_gpu *g)
{
    const struct gpu_measured *m = &g->gpu.measured;
    return (struct estimate_measured){(int)m->kernels, (int)m->held,
                                      m->less_pct, m->more_pct};
}

uint64_t estimate_gpu_hash(const struct estimate_gpu *g)
{
    return gpu_hash(&g->gpu);
}

char *estimate_gpu_config(const struct estimate_gpu *g,
                          struct estimate_error *e)
{
    char *text = config_text(&g->gpu);
    if (text == NULL)
        tell_no_memory(e);
    return text;
}

bool estimate_gpu_check(const struct estimate_gpu *g,
                        struct estimate_error *out)
{
    struct error e;
    return gpu_validate(&g->gpu, &e) || tell(out, &e);
}

int max_blocks(const struct estimate_kernel *k, const struct estimate_gpu *g,
               struct error *e)
{
    const struct kernel *unfit;
    const struct study study = {
        .kernel = k->first, .application = k->application, .gpu = &g->gpu};
    int limit = study_tb_limit(&study, &unfit);
    if (limit == 0)
        occupancy_none_fits(&g->gpu, unfit, e);
    return limit;
}

int estimate_max_blocks(const struct estimate_kernel *k,
                        const struct estimate_gpu *g,
                        struct estimate_error *out)
{
    struct error e;
    int limit = max_blocks(k, g, &e);
    if (limit == 0)
        tell(out, &e);
    return limit;
}

void estimate_occupancy(struct estimate_occupancy *out, size_t size,
                        const struct estimate_kernel *k,
                        const struct estimate_gpu *g)
{
    struct estimate_occupancy known = {0};
    for (size_t i = 0; i < k->info.launches; i++) {
        enum occupancy_limit limit;
        const struct kernel *launch =
            k->application != NULL ? k->application->kernel[i] : k->first;
        int fits = occupancy_blocks(&g->gpu, launch, &limit);
        if (i > 0 && fits > 0 && fits <= known.blocks)
            continue;
        known.blocks = fits;
        known.launch = launch->name;
        known.limit = occupancy_limit_name(limit);
        if (fits == 0)
            break;
    }
    give_struct(out, size, &known, sizeof(known));
}

void estimate_block_occupancy(struct estimate_occupancy *out, size_t size,
                              const struct estimate_gpu *g, uint32_t threads,
                              uint32_t registers, uint64_t shared_bytes)
{
    enum occupancy_limit limit;
    const struct kernel k = {.threads_per_block = threads,
                             .warps_per_block =
                                 (threads + WARP_LANES - 1) / WARP_LANES,
                             .regs_per_thread = registers,
                             .shared_bytes = (uint32_t)shared_bytes};
    struct estimate_occupancy known = {
        .blocks = occupancy_blocks(&g->gpu, &k, &limit), .launch = ""};
    known.limit = occupancy_limit_name(limit);
    give_struct(out, size, &known, sizeof(known));
}
