/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "calib/over_time.h"

#include <stdlib.h>

static struct estimate_interval public_interval(const struct interval *i)
{
    return (struct estimate_interval){
        .from = i->from,
        .to = i->to,
        .warp_insts = i->warp_insts,
        .ipc = i->ipc,
        .stall = {.issued = i->stall[STALL_ISSUED],
                  .idle = i->stall[STALL_IDLE],
                  .sb_mem = i->stall[STALL_SB_MEM],
                  .sb_alu = i->stall[STALL_SB_ALU],
                  .pipe_mem = i->stall[STALL_PIPE_MEM],
                  .pipe_alu = i->stall[STALL_PIPE_ALU]},
        .l1_miss = i->l1_miss,
        .l2_miss = i->l2_miss,
        .dram_gbps = i->dram_gbps,
        .resident_warps = i->resident_warps};
}

bool estimate_over_time(const struct estimate_study *s, uint64_t period,
                        const volatile int *cancel,
                        void (*each)(void *user,
                                     const struct estimate_interval *i),
                        void *user, struct estimate_error *out)
{
    struct error e;
    size_t count = 0;
    if (s->cases != 1 || s->policies != 1 || s->at[0].tb_count != 1 ||
        period == 0) {
        error_set(&e, STATUS_USAGE,
                  "over time: expected a study of one point and a period");
        return tell(out, &e);
    }
    const struct study_case *c = &s->at[0];
    const struct study study = {.kernel = c->kernel->first,
                                .application = c->kernel->application,
                                .gpu = &c->gpu->gpu,
                                .tb = c->tb,
                                .tb_count = 1,
                                .policies = s->policy,
                                .policy_count = 1};
    struct interval *list = over_time(&study, period, cancel, &count, &e);
    if (list == NULL)
        return tell(out, &e);
    for (size_t i = 0; i < count; i++) {
        const struct estimate_interval told = public_interval(&list[i]);
        each(user, &told);
    }
    free(list);
    return true;
}
