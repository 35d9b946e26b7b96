/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_truth.h"

#include "bench/accuracy_case.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1 };

/* ---- points in random order --------------------------------------------- */

/* Those that are known, or those that are not; the caller frees *out. */
static bool shuffled(size_t **out, size_t *count,
                     const struct accuracy_points *p, bool known,
                     struct error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    *out = calloc(p->count + 1, sizeof(**out));
    *count = 0;
    bool ok = rng != NULL && *out != NULL;
    for (size_t i = 0; ok && i < p->count; i++)
        if (isnan(p->point[i].cycles) != known)
            (*out)[(*count)++] = i;
    if (ok && *count > 1) {
        gsl_rng_set(rng, SEED);
        gsl_ran_shuffle(rng, *out, *count, sizeof(**out));
    }
    gsl_rng_free(rng);
    return ok || error_set(e, STATUS_FAILED, "out of memory");
}

static bool run_point(struct accuracy_point *p, const char *traces,
                      struct error *e)
{
    const struct calib_options o = {.mode = MODE_DETAILED, .threads = 1};
    struct accuracy_case c;
    struct study_result r;
    bool ok = case_load(&c, p, p->grid, traces, e) && case_study(&c, p, 1, e) &&
              calib_study(&r, &c.study, &o, e);
    if (ok) {
        p->cycles = r.result[0].cycles;
        p->warp_insts = r.result[0].warp_insts;
        study_result_free(&r);
    }
    case_free(&c);
    return ok;
}

/* ---- the hash of the sources -------------------------------------------- */

static void sources_path(char *out, size_t size, const struct truth *t)
{
    snprintf(out, size, "%s.sources", t->path);
}

static bool sources_are_todays(const struct truth *t)
{
    char path[1024], kept[128] = "";
    sources_path(path, sizeof(path), t);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    bool equal = fscanf(f, "%127s", kept) == 1 && strcmp(kept, t->sources) == 0;
    fclose(f);
    return equal;
}

static bool keep_sources(const struct truth *t, struct error *e)
{
    char path[1024];
    sources_path(path, sizeof(path), t);
    FILE *f = fopen(path, "w");
    bool ok = f != NULL && fprintf(f, "%s\n", t->sources) > 0;
    ok = (f == NULL || fclose(f) == 0) && ok;
    return ok || error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
}

/* ---- the table ---------------------------------------------------------- */

struct running {
    const struct truth *truth;
    struct accuracy_points *points;
    const size_t *order;
    size_t count;
    bool ok;
    struct error *e;
};

/* Run one of them and keep it, unless another one has failed. */
static void run_one(struct running *r, size_t i)
{
    struct accuracy_point *p = &r->points->point[r->order[i]];
    struct error e;
    bool goes_on, ran;
#pragma omp critical
    goes_on = r->ok;
    if (!goes_on)
        return;
    ran = run_point(p, r->truth->traces, &e);
#pragma omp critical
    {
        fprintf(stderr, "%zu of %zu: %s on %s, %s, %d, %s\n", i + 1, r->count,
                p->kernel, p->gpu, p->grid, p->tb, p->sched);
        if (r->ok && (!ran || !truth_append(r->truth->path, p, &e))) {
            *r->e = e;
            r->ok = false;
        }
    }
}

bool truth_run(const struct truth *t, struct accuracy_points *p, int threads,
               struct error *e)
{
    size_t *order, count;
    bool ok = shuffled(&order, &count, p, false, e) && keep_sources(t, e);
    struct running r = {t, p, order, ok ? count : 0, ok, e};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < r.count; i++)
        run_one(&r, i);
    free(order);
    return r.ok;
}

/* Run up to `vouch` known points again: *equal gets whether all take the same
 * cycles. */
static bool run_again(const struct truth *t, struct accuracy_points *p,
                      int vouch, bool *equal, struct error *e)
{
    size_t *order, count;
    bool ok = shuffled(&order, &count, p, true, e);
    *equal = ok && count > 0;
    for (size_t i = 0; ok && *equal && i < count && i < (size_t)vouch; i++) {
        struct accuracy_point again = p->point[order[i]];
        ok = run_point(&again, t->traces, e);
        *equal = ok && again.cycles == p->point[order[i]].cycles;
        fprintf(stderr, "%s on %s, %s, %d, %s: %.0f cycles, %s\n", again.kernel,
                again.gpu, again.grid, again.tb, again.sched, again.cycles,
                *equal ? "as kept" : "kept are others");
    }
    free(order);
    return ok;
}

static void give_up(const struct truth *t, struct accuracy_points *p)
{
    fprintf(stderr, "%s: no longer the truth\n", t->path);
    remove(t->path);
    for (size_t i = 0; i < p->count; i++)
        p->point[i].cycles = p->point[i].warp_insts = NAN;
}

bool truth_check(const struct truth *t, struct accuracy_points *p, int vouch,
                 struct error *e)
{
    bool equal, any = false;
    for (size_t i = 0; i < p->count; i++)
        any = any || !isnan(p->point[i].cycles);
    if (!any || sources_are_todays(t))
        return true;
    fprintf(stderr, "%s: of other sources; %d points again\n", t->path, vouch);
    if (!run_again(t, p, vouch, &equal, e))
        return false;
    if (equal)
        return keep_sources(t, e);
    give_up(t, p);
    return true;
}
