/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_run.h"

#include "cli/exploration.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/names.h"
#include "cli/progress.h"

struct watch {
    const struct plan *plan;
    const struct options *options;
    bool prints;        /* points, on standard output, which is free for them */
    bool counts_points; /* for progress, or samples */
    struct progress progress;
    struct exploration exploration;
};

static void sample_ended(void *watch, size_t which)
{
    struct watch *w = watch;
    char name[NAME_BYTES];
    name_text(name, sizeof(name), case_kernel(&w->plan->at[which]),
              w->options->mangled);
    progress_draw(&w->progress, name);
}

static void point_known(void *watch, size_t which, size_t tb, size_t policy,
                        const struct estimate_point *point)
{
    struct watch *w = watch;
    const struct plan_case *c = &w->plan->at[which];
    const struct format *format = w->options->format;
    const struct row row = {point, c};
    w->progress.done += w->counts_points;
    sample_ended(w, which);
    bool asked =
        (int)tb < c->shown_tbs && (int)policy < w->plan->shown_policies;
    bool cut = point->partial && *interrupt_flag() != 0;
    if (w->prints && asked && !cut) {
        format->write_point(stdout, w->plan, &row);
        fflush(stdout);
    }
}

/* Points of an exploration are known at its end: samples show how far it is. */
static void sample_counted(void *watch, int done, int total)
{
    struct watch *w = watch;
    w->progress.done = (size_t)done;
    w->progress.total = (size_t)total;
}

static bool choose(void *watch, const struct estimate_results *results,
                   unsigned char *effort)
{
    struct watch *w = watch;
    return exploration_choose(&w->exploration, results, effort);
}

static size_t point_count(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->cases; i++)
        n += (size_t)p->at[i].tb_count * p->policies.count;
    return n;
}

static struct estimate_options run_options(const struct options *o,
                                           struct watch *w)
{
    struct estimate_options run = o->run;
    run.threads = (int)o->threads;
    run.use_cache = !o->no_cache;
    run.accounts = o->verbose;
    run.refresh = o->command == COMMAND_CALIBRATE;
    run.cancel = interrupt_flag();
    run.ended = sample_ended;
    run.known = point_known;
    if (!w->counts_points) {
        run.choose = choose;
        run.progress = sample_counted;
    }
    run.user = w;
    return run;
}

struct estimate_results *plan_run(const struct plan *p, const struct options *o,
                                  double *wall_s, struct estimate_error *e)
{
    struct watch w = {.plan = p,
                      .options = o,
                      .prints = o->format->write_point != NULL &&
                                o->command != COMMAND_RUN,
                      .counts_points = !exploration_asked(o, p),
                      .exploration = {.options = o, .plan = p, .error = e}};
    struct estimate_study *study = plan_study(p, e);
    if (study == NULL)
        return NULL;
    progress_start(&w.progress, w.counts_points ? "points" : "samples",
                   point_count(p));
    const struct estimate_options run = run_options(o, &w);
    struct estimate_results *results = estimate_run(study, &run, e);
    progress_end(&w.progress);
    if (w.exploration.failed) {
        estimate_results_free(results);
        results = NULL;
    }
    estimate_study_free(study);
    if (wall_s != NULL)
        *wall_s = estimate_clock() - w.progress.start_s;
    return results;
}
