/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/accuracy.h"

#include "cli/error.h"
#include "cli/formats.h"

#include <math.h>

static double half_width_pct(const struct estimate_point *p)
{
    double up = p->cycles_hi / p->cycles - 1;
    return 100 * fmax(up, 1 - p->cycles_lo / p->cycles);
}

/* The row with the widest interval, NULL without rows. */
static const struct estimate_point *widest(const struct report *r)
{
    const struct estimate_point *most = NULL;
    for (size_t i = 0; i < r->rows; i++) {
        const struct estimate_point *p = r->row[i].point;
        if (most == NULL || half_width_pct(p) > half_width_pct(most))
            most = p;
    }
    return most;
}

/* That every case should reach --error with. */
static double budget_needed(const struct report *r)
{
    double most = 0;
    for (size_t i = 0; i < r->cases; i++) {
        const struct estimate_fit *f = estimate_result_fit(r->results, i);
        most = fmax(most, f->needed_insts);
    }
    return most;
}

/* Rounded up to two digits: "2.1M". */
static void size_text(char *out, size_t size, double n)
{
    static const char *const unit[] = {"", "k", "M", "G"};
    int u = 0;
    double step = pow(10, floor(log10(n)) - 1);
    n = ceil(n / step) * step;
    for (; n >= 1000 && u < 3; u++)
        n /= 1000;
    snprintf(out, size, "%.3g%s", n, unit[u]);
}

void accuracy_note(const struct report *r)
{
    const struct options *o = r->options;
    const struct estimate_point *p = widest(r);
    double needed = budget_needed(r);
    if (o->run.mode != ESTIMATE_HYBRID || p == NULL || p->partial ||
        half_width_pct(p) <= o->run.error_pct || (needed <= 0 && !p->sampled))
        return;
    fprintf(stderr,
            "estimate: note: intervals reach +-%.1f %%, not +-%g %% (%s on %s, "
            "tb=%d, %s): ",
            half_width_pct(p), o->run.error_pct, p->kernel, p->gpu, p->tb,
            p->sched);
    if (needed > 0) {
        char budget[32];
        size_text(budget, sizeof(budget), needed);
        fprintf(stderr, "%s, --budget %s should do\n",
                p->sampled ? "the budget binds"
                           : "it is the model's, of which no sample within the "
                             "budget says more",
                budget);
    } else {
        fputs("its sample is uneven: a smaller --error runs a longer one, "
              "--mode detailed the whole grid\n",
              stderr);
    }
}

bool accuracy_fails(const struct report *r, struct estimate_error *e)
{
    const struct estimate_point *p = widest(r);
    double gate = r->options->gate_pct;
    if (gate <= 0 || p == NULL || half_width_pct(p) <= gate)
        return false;
    fail(e, ESTIMATE_GATE,
         "--gate %g: the interval of %s on %s, tb=%d, %s is "
         "+-%.2f %%",
         gate, p->kernel, p->gpu, p->tb, p->sched, half_width_pct(p));
    return true;
}
