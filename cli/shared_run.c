/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shared_run.h"

#include <stdlib.h>

#define LABEL_BYTES 512

/* Note cases [0, count) of the plan. `results` are theirs, or NULL: nothing is
 * done yet. */
static bool note_cases(const struct plan *p, const struct options *o,
                       const struct estimate_results *results,
                       struct estimate_error *e)
{
    struct estimate_share *share = calloc(p->cases + 1, sizeof(*share));
    char(*label)[LABEL_BYTES] = calloc(p->cases + 1, sizeof(*label));
    bool ok = share != NULL && label != NULL;
    for (size_t i = 0; ok && i < p->cases; i++) {
        case_label(label[i], LABEL_BYTES, p, &p->at[i], false);
        share[i] = (struct estimate_share){
            label[i], p->at[i].number, p->at[i].number % o->shard.of,
            results != NULL && case_is_done(p, results, i)};
    }
    ok = ok ? estimate_store_note(o->run.store, p->hash, o->shard.of, share,
                                  p->cases, e)
            : fail_no_memory(e);
    free(share);
    free(label);
    return ok;
}

static bool hash_plan(struct plan *p, const struct options *o,
                      struct estimate_error *e)
{
    struct estimate_study *all = plan_study(p, e);
    if (all == NULL)
        return false;
    p->hash = estimate_study_hash(all, &o->run);
    estimate_study_free(all);
    return true;
}

bool shared_run_begin(struct plan *p, const struct options *o,
                      struct estimate_error *e)
{
    if (o->shard.of < 2)
        return true;
    bool notes = o->run.store != NULL && !o->check && !o->print_config;
    if (notes && (!hash_plan(p, o, e) || !note_cases(p, o, NULL, e)))
        return false;
    size_t kept = 0;
    p->shown_points = 0;
    for (size_t i = 0; i < p->cases; i++) {
        if (p->at[i].number % o->shard.of != o->shard.number)
            continue;
        p->at[kept] = p->at[i];
        p->shown_points +=
            (size_t)(p->at[kept++].shown_tbs * p->shown_policies);
    }
    p->cases = kept;
    return true;
}

bool shared_run_end(const struct plan *p, const struct options *o,
                    const struct estimate_results *results,
                    struct estimate_error *e)
{
    return o->shard.of < 2 || o->run.store == NULL ||
           note_cases(p, o, results, e);
}
