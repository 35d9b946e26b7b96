/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ranking.h"

#include "cli/gain.h"

#include <math.h>
#include <stdlib.h>

/* The fewest cycles of a policy that are finished and shown. */
static double best_cycles(const struct report *r, const struct report_case *c,
                          int policy)
{
    double best = HUGE_VAL;
    for (int tb = 0; tb < c->at->tb_count; tb++) {
        const struct estimate_point *p =
            shown_point(r, c, (struct point){tb, policy});
        if (p != NULL && !p->partial && p->cycles < best)
            best = p->cycles;
    }
    return best;
}

static bool same_point(const struct estimate_point *a,
                       const struct estimate_point *b)
{
    return a != NULL && b != NULL && !a->partial && !b->partial &&
           a->cycles == b->cycles && a->cycles_lo == b->cycles_lo &&
           a->cycles_hi == b->cycles_hi;
}

static bool same(const struct report *r, const struct report_case *c, int a,
                 int b)
{
    if (b >= r->plan->shown_policies)
        return false;
    for (int tb = 0; tb < c->at->shown_tbs; tb++)
        if (!same_point(report_point(r, c, (struct point){tb, a}),
                        report_point(r, c, (struct point){tb, b})))
            return false;
    return true;
}

/* Put policy p behind the group it equals, or into one of its own. */
static void add_policy(struct ranking *k, const struct report *r,
                       const struct report_case *c, int p)
{
    k->next[p] = -1;
    for (int g = 0; g < k->groups; g++) {
        int last = k->first[g];
        if (!same(r, c, last, p))
            continue;
        while (k->next[last] >= 0)
            last = k->next[last];
        k->next[last] = p;
        return;
    }
    double cycles = best_cycles(r, c, p);
    int at = k->groups++;
    for (; at > 0 && cycles < best_cycles(r, c, k->first[at - 1]); at--)
        k->first[at] = k->first[at - 1];
    k->first[at] = p;
}

bool ranking_create(struct ranking *out, const struct report *r,
                    const struct report_case *c, struct estimate_error *e)
{
    int count = (int)r->plan->policies.count;
    *out = (struct ranking){.first = calloc((size_t)count, sizeof(int)),
                            .next = calloc((size_t)count, sizeof(int))};
    if (out->first == NULL || out->next == NULL)
        return fail_no_memory(e);
    for (int p = 0; p < count; p++)
        add_policy(out, r, c, p);
    return true;
}

void ranking_free(struct ranking *k)
{
    free(k->first);
    free(k->next);
}

bool ranking_shares(const struct ranking *k)
{
    for (int g = 0; g < k->groups; g++)
        if (k->next[k->first[g]] >= 0)
            return true;
    return false;
}
