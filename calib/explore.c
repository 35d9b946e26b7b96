/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/explore.h"

#include "base/hash.h"
#include "calib/application.h"
#include "calib/constants.h"
#include "calib/designs.h"
#include "calib/kriging.h"
#include "calib/point.h"
#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model ------------------------------------------------------------
 */

/* The profile was lent. */
static void model_step(struct job *job, const struct batch *b)
{
    (void)b;
    bool ok = job_alloc(job);
    if (ok && job->study->application != NULL)
        ok = application_model(job);
    else if (ok && job_profile(job))
        model_results(job, job->out);
    else
        ok = false;
    job->failed = !ok;
    job->profile = NULL;
    job->above = NULL;
    job->lent = false;
}

static void keep_model(struct exploration *x)
{
    for (size_t j = 0; j < x->batch->jobs; j++) {
        const struct job *job = &x->batch->job[j];
        for (size_t i = 0; !job->failed && i < job_points(job); i++)
            x->log_model[x->first[j] + i] = log(job->out->result[i].cycles);
    }
}

bool exploration_begin(struct exploration *x, struct batch *b, struct error *e)
{
    size_t points = 0;
    *x = (struct exploration){.batch = b,
                              .effort = calloc(b->jobs, 1),
                              .begun = calloc(b->jobs, 1),
                              .first = calloc(b->jobs, sizeof(size_t))};
    for (size_t j = 0; x->first != NULL && j < b->jobs; j++) {
        x->first[j] = points;
        points += job_points(&b->job[j]);
    }
    x->log_model = calloc(points + 1, sizeof(double));
    if (x->effort == NULL || x->begun == NULL || x->first == NULL ||
        x->log_model == NULL)
        return error_no_memory(e);
    if (!designs_run(b, model_step, e))
        return false;
    keep_model(x);
    return true;
}

void exploration_free(struct exploration *x)
{
    free(x->effort);
    free(x->begun);
    free(x->log_model);
    free(x->first);
}

/* ---- groups ----------------------------------------------------------------
 */

/* Jobs of a kernel on GPUs of one name. */
struct group {
    struct exploration *x;
    size_t *job; /* their numbers */
    size_t jobs;
    const struct gpu_key *key[KRIGING_DIMS_MAX - 1]; /* in which they differ */
    int keys;
    double least[KRIGING_DIMS_MAX], most[KRIGING_DIMS_MAX]; /* the last: tb */
};

static const struct study *study_at(const struct group *g, size_t i)
{
    return g->x->batch->job[g->job[i]].study;
}

static void find_keys(struct group *g)
{
    for (size_t k = 0; k < gpu_key_count; k++) {
        double first = gpu_key_get(study_at(g, 0)->gpu, &gpu_keys[k]);
        double least = first, most = first;
        for (size_t i = 1; i < g->jobs; i++) {
            double value = gpu_key_get(study_at(g, i)->gpu, &gpu_keys[k]);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        if (least == most || g->keys == KRIGING_DIMS_MAX - 1)
            continue;
        g->least[g->keys] = least;
        g->most[g->keys] = most;
        g->key[g->keys++] = &gpu_keys[k];
    }
    g->least[g->keys] = INFINITY;
    g->most[g->keys] = 0;
    for (size_t i = 0; i < g->jobs; i++) {
        const struct study *s = study_at(g, i);
        g->least[g->keys] = fmin(g->least[g->keys], s->tb[0]);
        g->most[g->keys] = fmax(g->most[g->keys], s->tb[s->tb_count - 1]);
    }
}

/* A value between the least and the most, of both ends positive by its log. */
static double scaled(double value, double least, double most)
{
    if (least == most)
        return 0;
    return least > 0 ? log(value / least) / log(most / least)
                     : (value - least) / (most - least);
}

static void place(double *x, const struct group *g, const struct study *s,
                  int tb)
{
    for (int k = 0; k < g->keys; k++)
        x[k] = scaled(gpu_key_get(s->gpu, g->key[k]), g->least[k], g->most[k]);
    x[g->keys] = scaled(s->tb[tb], g->least[g->keys], g->most[g->keys]);
}

/* ---- what samples say -------------------------------------------------------
 */

struct known {
    double *x, *y, sd; /* places, log ratios, their mean deviation */
    size_t count;
};

/* Under policy q. Of more than there is room for, the first. */
static void collect(struct known *n, const struct group *g, int q)
{
    n->count = 0;
    n->sd = 0;
    for (size_t i = 0; i < g->jobs; i++) {
        const struct job *job = &g->x->batch->job[g->job[i]];
        if (!g->x->begun[g->job[i]])
            continue;
        for (int tb = 0; tb < job->study->tb_count; tb++) {
            const struct result *r = &job->out->result[job_at(job, tb, q)];
            if (n->count == EXPLORE_KNOWN || r->partial)
                continue;
            place(&n->x[n->count * (size_t)(g->keys + 1)], g, job->study, tb);
            n->y[n->count++] =
                log(r->cycles) -
                g->x->log_model[g->x->first[g->job[i]] + job_at(job, tb, q)];
            n->sd += log(r->cycles_hi / r->cycles_lo) / (2 * NORMAL_90);
        }
    }
    n->sd /= fmax((double)n->count, 1);
}

static void carry_to(const struct group *g, size_t i, int q,
                     const struct kriging *k, double own_sd)
{
    const struct exploration *x = g->x;
    const struct job *job = &x->batch->job[g->job[i]];
    double at[KRIGING_DIMS_MAX], scratch[EXPLORE_KNOWN], sd;
    for (int tb = 0; tb < job->study->tb_count; tb++) {
        size_t point = job_at(job, tb, q);
        place(at, g, job->study, tb);
        double ratio = kriging_at(k, at, scratch, &sd);
        point_from_model(&job->out->result[point], job->study->gpu,
                         x->log_model[x->first[g->job[i]] + point] + ratio,
                         hypot(sd, own_sd));
    }
    job->out->carried = true;
}

static bool carry_policy(const struct group *g, struct known *n, int q,
                         struct error *e)
{
    collect(n, g, q);
    if (n->count == 0)
        return true;
    struct kriging *k = kriging_create(n->x, n->y, n->count, g->keys + 1, e);
    if (k == NULL)
        return false;
#pragma omp parallel for schedule(static) num_threads(g->x->batch->threads)
    for (size_t i = 0; i < g->jobs; i++)
        if (!g->x->begun[g->job[i]])
            carry_to(g, i, q, k, n->sd);
    kriging_free(k);
    return true;
}

static bool carry_group(struct group *g, struct error *e)
{
    struct known n = {.y = calloc(EXPLORE_KNOWN, sizeof(double))};
    find_keys(g);
    n.x = calloc((size_t)EXPLORE_KNOWN * (size_t)(g->keys + 1), sizeof(double));
    bool ok = (n.x != NULL && n.y != NULL) || error_no_memory(e);
    for (int q = 0; ok && q < study_at(g, 0)->policy_count; q++)
        ok = carry_policy(g, &n, q, e);
    for (size_t i = 0; ok && i < g->jobs; i++) {
        const struct job *job = &g->x->batch->job[g->job[i]];
        if (job->out->carried)
            point_differences(job, job->out, SAMPLE_PAIR_CORRELATION);
    }
    free(n.x);
    free(n.y);
    return ok;
}

/* Of those of a kernel on GPUs of one name the same numbers. */
static void hash_jobs(uint64_t *out, const struct batch *b)
{
    for (size_t j = 0; j < b->jobs; j++) {
        const struct study *s = b->job[j].study;
        const char *name = s->gpu->name;
        out[j] = hash_bytes(study_hash(s), name, strlen(name));
    }
}

/* The jobs of j's group, which are done with. */
static void gather(struct group *g, size_t j, const uint64_t *hash, bool *done)
{
    g->jobs = 0;
    g->keys = 0;
    for (size_t i = j; i < g->x->batch->jobs; i++) {
        if (done[i] || hash[i] != hash[j])
            continue;
        done[i] = true;
        g->job[g->jobs++] = i;
    }
}

bool exploration_carry(struct exploration *x, struct error *e)
{
    size_t jobs = x->batch->jobs;
    struct group g = {.x = x, .job = calloc(jobs, sizeof(size_t))};
    bool *done = calloc(jobs, sizeof(bool));
    uint64_t *hash = calloc(jobs, sizeof(*hash));
    bool ok =
        (g.job != NULL && done != NULL && hash != NULL) || error_no_memory(e);
    if (ok)
        hash_jobs(hash, x->batch);
    for (size_t j = 0; ok && j < jobs; j++) {
        if (done[j])
            continue;
        gather(&g, j, hash, done);
        ok = carry_group(&g, e);
    }
    free(g.job);
    free(done);
    free(hash);
    return ok;
}
