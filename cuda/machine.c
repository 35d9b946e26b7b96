/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/machine.h"

#include <stdlib.h>

int machine_arch(const struct machine *m)
{
    return (int)estimate_gpu_get(m->gpu, estimate_key_find("arch", NULL));
}

void machine_launch(const struct machine *m, struct machine_launch *out)
{
    estimate_launch_init(&out->launch, sizeof(out->launch));
    out->launch.arch = machine_arch(m);
    if (estimate_ptxas_find(out->ptxas, sizeof(out->ptxas),
                            getenv("ESTIMATE_PTXAS"), getenv("PATH")))
        out->launch.ptxas = out->ptxas;
}
