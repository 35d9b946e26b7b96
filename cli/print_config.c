/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --print-config: the GPU in the syntax of a configuration file. Several GPUs
 * cannot be one such file, so it wants exactly one. */
#include "cli/commands.h"
#include "cli/options_table.h"
#include "cli/points.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_launch(const struct estimate_launch_info *l)
{
    bool told = l->registers_from[0] != '\0';
    printf("# kernel %s: grid %u,%u,%u block %u,%u,%u regs %u%s%s%s shared "
           "%u\n",
           l->name, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y,
           l->block.z, l->registers, told ? " (" : "", l->registers_from,
           told ? ")" : "", l->shared_bytes);
}

static void print_kernel(const struct estimate_kernel *k)
{
    const struct estimate_kernel_info *info = estimate_kernel_info(k);
    const struct estimate_launch_info *l;
    if (info->application)
        printf("# application %s: %zu launches\n", info->name, info->launches);
    for (size_t i = 0; (l = estimate_kernel_launch(k, i)) != NULL; i++)
        print_launch(l);
}

static void print_run(const struct options *o, const struct plan *p)
{
    const struct estimate_options *run = &o->run;
    printf("# mode %s, error %g %%, budget %" PRIu64 ", seed %" PRIu64 "\n",
           mode_names[run->mode], run->error_pct, run->budget_insts, run->seed);
    printf("# sched %s, tb-sched %s, l1-policy %s\n", o->sched, o->tb_sched,
           o->l1_policy);
    printf("# max-cycles %" PRIu64 ", time-limit %g s, threads %" PRIu64
           " (0: none, none, all)\n",
           run->max_cycles, run->time_limit_s, o->threads);
    for (size_t i = 0; i < o->sweeps; i++)
        printf("# sweep %s\n", o->sweep[i].text);
    for (size_t i = 0; i < o->settings; i++)
        printf("# set %s\n", o->setting[i]);
    for (size_t i = 0; i < p->kernels; i++)
        print_kernel(p->kernel[i]);
}

int print_config(const struct options *o, const struct plan *p,
                 struct estimate_error *e)
{
    if (p->variants != 1) {
        fail(e, ESTIMATE_USAGE, "--print-config: expected one GPU, found %zu",
             p->variants);
        return ESTIMATE_USAGE;
    }
    char *config = estimate_gpu_config(p->variant[0].gpu, e);
    if (config == NULL)
        return e->status;
    print_run(o, p);
    fputs(config, stdout);
    free(config);
    return ESTIMATE_OK;
}
