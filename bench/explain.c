/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The what-ifs of `estimate explain` against full detail: for every bundled
 * kernel of one launch on three GPUs a fixed random draw of the changes that
 * explain tries, each at the grid's beginning. Full detail is kept.
 *
 *     explain [--csv FILE] [--half development|judging|both] [--hybrid 0|1]
 *             [--run 0|1] */
#include "base/hash.h"
#include "bench/accuracy_case.h"
#include "bench/accuracy_draw.h"
#include "bench/explain_changes.h"
#include "cli/points.h"
#include "cli/what_if.h"
#include "cli/what_if_list.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 14, DRAWN = 5 };

/* Grids are cut to about so many warp instructions. */
#define MOST_INSTS 1e6

static const char *const gpus[] = {"m2090", "v100", "rtx3090"};
#define GPUS (sizeof(gpus) / sizeof(gpus[0]))

struct arguments {
    const char *csv;
    bool development, judging, hybrid, run;
};

/* ---- the draw ----------------------------------------------------------- */

/* Of the schedulers one, then of all changes some; the others are dropped. */
static void draw(struct what_if_list *l, gsl_rng *rng)
{
    size_t scheds = 0, n = 0, keep = 0, taken = 0;
    for (size_t i = 0; i < l->count; i++)
        scheds += l->item[i].sched != NULL;
    keep = scheds > 0 ? gsl_rng_uniform_int(rng, scheds) : 0;
    for (size_t i = 0, s = 0; i < l->count; i++)
        if (l->item[i].sched == NULL || s++ == keep)
            l->item[n++] = l->item[i];
    l->count = n;
    for (size_t i = 0; i < n; i++) {
        size_t left = n - i, want = DRAWN - taken;
        if (gsl_rng_uniform_int(rng, left) < want) {
            l->item[taken++] = l->item[i];
            continue;
        }
        estimate_input_free(l->item[i].input);
        estimate_gpu_free(l->item[i].gpu);
    }
    l->count = taken;
}

/* ---- a kernel on a GPU --------------------------------------------------- */

struct subject {
    const char *kernel, *gpu;
    char grid[CHANGE_NAME];
    bool development;
};

static bool fail_with(struct error *e, const struct estimate_error *why)
{
    return error_set(e, STATUS_FAILED, "%s", why->text);
}

/* Estimates by the model alone and as explain makes them. */
static bool predict(double *model, struct what_if_list *l, const struct plan *p,
                    struct options *o, const struct arguments *a,
                    struct estimate_error *e)
{
    o->run.mode = ESTIMATE_HYBRID;
    if (a->hybrid && !what_if_estimate(l, p, o, e))
        return false;
    struct what_if *said = calloc(l->count + 1, sizeof(*said));
    if (said == NULL)
        return fail_no_memory(e);
    memcpy(said, l->item, l->count * sizeof(*said));
    o->run.mode = ESTIMATE_MODEL;
    bool ok = what_if_estimate(l, p, o, e);
    for (size_t i = 0; i < l->count; i++) {
        model[i] = l->item[i].pct;
        l->item[i] = said[i];
    }
    free(said);
    return ok;
}

static bool run_change(struct change *c, double *before_us,
                       const struct what_if *w, const struct plan *p,
                       const struct options *o, struct estimate_error *e)
{
    if (isnan(*before_us) && !what_if_detail(before_us, NULL, p, o, e))
        return false;
    c->before_us = *before_us;
    return what_if_detail(&c->after_us, w, p, o, e);
}

static struct change change_of(const struct subject *s, const struct plan *p,
                               const struct what_if *w, double model)
{
    struct change c = {.tb = p->at[0].tb[0],
                       .before_us = NAN,
                       .after_us = NAN,
                       .model = model,
                       .hybrid = w->pct,
                       .lo = w->lo,
                       .hi = w->hi,
                       .whole = w->lo >= w->hi,
                       .development = s->development};
    snprintf(c.kernel, CHANGE_NAME, "%s", s->kernel);
    snprintf(c.gpu, CHANGE_NAME, "%s", s->gpu);
    snprintf(c.grid, CHANGE_NAME, "%s", s->grid);
    snprintf(c.key, CHANGE_NAME, "%s", w->key);
    snprintf(c.value, CHANGE_NAME, "%s", w->value);
    return c;
}

static bool take_changes(struct changes *out, const struct changes *known,
                         const struct subject *s, struct what_if_list *l,
                         const struct plan *p, struct options *o,
                         const struct arguments *a, struct estimate_error *e)
{
    double model[DRAWN], before_us = NAN;
    struct error why;
    if (!predict(model, l, p, o, a, e))
        return false;
    for (size_t i = 0; i < l->count; i++) {
        struct change c = change_of(s, p, &l->item[i], model[i]);
        const struct change *kept = changes_find(known, &c);
        if (kept != NULL) {
            c.before_us = before_us = kept->before_us;
            c.after_us = kept->after_us;
        } else if (a->run &&
                   !run_change(&c, &before_us, &l->item[i], p, o, e)) {
            return false;
        }
        if (!isnan(c.after_us) && !changes_add(out, &c, &why))
            return fail_no_memory(e);
    }
    return true;
}

static bool take_subject(struct changes *out, const struct changes *known,
                         const struct subject *s, const struct arguments *a,
                         struct error *e)
{
    char sides[CHANGE_NAME];
    char *argv[] = {"estimate", "explain", "--no-cache",   "-j",
                    "1",        "--gpu",   (char *)s->gpu, (char *)s->kernel,
                    "--grid",   sides};
    int argc = strcmp(s->grid, "own") == 0 ? 8 : 10;
    snprintf(sides, sizeof(sides), "%s", s->grid);
    for (char *at = sides; *at != '\0'; at++)
        *at = *at == ':' ? ',' : *at;
    struct options o;
    struct plan p = {0};
    struct what_if_list l = {0};
    struct estimate_error why;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t seed = hash_bytes(SEED, s->kernel, strlen(s->kernel));
    gsl_rng_set(rng, hash_bytes(seed, s->gpu, strlen(s->gpu)) % 1000003);
    bool ok = options_parse(&o, argc, argv, &why) &&
              plan_create(&p, &o, &why) && what_if_collect(&l, &p, &o, &why);
    if (ok) {
        draw(&l, rng);
        ok = take_changes(out, known, s, &l, &p, &o, a, &why);
    }
    what_if_free(&l);
    plan_free(&p);
    options_free(&o);
    gsl_rng_free(rng);
    return ok || fail_with(e, &why);
}

/* Blocks by side of as much of the kernel as is run; "own" where a launch file
 * says it, "" where that is too much. */
static bool set_grid(struct subject *s, struct error *e)
{
    struct accuracy_point p = {.tb = 1};
    struct accuracy_case c;
    snprintf(p.kernel, sizeof(p.kernel), "%s", s->kernel);
    snprintf(p.gpu, sizeof(p.gpu), "%s", s->gpu);
    struct profile *profile = NULL;
    if (case_load(&c, &p, NULL, "", e))
        profile = profile_create(c.kernel, &c.gpu, 0, e);
    if (profile != NULL) {
        double times = fmin(1, MOST_INSTS / profile_warp_insts(profile));
        struct dim3 g =
            draw_scaled_grid(c.kernel->grid, (double)c.kernel->blocks * times);
        if (strncmp(s->kernel, "ptx-", 4) != 0)
            snprintf(s->grid, CHANGE_NAME, "%u:%u:%u", g.x, g.y, g.z);
        else
            snprintf(s->grid, CHANGE_NAME, "%s", times < 0.5 ? "" : "own");
    }
    profile_free(profile);
    case_free(&c);
    return profile != NULL;
}

/* ---- all of them --------------------------------------------------------- */

/* Of the draw of the accuracy benchmark, launches of several and traces left
 * out; halves as there. */
static bool is_subject(const char *kernel)
{
    return strchr(kernel, '#') == NULL && strncmp(kernel, "trace:", 6) != 0;
}

static bool is_development(const char *kernel)
{
    int before = 0;
    for (size_t i = 0; draw_kernel(i) != NULL; i++)
        before += strcmp(draw_kernel(i), kernel) < 0;
    return before % 2 == 0;
}

static bool run_subject(struct changes *out, const struct changes *known,
                        struct subject *s, const struct arguments *a,
                        struct error *e)
{
    if (!set_grid(s, e))
        return false;
    fprintf(stderr, "%s on %s, %s\n", s->kernel, s->gpu, s->grid);
    return (s->grid[0] == '\0' || take_subject(out, known, s, a, e)) &&
           changes_save(out, known, a->csv, e);
}

static bool run_all(struct changes *out, const struct changes *known,
                    const struct arguments *a, struct error *e)
{
    const char *kernel;
    for (size_t i = 0; (kernel = draw_kernel(i)) != NULL; i++) {
        struct subject s = {.kernel = kernel,
                            .development = is_development(kernel)};
        bool wanted = s.development ? a->development : a->judging;
        for (size_t g = 0; g < GPUS && wanted && is_subject(kernel); g++) {
            s.gpu = gpus[g];
            if (!run_subject(out, known, &s, a, e))
                return false;
        }
    }
    return true;
}

static bool set_argument(struct arguments *a, const char *name,
                         const char *value)
{
    if (strcmp(name, "--csv") == 0)
        a->csv = value;
    else if (strcmp(name, "--half") == 0) {
        a->development = strcmp(value, "judging") != 0;
        a->judging = strcmp(value, "development") != 0;
    } else if (strcmp(name, "--hybrid") == 0)
        a->hybrid = atoi(value) != 0;
    else if (strcmp(name, "--run") == 0)
        a->run = atoi(value) != 0;
    else
        return false;
    return true;
}

static void report(const struct changes *c)
{
    printf("%d changes of each kernel on each of %s, %s and %s, drawn with "
           "seed %d;\ngrids of about %.0f warp instructions\n",
           DRAWN, gpus[0], gpus[1], gpus[2], SEED, MOST_INSTS);
    changes_report(c);
}

int main(int argc, char **argv)
{
    struct arguments a = {"bench/explain.csv", true, true, true, true};
    struct changes known, all = {0};
    struct error e;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !set_argument(&a, argv[i], argv[i + 1])) {
            fprintf(stderr, "usage: explain [--csv FILE] "
                            "[--half development|judging|both] "
                            "[--hybrid 0|1] [--run 0|1]\n");
            return STATUS_USAGE;
        }
    bool ok = changes_load(&known, a.csv, &e) && run_all(&all, &known, &a, &e);
    if (ok)
        report(&all);
    else
        fprintf(stderr, "explain: %s\n", e.text);
    changes_free(&known);
    changes_free(&all);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
