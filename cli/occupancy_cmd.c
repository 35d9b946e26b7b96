/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate occupancy: how many warps fit on an SM for every block size, and
 * what there is least of. */
#include "cli/choose.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/grid.h"
#include "cli/header.h"
#include "cli/names.h"
#include "cli/progress.h"
#include "cli/variants.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_STEP 32
#define BLOCK_MOST 1024
#define SIZES      (BLOCK_MOST / BLOCK_STEP)

/* A kernel on a GPU. */
struct occupancy {
    const struct estimate_gpu *gpu;
    const struct estimate_launch_info *launch;
    int warps_most;
};

static int gpu_whole(const struct estimate_gpu *g, const char *key)
{
    return (int)estimate_gpu_get(g, estimate_key_find(key, NULL));
}

struct size {
    int threads, blocks, warps;
    const char *limit;
};

static struct size size_of(const struct occupancy *o, size_t i)
{
    struct estimate_occupancy fit;
    int threads = BLOCK_STEP * ((int)i + 1);
    estimate_block_occupancy(&fit, sizeof(fit), o->gpu, (uint32_t)threads,
                             o->launch->registers, o->launch->shared_bytes);
    return (struct size){threads, fit.blocks, fit.blocks * (threads / 32),
                         fit.limit};
}

static void occupancy_cell(struct cell *out, const void *of, size_t row,
                           size_t column)
{
    static const char *const heading[] = {"block", "blocks", "warps", "share",
                                          "bound by"};
    const struct occupancy *o = of;
    if (row == 0) {
        snprintf(out->text, CELL_MAX, "%s", heading[column]);
        return;
    }
    const struct size s = size_of(o, row - 1);
    const int whole[] = {s.threads, s.blocks, s.warps};
    out->style = s.warps == o->warps_most ? STYLE_BEST : STYLE_PLAIN;
    if (column < 3)
        snprintf(out->text, CELL_MAX, "%d", whole[column]);
    else if (column == 3)
        snprintf(out->text, CELL_MAX, "%.0f %%",
                 100.0 * s.warps / o->warps_most);
    else
        snprintf(out->text, CELL_MAX, "%s", s.limit);
}

static void put_table(const struct page *page, const struct options *options,
                      const struct occupancy *o)
{
    char name[NAME_BYTES], registers[32];
    const struct grid g = {.of = o,
                           .rows = SIZES + 1,
                           .columns = 5,
                           .cell = occupancy_cell,
                           .left = 1u << 4};
    name_text(name, sizeof(name), o->launch->name, options->mangled);
    registers_text(registers, sizeof(registers), o->launch);
    page_put(page, 2,
             "%s on %s: warps on an SM (of %d) with %s registers a thread and "
             "%u bytes of shared memory a block",
             name, estimate_gpu_name(o->gpu), o->warps_most, registers,
             o->launch->shared_bytes);
    grid_put(&g, page);
}

static void put_csv(FILE *f, const struct occupancy *o)
{
    for (size_t i = 0; i < SIZES; i++) {
        const struct size s = size_of(o, i);
        put_csv_text(f, o->launch->name);
        fprintf(f, ",%s,%d,%d,%d,%.4f,%s\n", estimate_gpu_name(o->gpu),
                s.threads, s.blocks, s.warps, (double)s.warps / o->warps_most,
                s.limit);
    }
}

static void put_all(const struct options *o, const struct estimate_input *in,
                    const struct gpu_list *gpus)
{
    bool csv = strcmp(o->format->name, "csv") == 0;
    const struct page page =
        page_open(stdout, o->color, strcmp(o->format->name, "markdown") == 0);
    if (csv)
        fputs("kernel,gpu,block,blocks,warps,occupancy,bound_by\n", stdout);
    for (size_t k = 0; k < estimate_input_kernels(in); k++)
        for (size_t g = 0; g < gpus->count; g++) {
            const struct occupancy one = {
                .gpu = gpus->gpu[g],
                .launch =
                    estimate_kernel_launch(estimate_input_kernel(in, k), 0),
                .warps_most = gpu_whole(gpus->gpu[g], "sm.max_warps")};
            if (csv)
                put_csv(stdout, &one);
            else
                put_table(&page, o, &one);
        }
}

/* Its code is enough: neither grid nor arguments matter. */
static struct estimate_input *load(const struct options *o,
                                   const struct gpu_list *gpus,
                                   struct estimate_error *e)
{
    enum estimate_input_kind kind;
    struct estimate_launch with = o->launch;
    with.code_only = true;
    with.arch = gpu_whole(gpus->gpu[0], "arch");
    if (!estimate_input_kind(&kind, o->input[0], e))
        return NULL;
    if (kind == ESTIMATE_PTX && with.block.x == 0)
        with.grid = with.block = (struct estimate_dim){1, 1, 1};
    return estimate_input_load(o->input[0], &with, e);
}

static bool has_format(const struct options *o)
{
    static const char *const known[] = {"table", "csv", "markdown"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(o->format->name, known[i]) == 0)
            return true;
    return false;
}

int run_occupancy(const struct options *o, struct estimate_error *e)
{
    struct gpu_list gpus = {0};
    struct estimate_input *in = NULL;
    if (o->inputs != 1) {
        fail(e, ESTIMATE_USAGE, "occupancy: expected one INPUT, found %zu",
             o->inputs);
        return ESTIMATE_USAGE;
    }
    if (!has_format(o)) {
        fail(e, ESTIMATE_USAGE,
             "occupancy: --format %s: expected table, csv or markdown",
             o->format->name);
        return ESTIMATE_USAGE;
    }
    char *notes = NULL;
    size_t size;
    FILE *f = open_memstream(&notes, &size);
    bool ok = f != NULL ? gpus_load(&gpus, o, f, e) : fail_no_memory(e);
    if (f != NULL)
        fclose(f);
    if (ok)
        print_lines("note", notes);
    free(notes);
    in = ok ? load(o, &gpus, e) : NULL;
    if (in != NULL)
        put_all(o, in, &gpus);
    gpus_free(&gpus);
    estimate_input_free(in);
    return in != NULL ? ESTIMATE_OK : e->status;
}
