/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/points.h"

const char *case_kernel(const struct plan_case *c)
{
    return estimate_kernel_info(c->kernel)->name;
}

const char *case_gpu(const struct plan_case *c)
{
    return estimate_gpu_name(c->variant->gpu);
}

const struct estimate_launch_info *case_registers(const struct plan_case *c)
{
    const struct estimate_launch_info *l = estimate_kernel_launch(c->kernel, 0);
    bool told = !estimate_kernel_info(c->kernel)->application &&
                l->registers_from[0] != '\0';
    return told ? l : NULL;
}
