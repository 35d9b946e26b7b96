/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_table.h"

#include "bench/correlate_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- running ------------------------------------------------------------ */

/* Uses request[] and outcome[] of t->count entries. */
static bool run_rows(struct table *t, struct run_request *request,
                     struct run_outcome *outcome, const char *folder,
                     const char *work, struct error *e)
{
    for (size_t i = 0; i < t->count; i++)
        if (!trace_request(&request[i], &t->row[i].theirs, folder, work, e))
            return false;
    if (!run_all(outcome, request, t->count, e))
        return false;
    for (size_t i = 0; i < t->count; i++)
        t->row[i].ours = outcome[i];
    return true;
}

bool table_run(struct table *out, const struct reference *r, const char *folder,
               const char *work, struct error *e)
{
    *out = (struct table){calloc(r->count, sizeof(*out->row)), r->count};
    struct run_request *request = calloc(r->count, sizeof(*request));
    struct run_outcome *outcome = calloc(r->count, sizeof(*outcome));
    bool ok = out->row != NULL && request != NULL && outcome != NULL;
    if (!ok)
        error_no_memory(e);
    for (size_t i = 0; ok && i < r->count; i++)
        out->row[i].theirs = r->point[i];
    ok = ok && traces_generate(r, folder, work, e) &&
         run_rows(out, request, outcome, folder, work, e);
    free(request);
    free(outcome);
    if (!ok)
        table_free(out);
    return ok;
}

void table_free(struct table *t)
{
    free(t->row);
    *t = (struct table){0};
}

/* ---- agreement ---------------------------------------------------------- */

bool table_agreement(struct agreement *out, const struct table *t,
                     take_row *take, const void *what)
{
    double *ours = malloc(2 * t->count * sizeof(*ours));
    double *theirs = ours + t->count;
    size_t n = 0;
    if (ours == NULL)
        return false;
    for (size_t i = 0; i < t->count; i++)
        if (take(&t->row[i], what)) {
            ours[n] = t->row[i].ours.cycles;
            theirs[n++] = t->row[i].theirs.cycles;
        }
    out->count = n;
    bool ok = n == 0 || agreement_of(out, ours, theirs, n);
    free(ours);
    return ok;
}

/* ---- series ------------------------------------------------------------- */

static bool same_series(const struct reference_point *a,
                        const struct reference_point *b, enum series kind)
{
    if (strcmp(a->trace, b->trace) != 0 || strcmp(a->config, b->config) != 0 ||
        a->grid != b->grid)
        return false;
    return kind == SERIES_SCHEDULERS ? a->cta_limit == b->cta_limit
                                     : strcmp(a->scheduler, b->scheduler) == 0;
}

static bool same_member(const struct reference_point *a,
                        const struct reference_point *b, enum series kind)
{
    return kind == SERIES_SCHEDULERS
               ? strcmp(a->scheduler, b->scheduler) == 0
               : reference_blocks(a) == reference_blocks(b);
}

size_t table_first(const struct table *t, size_t i, enum series kind)
{
    const struct reference_point *p = &t->row[i].theirs, *q;
    size_t first = t->count;
    for (size_t j = 0; j < t->count; j++) {
        q = &t->row[j].theirs;
        if (!same_series(p, q, kind))
            continue;
        if (j < i && same_member(p, q, kind))
            return i;
        if (first == t->count ||
            (kind == SERIES_BLOCKS &&
             reference_blocks(q) < reference_blocks(&t->row[first].theirs)))
            first = j;
    }
    return first;
}

struct differences table_differences(const struct table *t, enum series kind,
                                     take_row *take, const void *what)
{
    struct differences d = {0};
    for (size_t i = 0; i < t->count; i++) {
        size_t first = table_first(t, i, kind);
        const struct compared *a = &t->row[i], *b = &t->row[first];
        if (first != i && take(a, what))
            differences_add(&d, error_pct(a->ours.cycles, b->ours.cycles),
                            error_pct(a->theirs.cycles, b->theirs.cycles));
    }
    return d;
}
