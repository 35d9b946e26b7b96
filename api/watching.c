/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/handles.h"

#include "calib/over_time.h"

struct told {
    const struct estimate_watcher *to;
    const struct study *study;
};

static void tell_interval(void *user, const struct interval *i)
{
    const struct told *t = user;
    const struct estimate_interval out = {
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
    t->to->interval(t->to->user, &out);
}

static const char *kernel_name(const struct study *s, int index)
{
    return s->application != NULL ? s->application->kernel[index]->name
                                  : s->kernel->name;
}

static bool tell_state(void *user, const struct sampler_state *s)
{
    const struct told *t = user;
    const char *stalled[MAX_SCHEDULERS];
    for (int i = 0; i < s->schedulers; i++)
        stalled[i] = stall_names[s->stalled[i]];
    const struct estimate_moment out = {.from = s->from,
                                        .to = s->to,
                                        .sm = s->sm,
                                        .kernel =
                                            kernel_name(t->study, s->kernel),
                                        .slots = s->slots,
                                        .schedulers = s->schedulers,
                                        .live = s->live,
                                        .issued = s->issued,
                                        .at_barrier = s->at_barrier,
                                        .waits_memory = s->waits_memory,
                                        .waits_alu = s->waits_alu,
                                        .ready = s->ready,
                                        .block = s->block,
                                        .warp = s->warp,
                                        .phase = s->phase,
                                        .stalled = stalled};
    return t->to->moment(t->to->user, &out);
}

static bool watch(const struct estimate_study *s,
                  const struct estimate_watcher *w, struct error *e)
{
    const struct study_case *c = &s->at[0];
    const struct study study = {.kernel = c->kernel->first,
                                .application = c->kernel->application,
                                .gpu = found_gpu(c),
                                .tb = c->tb,
                                .tb_count = 1,
                                .policies = s->policy,
                                .policy_count = 1};
    struct told told = {w, &study};
    return over_time(&study,
                     &(struct watcher){
                         .user = &told,
                         .cancel = w->cancel,
                         .period = w->interval != NULL ? w->period : 0,
                         .interval = tell_interval,
                         .sm = w->sm,
                         .state = w->moment != NULL ? tell_state : NULL,
                     },
                     e);
}

static const struct estimate_watcher nobody = {.sm = -1};

void estimate_watcher_init(struct estimate_watcher *w, size_t size)
{
    give_struct(w, size, &nobody, sizeof(nobody));
    w->size = size;
}

bool estimate_watch(const struct estimate_study *s,
                    const struct estimate_watcher *w,
                    struct estimate_error *out)
{
    struct error e;
    struct estimate_watcher all = nobody;
    if (s->cases != 1 || s->policies != 1 || s->at[0].tb_count != 1 ||
        (w->interval != NULL && w->period == 0)) {
        error_set(&e, STATUS_USAGE,
                  "watch: expected a study of one point, and a period");
        return tell(out, &e);
    }
    return (take_struct(&all, sizeof(all), w, &e) && watch(s, &all, &e)) ||
           tell(out, &e);
}

bool estimate_over_time(const struct estimate_study *s, uint64_t period,
                        const volatile int *cancel,
                        void (*each)(void *user,
                                     const struct estimate_interval *i),
                        void *user, struct estimate_error *e)
{
    struct estimate_watcher w;
    estimate_watcher_init(&w, sizeof(w));
    w.user = user;
    w.cancel = cancel;
    w.period = period;
    w.interval = each;
    return estimate_watch(s, &w, e);
}
