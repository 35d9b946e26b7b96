/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/underway.h"

#include "sampler/warm.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- times --------------------------------------------------------------- */

/* A number from 0 to 1 that no two neighbours have in common (the finaliser of
 * SplitMix64: Steele, Lea and Flood, OOPSLA 2014). */
static double part_of(uint64_t block)
{
    uint64_t z = (block + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
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

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double *underway_times(const struct sampler_underway *underway, uint64_t first)
{
    double *out = calloc(underway->blocks, sizeof(*out));
    if (out == NULL)
        return NULL;
    for (uint64_t i = 0; i < underway->blocks; i++)
        out[i] = time_of(part_of(first + i), underway->apart);
    qsort(out, underway->blocks, sizeof(*out), descending);
    return out;
}

/* ---- streams ------------------------------------------------------------- */

/* Steps of each warp, read from a stream of its own. */
static bool read_counts(uint64_t *out, const struct kernel *k, uint64_t block,
                        struct error *e)
{
    void *state = malloc(k->ops->state_size(k));
    bool ok = state != NULL || error_no_memory(e);
    ok = ok && k->ops->open(k, state, block, e);
    for (uint32_t w = 0; ok && w < k->warps_per_block; w++)
        for (struct step s; k->ops->next(k, state, w, &s);)
            out[w]++;
    if (ok)
        k->ops->close(k, state);
    free(state);
    return ok;
}

/* ... as far as the block's own stream does not tell. */
static bool count_steps(uint64_t *out, const struct kernel *k, uint64_t block,
                        const void *stream, struct error *e)
{
    bool known = k->ops->steps != NULL;
    for (uint32_t w = 0; known && w < k->warps_per_block; w++) {
        out[w] = k->ops->steps(k, stream, w);
        known = out[w] > 0;
    }
    if (known)
        return true;
    memset(out, 0, k->warps_per_block * sizeof(*out));
    return read_counts(out, k, block, e);
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
 * whoever waits for that later. */
static void take_step(struct sm *sm, const struct block_slot *slot,
                      const struct kernel *k, struct memory *m,
                      const struct step *s)
{
    warm_step(m, k, s);
    if (k->inst[s->inst].sync != SYNC_NONE && s->signal != 0)
        sm_raise(sm, slot, s->signal);
}

bool underway_forward(struct sm *sm, const struct block_slot *slot,
                      const struct kernel *k, struct memory *m, double time,
                      const double *course, struct error *e)
{
    uint64_t *steps = calloc(k->warps_per_block, sizeof(*steps));
    double part = issued_by(time, course);
    bool ok = steps != NULL || error_no_memory(e);
    ok = ok && count_steps(steps, k, slot->id, slot->stream, e);
    for (uint32_t w = 0; ok && w < k->warps_per_block; w++) {
        uint64_t n = (uint64_t)(part * (double)steps[w]);
        struct step s;
        for (uint64_t i = 0; i < n && k->ops->next(k, slot->stream, w, &s); i++)
            take_step(sm, slot, k, m, &s);
    }
    free(steps);
    return ok;
}
