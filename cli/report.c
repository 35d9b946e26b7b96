/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report.h"

#include "cli/names.h"

#include <stdlib.h>
#include <string.h>

static void fill_case(struct report *r, size_t i)
{
    struct report_case *c = &r->at[i];
    c->at = &r->plan->at[i];
    c->which = i;
    c->first_row = r->rows;
    for (int tb = 0; tb < c->at->shown_tbs; tb++) {
        for (int p = 0; p < r->plan->shown_policies; p++) {
            const struct estimate_point *point =
                estimate_result(r->results, i, (size_t)tb, (size_t)p);
            if (r->interrupted && point->partial)
                continue;
            r->row[r->rows++] = (struct row){point, c->at};
        }
    }
    c->rows = r->rows - c->first_row;
}

bool report_create(struct report *r, const struct options *o,
                   const struct plan *p, const struct estimate_results *results,
                   bool interrupted, struct estimate_error *e)
{
    *r = (struct report){.options = o,
                         .plan = p,
                         .results = results,
                         .interrupted = interrupted,
                         .cases = p->cases};
    r->row = calloc(p->shown_points, sizeof(*r->row));
    r->at = calloc(p->cases, sizeof(*r->at));
    if (r->row == NULL || r->at == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < p->cases; i++)
        fill_case(r, i);
    r->interrupted = r->rows < p->shown_points;
    for (size_t i = 0; i < p->cases; i++)
        if (!ranking_create(&r->at[i].ranking, r, &r->at[i], e))
            return false;
    return true;
}

void report_free(struct report *r)
{
    for (size_t i = 0; r->at != NULL && i < r->cases; i++)
        ranking_free(&r->at[i].ranking);
    free(r->row);
    free(r->at);
}

bool report_any_partial(const struct report *r)
{
    for (size_t i = 0; i < r->rows; i++)
        if (r->row[i].point->partial)
            return true;
    return false;
}

void report_case_label(char *out, size_t size, const struct report *r,
                       size_t which)
{
    case_label(out, size, r->plan, r->at[which].at, r->options->mangled);
}

void report_policy_label(char *out, size_t size, const struct report *r,
                         int policy)
{
    const struct policy_list *list = &r->plan->policies;
    const struct chosen *names = &list->set[policy];
    snprintf(out, size, "%s%s%s%s%s", names->sched,
             list->block_count > 1 ? "/" : "",
             list->block_count > 1 ? names->tb_sched : "",
             list->l1_count > 1 ? "/" : "",
             list->l1_count > 1 ? names->l1_policy : "");
}
