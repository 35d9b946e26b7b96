/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running studies: options in, results out. */
#include "api/results.h"

#include "base/version.h"
#include "calib/profile_pool.h"

#include <stdlib.h>

static const struct estimate_options default_options = {
    .size = sizeof(default_options),
    .mode = ESTIMATE_HYBRID,
    .error_pct = CALIB_ERROR_PCT,
    .seed = 1,
    .use_cache = true};

void estimate_options_init(struct estimate_options *o, size_t size)
{
    give_struct(o, size, &default_options, sizeof(default_options));
    o->size = size;
}

static bool check_options(const struct estimate_options *o, struct error *e)
{
    if (o->mode < ESTIMATE_MODEL || o->mode > ESTIMATE_DETAILED)
        return error_set(e, STATUS_USAGE, "options: there is no mode %d",
                         (int)o->mode);
    if (!(o->error_pct > 0) || !(o->time_limit_s >= 0) || o->threads < 0)
        return error_set(e, STATUS_USAGE,
                         "options: expected error_pct above 0, time_limit_s "
                         "and threads not below");
    return true;
}

static struct calib_options calib_options_of(const struct estimate_options *o)
{
    static const enum mode modes[] = {[ESTIMATE_MODEL] = MODE_MODEL,
                                      [ESTIMATE_HYBRID] = MODE_HYBRID,
                                      [ESTIMATE_DETAILED] = MODE_DETAILED};
    return (struct calib_options){.mode = modes[o->mode],
                                  .error_pct = o->error_pct,
                                  .budget_insts = o->budget_insts,
                                  .seed = o->seed,
                                  .max_cycles = o->max_cycles,
                                  .time_limit_s = o->time_limit_s,
                                  .threads = o->threads,
                                  .use_cache = o->use_cache,
                                  .refresh = o->refresh,
                                  .explain = o->accounts,
                                  .cache_dir = o->cache_dir,
                                  .store = o->store,
                                  .sources = build_sources,
                                  .pool = (struct profile_pool *)o->profiles,
                                  .cancel = o->cancel};
}

struct estimate_profiles *estimate_profiles_create(struct estimate_error *out)
{
    struct profile_pool *pool = profile_pool_create();
    if (pool == NULL)
        tell_no_memory(out);
    return (struct estimate_profiles *)pool;
}

void estimate_profiles_free(struct estimate_profiles *p)
{
    profile_pool_free((struct profile_pool *)p);
}

/* A run, and who hears of it. */
struct run {
    const struct estimate_options *asked;
    struct calib_options options;
    struct estimate_results *results;
    struct study *study;
    struct study_result *found; /* of each study */
};

static void tell_progress(void *run, int done, int total)
{
    const struct run *r = run;
    if (r->asked->progress != NULL)
        r->asked->progress(r->asked->user, done, total);
}

static void tell_ended(void *run, size_t which)
{
    const struct run *r = run;
    if (r->asked->ended != NULL)
        r->asked->ended(r->asked->user, which);
}

static void tell_known(void *run, size_t which, size_t at)
{
    const struct run *r = run;
    size_t policies = r->results->policies;
    if (r->asked->known == NULL)
        return;
    const struct estimate_point *p = results_take_point(
        r->results, which, at, &r->study[which], &r->found[which], &r->options);
    r->asked->known(r->asked->user, which, at / policies, at % policies, p);
}

_Static_assert((int)ESTIMATE_CONFIRMED == (int)EFFORT_CONFIRMED,
               "efforts are numbered alike");

static bool tell_choose(void *run, unsigned char *effort)
{
    const struct run *r = run;
    for (size_t i = 0; i < r->results->cases; i++)
        for (size_t at = 0;
             at < r->results->at[i].tb_count * r->results->policies; at++)
            results_take_point(r->results, i, at, &r->study[i], &r->found[i],
                               &r->options);
    return r->asked->choose(r->asked->user, r->results, effort);
}

static struct study study_of(const struct estimate_study *s,
                             const struct study_case *c)
{
    return (struct study){.kernel = c->kernel->first,
                          .application = c->kernel->application,
                          .gpu = found_gpu(c),
                          .tb = c->tb,
                          .tb_count = (int)c->tb_count,
                          .policies = s->policy,
                          .policy_count = (int)s->policies,
                          .reference = (int)s->reference};
}

/* Run all cases and take their results over. */
static bool run_cases(struct run *r, const struct estimate_study *s,
                      struct error *e)
{
    r->study = calloc(s->cases + 1, sizeof(*r->study));
    r->found = calloc(s->cases + 1, sizeof(*r->found));
    bool ok = r->study != NULL && r->found != NULL;
    if (!ok)
        error_no_memory(e);
    for (size_t i = 0; ok && i < s->cases; i++)
        r->study[i] = study_of(s, &s->at[i]);
    r->options.user = r;
    r->options.progress = tell_progress;
    r->options.ended = tell_ended;
    r->options.known = tell_known;
    r->options.choose = r->asked->choose != NULL ? tell_choose : NULL;
    ok = ok && calib_studies(r->found, r->study, s->cases, &r->options, e);
    for (size_t i = 0; ok && i < s->cases; i++) {
        results_take(r->results, i, &r->study[i], &r->found[i], &r->options);
        study_result_free(&r->found[i]);
    }
    free(r->study);
    free(r->found);
    return ok;
}

struct estimate_results *estimate_run(const struct estimate_study *s,
                                      const struct estimate_options *options,
                                      struct estimate_error *out)
{
    struct error e;
    struct estimate_options o = default_options;
    if ((options != NULL && !take_struct(&o, sizeof(o), options, &e)) ||
        !check_options(&o, &e)) {
        tell(out, &e);
        return NULL;
    }
    struct run run = {.asked = &o, .options = calib_options_of(&o)};
    /* Kept samples know a policy by its name, which is not all there is to one
     * that a program brings. */
    if (s->registered) {
        run.options.use_cache = false;
        run.options.store = NULL;
    }
    struct estimate_results *r = results_create(s);
    if (r == NULL) {
        tell_no_memory(out);
        return NULL;
    }
    run.results = r;
    run.options.unkept = &r->unkept;
    if (s->cases == 0 || run_cases(&run, s, &e))
        return r;
    tell(out, &e);
    estimate_results_free(r);
    return NULL;
}

/* Of more cases some are looked at in place of all. */
#define EXPECTED_CASES 64

bool estimate_expect(struct estimate_cost *out, size_t size,
                     const struct estimate_study *s,
                     const struct estimate_options *options,
                     struct estimate_error *error)
{
    struct error e;
    struct estimate_options o = default_options;
    struct estimate_cost cost = {0};
    bool ok = (options == NULL || take_struct(&o, sizeof(o), options, &e)) &&
              check_options(&o, &e);
    struct calib_options run = calib_options_of(&o);
    size_t step = s->cases / EXPECTED_CASES + 1;
    for (size_t i = 0; ok && i < s->cases; i += step) {
        const struct study study = study_of(s, &s->at[i]);
        struct study_cost one;
        ok = calib_expect(&one, &study, &run, &e);
        cost.warp_insts += ok ? (double)step * one.insts : 0;
        cost.seconds += ok ? (double)step * one.seconds : 0;
    }
    give_struct(out, size, &cost, sizeof(cost));
    if (!ok)
        tell(error, &e);
    return ok;
}
