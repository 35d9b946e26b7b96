/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/exploration.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>

/* Designs. Of fewer each is sampled. */
#define DESIGNS_SAMPLED 100
/* Sampled, a swept key. */
#define A_KEY 10
/* Of more keys only the first and the last corner are sampled. */
#define CORNER_KEYS 3
/* Chosen at once, so that each round sees what the last one found. */
#define ROUND_MOST 24
/* Sampled in all; with one that is on no front any more; confirmed. */
#define SAMPLED_MOST   300
#define SLOWER_MOST    150
#define CONFIRMED_MOST 100
/* What a design takes too long to be on the front, to be close to it: as much
 * as samples are off. */
#define CLOSE 0.02

bool exploration_asked(const struct options *o, const struct plan *p)
{
    return o->command == COMMAND_ESTIMATE && o->run.mode == ESTIMATE_HYBRID &&
           designs_asked(o) && o->shard.of < 2 && p->keys > 0 &&
           p->variants > DESIGNS_SAMPLED;
}

/* ---- choosing --------------------------------------------------------------
 */

static size_t case_of(const struct plan *p, size_t variant, size_t kernel)
{
    return kernel * p->variants + variant;
}

/* All kernels of a design; whether it is new. */
static bool choose(struct exploration *x, unsigned char *effort, size_t variant,
                   enum estimate_effort wanted)
{
    const struct plan *p = x->plan;
    if (effort[case_of(p, variant, 0)] >= wanted)
        return false;
    for (size_t k = 0; k < p->kernels; k++)
        effort[case_of(p, variant, k)] = (unsigned char)wanted;
    if (wanted == ESTIMATE_SAMPLED)
        x->sampled++;
    else
        x->confirmed++;
    return true;
}

/* The variant of a design; their number: it makes no GPU. */
static size_t variant_of(const struct plan *p, uint64_t number)
{
    size_t low = 0, high = p->variants;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->variant[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < p->variants && p->variant[low].number == number;
    return found ? low : p->variants;
}

static bool choose_number(struct exploration *x, unsigned char *effort,
                          uint64_t number)
{
    size_t variant = variant_of(x->plan, number);
    return variant < x->plan->variants &&
           choose(x, effort, variant, ESTIMATE_SAMPLED);
}

/* The design nearest to a point of the unit cube, of GPU g. */
static uint64_t nearest(const struct plan *p, size_t g, const double *point)
{
    uint64_t number = g;
    for (size_t k = 0; k < p->keys; k++) {
        uint64_t count = p->swept[k]->count;
        uint64_t i = (uint64_t)(point[k] * (double)count);
        number = number * count + (i < count ? i : count - 1);
    }
    return number;
}

static void choose_corners(struct exploration *x, unsigned char *effort,
                           size_t g)
{
    const struct plan *p = x->plan;
    bool few = p->keys <= CORNER_KEYS;
    unsigned corners = few ? 1u << p->keys : 2;
    for (unsigned i = 0; i < corners; i++) {
        double point[SWEEPS_MAX];
        for (size_t k = 0; k < p->keys; k++)
            point[k] = few ? (double)(i >> k & 1) : (double)i;
        choose_number(x, effort, nearest(p, g, point));
    }
}

/* Of one GPU. Points that hit the same design or none are passed over. */
static bool fill(struct exploration *x, unsigned char *effort, size_t g)
{
    const struct plan *p = x->plan;
    size_t wanted = A_KEY * p->keys, tries = 100 * wanted;
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)p->keys);
    if (sequence == NULL)
        return fail_no_memory(x->error);
    choose_corners(x, effort, g);
    for (size_t i = 0; wanted > 0 && i < tries; i++) {
        double point[SWEEPS_MAX];
        gsl_qrng_get(sequence, point);
        wanted -= choose_number(x, effort, nearest(p, g, point));
    }
    gsl_qrng_free(sequence);
    return true;
}

static bool is_next(const struct plan *p, const unsigned char *effort,
                    size_t variant, enum estimate_effort wanted)
{
    return effort[case_of(p, variant, 0)] + 1 == (int)wanted;
}

/* Of the designs marked, those of which one step more is wanted: at most
 * `most`, evenly spread. */
static size_t choose_marked(struct exploration *x, unsigned char *effort,
                            const bool *marked, enum estimate_effort wanted,
                            size_t most)
{
    const struct plan *p = x->plan;
    size_t missing = 0, seen = 0, chosen = 0;
    for (size_t i = 0; i < p->variants; i++)
        missing +=
            marked[p->variant[i].number] && is_next(p, effort, i, wanted);
    for (size_t i = 0; i < p->variants; i++) {
        if (!marked[p->variant[i].number] || !is_next(p, effort, i, wanted))
            continue;
        bool due = missing <= most ||
                   seen * most / missing != (seen + 1) * most / missing;
        seen++;
        chosen += due && choose(x, effort, i, wanted);
    }
    return chosen;
}

static size_t left_of(size_t most, size_t done)
{
    size_t left = most > done ? most - done : 0;
    return left < ROUND_MOST ? left : ROUND_MOST;
}

static size_t sample_more(struct exploration *x, unsigned char *effort,
                          const struct designs *d)
{
    size_t most = left_of(SAMPLED_MOST, x->sampled);
    size_t chosen = choose_marked(x, effort, d->front, ESTIMATE_SAMPLED, most);
    if (chosen > 0 || x->sampled >= SLOWER_MOST)
        return chosen;
    return choose_marked(x, effort, d->is_slower, ESTIMATE_SAMPLED, most);
}

static size_t confirm_more(struct exploration *x, unsigned char *effort,
                           struct designs *d)
{
    size_t most = left_of(CONFIRMED_MOST, x->confirmed);
    size_t chosen =
        choose_marked(x, effort, d->front, ESTIMATE_CONFIRMED, most);
    if (chosen > 0 || most == 0)
        return chosen;
    designs_mark_close(d, CLOSE);
    return choose_marked(x, effort, d->is_close, ESTIMATE_CONFIRMED, most);
}

bool exploration_choose(struct exploration *x,
                        const struct estimate_results *results,
                        unsigned char *effort)
{
    struct designs d = {.count = 0};
    bool ok = !x->failed;
    if (ok && x->sampled == 0) {
        for (size_t g = 0; ok && g < x->plan->gpus.count; g++)
            ok = fill(x, effort, g);
        x->failed = !ok;
        return ok && x->sampled > 0;
    }
    ok = ok && designs_create(&d, x->options, x->plan, x->error) &&
         designs_add(&d, x->options, x->plan, results, x->error) &&
         designs_finish(&d, x->plan, x->error);
    size_t chosen = ok ? sample_more(x, effort, &d) : 0;
    if (ok && chosen == 0)
        chosen = confirm_more(x, effort, &d);
    designs_free(&d);
    x->failed = !ok;
    return chosen > 0;
}
