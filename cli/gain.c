/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gain.h"

#include <math.h>

static const struct estimate_point *
at(const struct report *r, const struct report_case *c, struct point p)
{
    return estimate_result(r->results, c->which, (size_t)p.tb,
                           (size_t)p.policy);
}

const struct estimate_point *report_point(const struct report *r,
                                          const struct report_case *c,
                                          struct point p)
{
    const struct estimate_point *point = at(r, c, p);
    return r->interrupted && point->partial ? NULL : point;
}

/* HUGE_VAL: not finished. */
static double cycles(const struct report *r, const struct report_case *c,
                     struct point p)
{
    const struct estimate_point *point = at(r, c, p);
    return point->partial ? HUGE_VAL : point->cycles;
}

bool default_point(struct point *out, const struct report *r,
                   const struct report_case *c)
{
    int last = c->at->tb_count - 1;
    *out = (struct point){last, r->plan->default_policy};
    return out->policy >= 0 && c->at->tb[last] == c->at->tb_limit &&
           cycles(r, c, *out) < HUGE_VAL;
}

static bool asked_for(const struct report *r, const struct report_case *c,
                      struct point p)
{
    return p.tb < c->at->shown_tbs && p.policy < r->plan->shown_policies;
}

static bool default_shown(struct point *out, const struct report *r,
                          const struct report_case *c)
{
    return default_point(out, r, c) && asked_for(r, c, *out);
}

const struct estimate_point *
shown_point(const struct report *r, const struct report_case *c, struct point p)
{
    struct point base;
    bool is_base = default_point(&base, r, c) && base.tb == p.tb &&
                   base.policy == p.policy;
    return is_base || asked_for(r, c, p) ? report_point(r, c, p) : NULL;
}

bool best_point(struct point *out, const struct report *r,
                const struct report_case *c)
{
    double best = HUGE_VAL;
    struct point base;
    for (int tb = 0; tb < c->at->shown_tbs; tb++) {
        for (int p = 0; p < r->plan->shown_policies; p++) {
            struct point here = {tb, p};
            if (cycles(r, c, here) < best) {
                best = cycles(r, c, here);
                *out = here;
            }
        }
    }
    if (default_shown(&base, r, c) && cycles(r, c, base) == best)
        *out = base;
    return best < HUGE_VAL;
}

struct gain gain_over_default(const struct estimate_point *a,
                              const struct estimate_point *base)
{
    const struct estimate_delta *d = &a->versus;
    if (a->tb == base->tb)
        return (struct gain){-d->pct, -d->hi, -d->lo};
    double ratio = a->cycles / base->cycles;
    double up = hypot(log(a->cycles_hi / a->cycles),
                      log(base->cycles / base->cycles_lo));
    double down = hypot(log(a->cycles / a->cycles_lo),
                        log(base->cycles_hi / base->cycles));
    return (struct gain){.pct = 100 * (1 - ratio),
                         .lo = 100 * (1 - ratio * exp(up)),
                         .hi = 100 * (1 - ratio * exp(-down))};
}

bool is_tie(double lo, double hi)
{
    return !(lo > TIE_PCT || hi < -TIE_PCT);
}

bool is_likely(struct gain g)
{
    return g.pct > fmax(TIE_PCT, LIKELY_SHARE * (g.hi - g.lo) / 2);
}
