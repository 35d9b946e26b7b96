/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/application.h"
#include "calib/application_parts.h"
#include "calib/constants.h"
#include "calib/point.h"
#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

/* Deviations of terms of a sum, which err alike in part. */
struct errors {
    double sum, squares;
};

static void add_error(struct errors *e, double sd)
{
    e->sum += sd;
    e->squares += sd * sd;
}

static double error_of_sum(const struct errors *e)
{
    return sqrt(LAUNCH_CORRELATION * e->sum * e->sum +
                (1 - LAUNCH_CORRELATION) * e->squares);
}

/* What was asked for, and its studies. */
struct joined {
    const struct study *whole;
    const struct split *split;
    const struct study *study;       /* [split->count] */
    const struct study_result *part; /* likewise */
    struct study_result *out;
};

/* Of studies those of launches: the last one may be of the whole. */
static size_t launches(const struct joined *j)
{
    bool all = j->split->launch_policies < j->whole->policy_count;
    return j->split->count - all;
}

/* Part p's point of so many blocks, or as many as fit. */
static size_t point_of(const struct joined *j, size_t p, int tb, int policy)
{
    const struct study *part = &j->study[p];
    int at = part->tb_count - 1;
    while (at > 0 && part->tb[at] > j->whole->tb[tb])
        at--;
    return study_point(part, at, j->split->at[policy]);
}

static void join_point(const struct joined *j, int tb, int policy)
{
    struct result sum = {.sampled = true};
    struct errors errors = {0};
    for (size_t p = 0; p < launches(j); p++) {
        const struct result *r = &j->part[p].result[point_of(j, p, tb, policy)];
        double times = j->split->times[p];
        application_add(&sum, r, times);
        add_error(&errors, times * r->cycles * point_log_sd(r));
        sum.sampled &= r->sampled;
        sum.partial |= r->partial;
    }
    application_finish(&sum, j->whole->gpu->sms);
    double sd = hypot(error_of_sum(&errors) / sum.cycles, ERROR_LAUNCHES);
    sum.cycles_lo = sum.cycles * exp(-NORMAL_90 * sd);
    sum.cycles_hi = sum.cycles * exp(NORMAL_90 * sd);
    j->out->result[study_point(j->whole, tb, policy)] = sum;
}

static const struct result *result_at(const struct joined *j, int tb,
                                      int policy)
{
    return &j->out->result[study_point(j->whole, tb, policy)];
}

/* Of the difference of two policies, as its launches' have theirs, each in its
 * share of the time. */
static double pair_sd(const struct joined *j, int tb, int policy, int to)
{
    struct errors errors = {0};
    const int *at = j->split->at;
    double all = result_at(j, tb, policy)->cycles;
    if (at[policy] < 0 || at[to] < 0)
        return hypot(point_log_sd(result_at(j, tb, policy)),
                     point_log_sd(result_at(j, tb, to)));
    for (size_t p = 0; p < launches(j); p++) {
        size_t point = point_of(j, p, tb, policy);
        const struct study_result *r = &j->part[p];
        double share = j->split->times[p] * r->result[point].cycles / all;
        add_error(&errors,
                  share * point_delta_sd(at[to] == 0 ? &r->delta[point]
                                                     : &r->versus[point]));
    }
    return hypot(error_of_sum(&errors), PAIR_LAUNCHES);
}

static struct paired_delta difference(const struct joined *j, int tb,
                                      int policy, int to)
{
    double ratio =
        result_at(j, tb, policy)->cycles / result_at(j, tb, to)->cycles;
    return point_delta(log(ratio),
                       policy != to ? pair_sd(j, tb, policy, to) : 0);
}

static void join_points(const struct joined *j)
{
    const struct study *s = j->whole;
    const struct study_result *all = &j->part[j->split->count - 1];
    for (int tb = 0; tb < s->tb_count; tb++)
        for (int q = 0; q < s->policy_count; q++)
            if (j->split->at[q] >= 0)
                join_point(j, tb, q);
            else
                j->out->result[study_point(s, tb, q)] = all->result[study_point(
                    &j->study[j->split->count - 1], tb, -1 - j->split->at[q])];
    for (int tb = 0; tb < s->tb_count; tb++)
        for (int q = 0; q < s->policy_count; q++) {
            size_t at = study_point(s, tb, q);
            j->out->delta[at] = difference(j, tb, q, 0);
            j->out->versus[at] = difference(j, tb, q, s->reference);
        }
}

static void join_costs(const struct joined *j)
{
    struct study_result *out = j->out;
    for (size_t p = 0; p < j->split->count; p++) {
        const struct study_result *r = &j->part[p];
        double times = p < launches(j) ? j->split->times[p] : 1;
        out->sample_insts += r->sample_insts;
        out->full_insts += times * r->full_insts;
        out->samples += r->samples;
        out->needed_insts = fmax(out->needed_insts, r->needed_insts);
        out->seconds = fmax(out->seconds, r->seconds);
    }
}

bool application_parts_join(struct study_result *out,
                            const struct application_parts *p, size_t i,
                            const struct study_result *part, struct error *e)
{
    const struct study *s = &p->whole[i];
    const struct split *split = &p->split[i];
    size_t points = study_point(s, s->tb_count, 0);
    const struct joined j = {.whole = s,
                             .split = split,
                             .study = &p->study[split->first],
                             .part = &part[split->first],
                             .out = out};
    *out = (struct study_result){.result = calloc(points, sizeof(*out->result)),
                                 .delta = calloc(points, sizeof(*out->delta)),
                                 .versus = calloc(points, sizeof(*out->versus)),
                                 .by_launch = true};
    model_params_default(&out->params);
    if (out->result == NULL || out->delta == NULL || out->versus == NULL) {
        study_result_free(out);
        return error_no_memory(e);
    }
    join_points(&j);
    join_costs(&j);
    return true;
}
