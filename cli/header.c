/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/header.h"

#include <stdio.h>
#include <string.h>

/* Registers counted by us, not by an assembler or by who launched it. */
static bool is_guess(const struct estimate_launch_info *l)
{
    return strncmp(l->registers_from, "liveness", strlen("liveness")) == 0;
}

void registers_text(char *out, size_t size,
                    const struct estimate_launch_info *l)
{
    out[0] = '\0';
    if (l->registers > 0)
        snprintf(out, size, "%s%u", is_guess(l) ? "~" : "", l->registers);
}

static void dim_text(char *out, size_t size, struct estimate_dim d)
{
    out[0] = '\0';
    if (d.z > 1)
        snprintf(out, size, " (%ux%ux%u)", d.x, d.y, d.z);
    else if (d.y > 1)
        snprintf(out, size, " (%ux%u)", d.x, d.y);
}

static void launch_text(FILE *f, const struct estimate_launch_info *l)
{
    char grid[48], block[48], registers[32];
    dim_text(grid, sizeof(grid), l->grid);
    dim_text(block, sizeof(block), l->block);
    registers_text(registers, sizeof(registers), l);
    fprintf(f, "%llu block%s%s of %u threads%s", (unsigned long long)l->blocks,
            l->blocks == 1 ? "" : "s", grid, l->threads_per_block, block);
    if (registers[0] != '\0')
        fprintf(f, ", %s registers", registers);
    if (l->registers_from[0] != '\0')
        fprintf(f, " (%s)", l->registers_from);
    if (l->shared_bytes > 0)
        fprintf(f, ", %u bytes shared", l->shared_bytes);
}

void case_facts(char *out, size_t size, const struct plan_case *c)
{
    const struct estimate_kernel_info *info = estimate_kernel_info(c->kernel);
    struct estimate_occupancy fit;
    out[0] = '\0';
    FILE *f = fmemopen(out, size, "w");
    if (f == NULL)
        return;
    estimate_occupancy(&fit, sizeof(fit), c->kernel, c->variant->gpu);
    if (info->application)
        fprintf(f, "%zu launches", info->launches);
    else
        launch_text(f, estimate_kernel_launch(c->kernel, 0));
    fprintf(f, "; %d fit%s on an SM (%s)", c->tb_limit,
            c->tb_limit == 1 ? "s" : "", fit.limit);
    fclose(f);
    out[size - 1] = '\0';
}
