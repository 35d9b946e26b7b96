/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/underway.h"

#include "base/mix.h"
#include "sampler/warm.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* ---- times --------------------------------------------------------------- */

/* A number from 0 to 1 that no two neighbours have in common. */
static double part_of(uint64_t block)
{
    return (double)(mix_state((block + 1) * MIX_STEP) >> 11) * 0x1p-53;
}

/* Of a block that began together with others: from a normal distribution about
 * its beginning, or the end of the one before it. */
static double time_of(double part, double apart)
{
    if (apart <= 0)
        return part;
    double blocks = gsl_cdf_ugaussian_Pinv(part) * apart;
    return blocks - floor(blocks);
}

/* Put it where it belongs among those before it, which are `step` apart. */
static void insert(double *time, uint64_t at, uint64_t step, double value)
{
    for (; at >= step && time[at - step] < value; at -= step)
        time[at] = time[at - step];
    time[at] = value;
}

/* Each as if the others were not there, or about a place that an SM's blocks
 * have in common. */
static void spread(struct underway *u, uint64_t first, uint64_t sms)
{
    const struct sampler_underway *of = &u->of;
    double own = of->apart_on_sm > 0 ? of->apart_on_sm : of->apart;
    double common = sqrt(fmax(of->apart * of->apart - own * own, 0));
    for (uint64_t i = 0; i < of->blocks; i++) {
        double place =
            of->apart_on_sm > 0
                ? time_of(part_of(first + of->blocks + i % sms), common)
                : 0;
        double time = place + time_of(part_of(first + i), own);
        insert(u->time, i, sms, time - floor(time));
    }
}

bool underway_init(struct underway *u, const struct sampler_underway *of,
                   uint64_t first, int sms)
{
    *u = (struct underway){.of = *of};
    if (of->blocks == 0)
        return true;
    u->time = calloc(of->blocks, sizeof(*u->time));
    u->block = calloc(of->blocks, sizeof(*u->block));
    if (u->time == NULL || u->block == NULL)
        return false;
    spread(u, first, (uint64_t)sms);
    return true;
}

void underway_free(struct underway *u)
{
    free(u->time);
    free(u->block);
    *u = (struct underway){0};
}

void underway_add(struct underway *u, struct sm *sm,
                  const struct block_slot *slot, uint64_t block)
{
    u->block[u->count++] = (struct underway_block){sm, slot, u->time[block]};
}

/* ---- streams ------------------------------------------------------------- */

/* Steps of each warp, read where the block's own stream does not tell. */
static bool count_steps(uint64_t *out, const struct kernel *k, uint64_t block,
                        const void *stream, struct error *e)
{
    bool known = k->ops->steps != NULL;
    for (uint32_t w = 0; known && w < k->warps_per_block; w++) {
        out[w] = k->ops->steps(k, stream, w);
        known = out[w] > 0;
    }
    return known || kernel_block_steps(out, k, block, e);
}

/* The share of its instructions that a block has issued. */
static double issued_by(double time, const double *course)
{
    if (course == NULL)
        return time;
    double parts = time * COURSE_PARTS;
    int at = (int)fmin(parts, COURSE_PARTS - 1);
    return course[at] + (parts - at) * (course[at + 1] - course[at]);
}

/* A step that is passed does not come again: what it raises is raised now, for
 * whoever waits for that later. No L1 has what it loads. Measured: with that
 * BP-K2 on m2090 under old is 3.9 % off, without 0.1. */
static void take_step(struct sm *sm, const struct block_slot *slot,
                      const struct kernel *k, struct memory *m,
                      const struct step *s)
{
    warm_step(m, NULL, k, s);
    if (k->inst[s->inst].sync != SYNC_NONE && s->signal != 0)
        sm_raise(sm, slot, s->signal);
}

/* Of the warps of a block. */
struct steps {
    uint64_t *all;   /* [warps] */
    uint64_t *taken; /* [warps] */
};

static void take_to(const struct underway_block *b, const struct steps *steps,
                    double part, const struct kernel *k, struct memory *m)
{
    struct step s;
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        uint64_t to = (uint64_t)(part * (double)steps->all[w]);
        while (steps->taken[w] < to && kernel_skim(k, b->slot->stream, w, &s)) {
            take_step(b->sm, b->slot, k, m, &s);
            steps->taken[w]++;
        }
    }
}

static void take_turns(const struct underway *u, const struct steps *steps,
                       const struct kernel *k, struct memory *m)
{
    for (int left = WARM_TURNS - 1; left >= 0; left--)
        for (uint64_t i = 0; i < u->count; i++) {
            const struct underway_block *b = &u->block[i];
            double time = b->time - (double)left / WARM_TURNS;
            struct steps own = {steps->all + i * k->warps_per_block,
                                steps->taken + i * k->warps_per_block};
            if (time > 0)
                take_to(b, &own, issued_by(time, u->of.course), k, m);
        }
}

void underway_done(struct underway *u)
{
    u->count = 0;
}

bool underway_forward(const struct underway *u, const struct kernel *k,
                      struct memory *m, struct error *e)
{
    uint64_t warps = u->count * k->warps_per_block;
    if (u->count == 0)
        return true;
    struct steps steps = {calloc(warps, sizeof(*steps.all)),
                          calloc(warps, sizeof(*steps.taken))};
    bool ok = (steps.all != NULL && steps.taken != NULL) || error_no_memory(e);
    for (uint64_t i = 0; ok && i < u->count; i++)
        ok = count_steps(steps.all + i * k->warps_per_block, k,
                         u->block[i].slot->id, u->block[i].slot->stream, e);
    if (ok)
        take_turns(u, &steps, k, m);
    free(steps.all);
    free(steps.taken);
    return ok;
}
