/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/lives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first warp of the launch whose warps stand before `end`: at its start all
 * of the launch before have ended. */
static size_t launch_begin(const struct lab_record *r, size_t end)
{
    uint64_t first_start = UINT64_MAX;
    size_t i = end;
    for (; i > 0; i--) {
        const struct sampler_warp *w = &r->warp[i - 1];
        if (i < end && w->end <= first_start)
            break;
        first_start = w->start < first_start ? w->start : first_start;
    }
    return i;
}

/* ---- the block that was issued last ------------------------------------- */

static double last_block_cycles(const struct sampler_warp *warp, size_t count)
{
    uint64_t last = 0, start = UINT64_MAX, end = 0;
    for (size_t i = 0; i < count; i++)
        last = warp[i].block > last ? warp[i].block : last;
    for (size_t i = 0; i < count; i++) {
        if (warp[i].block != last)
            continue;
        start = warp[i].start < start ? warp[i].start : start;
        end = warp[i].end > end ? warp[i].end : end;
    }
    return (double)(end - start);
}

double lives_last_block(const struct lab_record *r)
{
    double sum = 0;
    int launches = 0;
    for (size_t end = r->warps, begin; end > 0; end = begin) {
        begin = launch_begin(r, end);
        sum += last_block_cycles(r->warp + begin, end - begin);
        launches++;
    }
    return launches > 0 ? sum / launches : NAN;
}

/* ---- disparity ---------------------------------------------------------- */

struct look {
    struct lives *lives;
    double *disparity; /* of each block */
};

static double percent_above(double most, double least)
{
    return 100 * (most / fmax(least, 1) - 1);
}

double lives_time(const struct sampler_warp *w)
{
    return (double)(w->end - w->start);
}

static int by_time(const void *a, const void *b)
{
    double x = lives_time(a), y = lives_time(b);
    return (x > y) - (x < y);
}

static void keep_block(struct lives *out, const struct sampler_warp *warp,
                       size_t count)
{
    out->warps = (int)(count < LIVES_WARPS ? count : LIVES_WARPS);
    memcpy(out->warp, warp, (size_t)out->warps * sizeof(*warp));
    qsort(out->warp, (size_t)out->warps, sizeof(*warp), by_time);
}

static void add_block(struct look *l, const struct sampler_warp *warp,
                      size_t count)
{
    const struct sampler_warp *slow = warp, *fast = warp, *most = warp,
                              *least = warp;
    uint64_t insts = warp->insts;
    for (size_t i = 1; i < count; i++) {
        const struct sampler_warp *w = &warp[i];
        insts += w->insts;
        slow = lives_time(w) > lives_time(slow) ? w : slow;
        fast = lives_time(w) < lives_time(fast) ? w : fast;
        most = w->insts > most->insts ? w : most;
        least = w->insts < least->insts ? w : least;
    }
    if (count < 2)
        return;
    struct lives *out = l->lives;
    if (insts > out->busiest_insts) {
        out->busiest = *slow;
        out->busiest_insts = insts;
    }
    double disparity = percent_above(lives_time(slow), lives_time(fast));
    if (out->warps == 0 || disparity > out->most)
        keep_block(out, warp, count);
    out->most = fmax(out->most, disparity);
    l->disparity[out->blocks++] = disparity;
    out->most_insts =
        fmax(out->most_insts,
             percent_above((double)most->insts, (double)least->insts));
    out->critical_wait +=
        100 * (double)slow->sched_wait / fmax(lives_time(slow), 1);
}

static int by_block(const void *a, const void *b)
{
    const struct sampler_warp *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

/* Sorts the warps of a launch. */
static void add_launch(struct look *l, struct sampler_warp *warp, size_t count)
{
    qsort(warp, count, sizeof(*warp), by_block);
    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && warp[next].block == warp[i].block)
            next++;
        add_block(l, warp + i, next - i);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sum_up(struct lives *out, double *disparity)
{
    int n = out->blocks;
    qsort(disparity, (size_t)n, sizeof(*disparity), by_size);
    for (int i = 0; i < n; i++)
        out->mean += disparity[i] / n;
    out->critical_wait /= n > 0 ? n : 1;
    out->median = n > 0 ? disparity[n / 2] : 0;
}

bool lives_look(struct lives *out, const struct lab_record *r, struct error *e)
{
    size_t room = r->warps > 0 ? r->warps : 1;
    struct sampler_warp *warp = malloc(room * sizeof(*warp));
    double *disparity = malloc(room * sizeof(*disparity));
    *out = (struct lives){.blocks = 0};
    bool ok = warp != NULL && disparity != NULL;
    if (ok) {
        if (r->warps > 0)
            memcpy(warp, r->warp, r->warps * sizeof(*warp));
        struct look l = {.lives = out, .disparity = disparity};
        for (size_t end = r->warps, begin; end > 0; end = begin) {
            begin = launch_begin(r, end);
            add_launch(&l, warp + begin, end - begin);
        }
        sum_up(out, disparity);
    }
    free(warp);
    free(disparity);
    return ok || error_no_memory(e);
}
