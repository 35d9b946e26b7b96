/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gain.h"

#include <math.h>

static size_t at(const struct report_study *s, struct point p)
{
    return point_at(s->study, p.tb, p.policy);
}

const struct result *report_result(const struct report *r,
                                   const struct report_study *s, struct point p)
{
    const struct result *result = &s->result->result[at(s, p)];
    return r->interrupted && result->partial ? NULL : result;
}

/* HUGE_VAL: not finished. */
static double cycles(const struct report_study *s, struct point p)
{
    const struct result *r = &s->result->result[at(s, p)];
    return r->partial ? HUGE_VAL : r->cycles;
}

bool default_point(struct point *out, const struct report *r,
                   const struct report_study *s)
{
    int last = s->study->tb_count - 1;
    *out = (struct point){last, r->plan->default_policy};
    return out->policy >= 0 && s->study->tb[last] == s->view->tb_limit &&
           cycles(s, *out) < HUGE_VAL;
}

/* The default point, where it is one of those asked for. */
static bool default_shown(struct point *out, const struct report *r,
                          const struct report_study *s)
{
    return default_point(out, r, s) && out->tb < s->view->shown_tbs &&
           out->policy < r->plan->shown_policies;
}

bool best_point(struct point *out, const struct report *r,
                const struct report_study *s)
{
    double best = HUGE_VAL;
    struct point base;
    for (int tb = 0; tb < s->view->shown_tbs; tb++) {
        for (int p = 0; p < r->plan->shown_policies; p++) {
            struct point here = {tb, p};
            if (cycles(s, here) < best) {
                best = cycles(s, here);
                *out = here;
            }
        }
    }
    if (default_shown(&base, r, s) && cycles(s, base) == best)
        *out = base;
    return best < HUGE_VAL;
}

/* A positive quantity with its interval. */
struct span {
    double mid, lo, hi;
};

static struct span span_at(const struct report_study *s, struct point p)
{
    const struct result *r = &s->result->result[at(s, p)];
    return (struct span){r->cycles, r->cycles_lo, r->cycles_hi};
}

struct gain gain_over_default(const struct report_study *s, struct point a,
                              struct point base)
{
    const struct paired_delta *d = &s->result->versus[at(s, a)];
    if (a.tb == base.tb)
        return (struct gain){-d->pct, -d->hi, -d->lo};
    struct span x = span_at(s, a), y = span_at(s, base);
    double ratio = x.mid / y.mid;
    double up = hypot(log(x.hi / x.mid), log(y.mid / y.lo));
    double down = hypot(log(x.mid / x.lo), log(y.hi / y.mid));
    return (struct gain){.pct = 100 * (1 - ratio),
                         .lo = 100 * (1 - ratio * exp(up)),
                         .hi = 100 * (1 - ratio * exp(-down))};
}

bool is_tie(double lo, double hi)
{
    return !(lo > TIE_PCT || hi < -TIE_PCT);
}
