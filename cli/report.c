/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report.h"

#include "cli/columns.h"
#include "configs/gpu.h"
#include "sampler/policy/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_names[] = {
    [MODE_MODEL] = "model",
    [MODE_HYBRID] = "hybrid",
    [MODE_DETAILED] = "detailed",
};

static void fill_policies(struct row *row, const struct policy_set *s)
{
    choice_label(row->sched, LABEL_MAX, &s->warp);
    choice_label(row->tb_sched, LABEL_MAX, &s->block);
    choice_label(row->l1_policy, LABEL_MAX, &s->l1);
}

static void fill_row(struct row *row, const struct report *r,
                     const struct report_study *s, int tb, int policy)
{
    size_t at = point_at(s->study, tb, policy);
    *row = (struct row){
        .kernel = study_name(s->study),
        .gpu = s->study->gpu->name,
        .mode = mode_names[study_point_mode(s->study, s->result,
                                            r->options->mode, at)],
        .tb = s->study->tb[tb],
        .swept = s->view->variant->swept,
        .result = s->result->result[at],
        .delta = s->result->delta[at],
        .seed = r->options->seed,
    };
    row->limiter =
        isnan(row->result.cycles) ? "" : limiter_names[row->result.limiter];
    fill_policies(row, &s->study->policies[policy]);
}

static void fill_study(struct report *r, size_t i,
                       const struct study_result *result)
{
    struct report_study *s = &r->study[i];
    s->study = &r->plan->study[i];
    s->view = &r->plan->view[i];
    s->result = result;
    s->first_row = r->rows;
    for (int tb = 0; tb < s->view->shown_tbs; tb++) {
        for (int p = 0; p < r->plan->shown_policies; p++) {
            size_t at = point_at(s->study, tb, p);
            if (r->interrupted && result->result[at].partial)
                continue;
            fill_row(&r->row[r->rows++], r, s, tb, p);
        }
    }
    s->rows = r->rows - s->first_row;
}

bool report_create(struct report *r, const struct options *o,
                   const struct plan *p, const struct study_result *result,
                   bool interrupted, struct error *e)
{
    *r = (struct report){.options = o,
                         .plan = p,
                         .interrupted = interrupted,
                         .studies = p->studies};
    r->row = calloc(p->shown_points, sizeof(*r->row));
    r->study = calloc(p->studies, sizeof(*r->study));
    if (r->row == NULL || r->study == NULL)
        return error_no_memory(e);
    for (size_t i = 0; i < p->studies; i++)
        fill_study(r, i, &result[i]);
    r->interrupted = r->rows < p->shown_points;
    return true;
}

void report_free(struct report *r)
{
    free(r->row);
    free(r->study);
}

bool report_any_partial(const struct report *r)
{
    for (size_t i = 0; i < r->rows; i++)
        if (r->row[i].result.partial)
            return true;
    return false;
}

void report_study_label(char *out, size_t size, const struct report *r,
                        size_t study)
{
    const struct report_study *s = &r->study[study];
    int used = snprintf(out, size, "%s on %s", study_name(s->study),
                        s->study->gpu->name);
    for (size_t k = 0; k < r->plan->keys && (size_t)used < size; k++) {
        char value[COLUMN_VALUE_MAX];
        swept_text(value, r->plan->key[k], s->view->variant->swept[k]);
        used += snprintf(out + used, size - (size_t)used, " %s=%s",
                         r->plan->key[k]->key, value);
    }
}

void report_policy_label(char *out, size_t size, const struct report *r,
                         int policy)
{
    const struct policy_list *list = &r->plan->policies;
    struct row names;
    fill_policies(&names, &list->set[policy]);
    snprintf(out, size, "%s%s%s%s%s", names.sched,
             list->block_count > 1 ? "/" : "",
             list->block_count > 1 ? names.tb_sched : "",
             list->l1_count > 1 ? "/" : "",
             list->l1_count > 1 ? names.l1_policy : "");
}
