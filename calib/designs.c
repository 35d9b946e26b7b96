/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/designs.h"

#include "calib/constants.h"
#include "calib/profile_pool.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <stdlib.h>

struct design {
    struct job *job;
    uint64_t kernel, structure; /* hashes: of the same both, they may share */
    double latency;             /* of memory */
};

/* Designs that share profiles, in the order of their latencies; a large group
 * is several pieces. */
struct piece {
    const struct design *design;
    size_t count;
    bool exact; /* a profile for each latency */
};

/* The profiles at the latencies below and above, of those made last. */
struct lent {
    struct profile_pool *pool;
    struct profile *profile[2];
    double latency[2];
};

static int by_profile(const void *a, const void *b)
{
    const struct design *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->structure != y->structure)
        return x->structure < y->structure ? -1 : 1;
    if (x->latency != y->latency)
        return x->latency < y->latency ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static bool share(const struct design *a, const struct design *b)
{
    return a->kernel == b->kernel && a->structure == b->structure;
}

static void list_designs(struct design *out, struct batch *b,
                         const struct gpu_key *const *keys, size_t count)
{
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (size_t j = 0; j < b->jobs; j++) {
        const struct study *s = b->job[j].study;
        out[j] = (struct design){.job = &b->job[j],
                                 .kernel = study_hash(s),
                                 .structure = profile_hash(s->gpu, keys, count),
                                 .latency = profile_dram_latency(s->gpu)};
    }
    qsort(out, b->jobs, sizeof(*out), by_profile);
}

static size_t latencies(const struct design *d, size_t count)
{
    size_t n = 1;
    for (size_t i = 1; i < count; i++)
        n += d[i].latency != d[i - 1].latency;
    return n;
}

/* The pieces of a group; returns how many there are more. */
static size_t cut_group(struct piece *out, const struct design *d, size_t count,
                        bool exact)
{
    size_t n = 0;
    for (size_t at = 0; at < count; at += DESIGN_PIECE)
        out[n++] = (struct piece){
            &d[at], count - at < DESIGN_PIECE ? count - at : DESIGN_PIECE,
            exact};
    return n;
}

/* `more`: there are others in other calls. */
static size_t cut(struct piece *out, const struct design *d, size_t count,
                  bool more)
{
    size_t pieces = 0, kernel_end = 0;
    bool few = !more;
    for (size_t at = 0, end; at < count; at = end) {
        for (; kernel_end <= at;
             few = !more && kernel_end - at <= DESIGNS_EXACT)
            while (kernel_end < count && d[kernel_end].kernel == d[at].kernel)
                kernel_end++;
        for (end = at; end < count && share(&d[end], &d[at]);)
            end++;
        bool exact =
            few || (!more && latencies(&d[at], end - at) <= DESIGN_LATENCIES);
        pieces += cut_group(&out[pieces], &d[at], end - at, exact);
    }
    return pieces;
}

/* ---- one piece ----------------------------------------------------------- */

/* False with the job's error set. */
static bool take_profile(struct lent *l, int which, const struct design *d,
                         double latency)
{
    struct job *job = d->job;
    if (l->profile[which] != NULL && l->latency[which] == latency)
        return true;
    profile_pool_give(l->pool, l->profile[which]);
    l->latency[which] = latency;
    l->profile[which] = profile_pool_take(
        l->pool,
        &(struct profile_request){.kernel = job->study->kernel,
                                  .gpu = job->study->gpu,
                                  .kernel_hash = d->kernel,
                                  .structure = d->structure,
                                  .latency = latency,
                                  .seed = job->options->seed},
        &job->error);
    return l->profile[which] != NULL;
}

/* The one above is often the next one's below. */
static void swap_profiles(struct lent *l)
{
    *l = (struct lent){l->pool,
                       {l->profile[1], l->profile[0]},
                       {l->latency[1], l->latency[0]}};
}

/* A job for which none can be made has none, and the error. */
static void lend(struct lent *l, const struct design *d, bool exact)
{
    struct job *job = d->job;
    double at = log(d->latency) / log(DESIGN_SPACING), below = floor(at);
    double low = exact ? d->latency : pow(DESIGN_SPACING, below);
    if (l->latency[1] == low)
        swap_profiles(l);
    bool made = take_profile(l, 0, d, low);
    double high = pow(DESIGN_SPACING, below + 1);
    job->lent = true;
    if (made && !exact)
        made = take_profile(l, 1, d, high);
    job->profile = made ? l->profile[0] : NULL;
    if (exact || !made)
        return;
    job->above = l->profile[1];
    job->between = (d->latency - low) / (high - low);
}

/* Of an application each kernel's profile, at the design's own latency, is
 * taken from the pool. */
static void prepare(struct lent *l, const struct design *d, bool exact)
{
    d->job->pool = l->pool;
    d->job->structure = d->structure;
    if (d->job->study->application == NULL)
        lend(l, d, exact);
}

static void run_piece(const struct piece *p, const struct batch *b,
                      struct profile_pool *pool,
                      void (*step)(struct job *job, const struct batch *b))
{
    struct lent l = {.pool = pool};
    for (size_t i = 0; i < p->count; i++) {
        prepare(&l, &p->design[i], p->exact);
        step(p->design[i].job, b);
        p->design[i].job->pool = NULL;
    }
    profile_pool_give(l.pool, l.profile[0]);
    profile_pool_give(l.pool, l.profile[1]);
}

bool designs_run(struct batch *b,
                 void (*step)(struct job *job, const struct batch *b),
                 struct error *e)
{
    struct design *design = calloc(b->jobs + 1, sizeof(*design));
    struct piece *piece = calloc(b->jobs + 1, sizeof(*piece));
    const struct gpu_key **key = calloc(gpu_key_count, sizeof(*key));
    struct profile_pool *lent = b->options->pool;
    struct profile_pool *pool = lent != NULL ? lent : profile_pool_create();
    bool ok = design != NULL && piece != NULL && key != NULL && pool != NULL;
    if (ok) {
        list_designs(design, b, key, profile_keys(key));
        size_t pieces = cut(piece, design, b->jobs, lent != NULL);
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
        for (size_t i = 0; i < pieces; i++)
            run_piece(&piece[i], b, pool, step);
    }
    if (lent == NULL)
        profile_pool_free(pool);
    free(design);
    free(piece);
    free(key);
    return ok || error_no_memory(e);
}
