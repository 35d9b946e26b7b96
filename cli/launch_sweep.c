/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launch_sweep.h"

#include <stdlib.h>
#include <string.h>

uint64_t launch_combinations(const struct options *o)
{
    uint64_t n = 1;
    for (size_t i = 0; i < o->sweeps; i++)
        if (o->sweep[i].launch != LAUNCH_NONE)
            n = saturating_product(n, o->sweep[i].count);
    return n;
}

static int oldest_arch(const struct plan *p)
{
    const struct estimate_key *key = estimate_key_find("arch", NULL);
    int oldest = 0;
    bool all = p->next == p->designs; /* else none is swept */
    size_t count = all ? p->variants : p->gpus.count;
    for (size_t i = 0; i < count; i++) {
        int arch = (int)estimate_gpu_get(
            all ? p->variant[i].gpu : p->gpus.gpu[i], key);
        if (i == 0 || arch < oldest)
            oldest = arch;
    }
    return oldest;
}

static void note_launches(FILE *notes, const struct estimate_input *in)
{
    for (size_t k = 0; k < estimate_input_kernels(in); k++) {
        const struct estimate_kernel *kernel = estimate_input_kernel(in, k);
        const struct estimate_launch_info *l;
        for (size_t i = 0; (l = estimate_kernel_launch(kernel, i)); i++)
            if (l->note != NULL)
                fprintf(notes, "%s\n", l->note);
    }
}

/* The kernels of an input, all launched with these values. */
static bool add_kernels(struct plan *p, const struct estimate_input *in,
                        const struct launched *with, struct estimate_error *e)
{
    size_t count = p->kernels + estimate_input_kernels(in);
    void *kernels = realloc(p->kernel, count * sizeof(*p->kernel));
    if (kernels != NULL)
        p->kernel = kernels;
    void *launched = realloc(p->launched, count * sizeof(*p->launched));
    if (launched != NULL)
        p->launched = launched;
    if (kernels == NULL || launched == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; p->kernels < count; i++, p->kernels++) {
        p->kernel[p->kernels] = estimate_input_kernel(in, i);
        p->launched[p->kernels] = *with;
    }
    return true;
}

/* Combination `index` of the swept values: a number in mixed radix. */
static void combination(struct launched *out, const struct options *o,
                        uint64_t index)
{
    for (size_t i = o->sweeps; i-- > 0;) {
        const struct sweep *s = &o->sweep[i];
        if (s->launch == LAUNCH_NONE)
            continue;
        out->value[s->launch] = sweep_value(s, index % s->count);
        index /= s->count;
    }
}

/* --threads keeps the threads of the grid, whatever a block has. */
static void apply(struct estimate_launch *l, const struct plan *p,
                  const struct options *o, const struct launched *with)
{
    for (size_t i = 0; i < p->launch_keys; i++) {
        double value = with->value[p->launch_key[i]];
        if (p->launch_key[i] == LAUNCH_BLOCK)
            l->block = (struct estimate_dim){(uint32_t)value, 1, 1};
        else if (p->launch_key[i] == LAUNCH_REGS)
            l->registers = (uint32_t)value;
        else
            l->shared_bytes = (int64_t)value;
    }
    if (o->grid_threads > 0 && l->block.x > 0) {
        uint64_t block = (uint64_t)l->block.x * (l->block.y ? l->block.y : 1) *
                         (l->block.z ? l->block.z : 1);
        l->grid = (struct estimate_dim){
            (uint32_t)((o->grid_threads + block - 1) / block), 1, 1};
    }
}

static bool load(struct plan *p, const char *input, const struct options *o,
                 const struct launched *with, FILE *notes,
                 struct estimate_error *e)
{
    struct estimate_launch launch = o->launch;
    launch.arch = oldest_arch(p);
    apply(&launch, p, o, with);
    struct estimate_input *in = estimate_input_load(input, &launch, e);
    if (in == NULL)
        return false;
    p->input[p->inputs++] = in;
    note_launches(notes, in);
    return add_kernels(p, in, with, e);
}

static bool check_threads(const struct options *o, struct estimate_error *e)
{
    bool block = o->launch.block.x > 0;
    for (size_t i = 0; i < o->sweeps; i++)
        block |= o->sweep[i].launch == LAUNCH_BLOCK;
    if (o->grid_threads > 0 && o->launch.grid.x > 0)
        return fail(e, ESTIMATE_USAGE,
                    "--threads: found --grid with it, expected one of them");
    if (o->grid_threads == 0 || block)
        return true;
    return fail(e, ESTIMATE_USAGE,
                "--threads: expected --block or --sweep block= with it");
}

bool launches_load(struct plan *p, const char *const *input, size_t count,
                   const struct options *o, FILE *notes,
                   struct estimate_error *e)
{
    uint64_t combinations = launch_combinations(o);
    for (size_t i = 0; i < o->sweeps; i++)
        if (o->sweep[i].launch != LAUNCH_NONE)
            p->launch_key[p->launch_keys++] = o->sweep[i].launch;
    p->input = calloc(count * combinations, sizeof(*p->input));
    if (p->input == NULL)
        return fail_no_memory(e);
    if (!check_threads(o, e))
        return false;
    for (size_t i = 0; i < count; i++)
        for (uint64_t c = 0; c < combinations; c++) {
            struct launched with = {{0}};
            combination(&with, o, c);
            if (!load(p, input[i], o, &with, notes, e))
                return false;
        }
    return true;
}
