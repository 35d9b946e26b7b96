/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/verdict.h"

#include "cli/figures.h"
#include "cli/gain.h"
#include "cli/launch_sweep.h"
#include "cli/names.h"

#include <math.h>
#include <stdio.h>

#define INDENT    2
#define POINT_MAX 256
#define LABEL     (NAME_BYTES + 256)

static void point_name(char out[POINT_MAX], const struct report *r,
                       const struct report_case *c, struct point p)
{
    char policy[POINT_MAX - 16];
    report_policy_label(policy, sizeof(policy), r, p.policy);
    snprintf(out, POINT_MAX, "tb=%d %s", c->at->tb[p.tb], policy);
}

static int finished_points(const struct report *r, const struct report_case *c)
{
    int n = 0;
    for (int tb = 0; tb < c->at->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++) {
            const struct estimate_point *point =
                report_point(r, c, (struct point){tb, p});
            n += point != NULL && !point->partial && !isnan(point->cycles);
        }
    return n;
}

static int sms_of(const struct plan_case *c)
{
    return (int)estimate_gpu_get(c->variant->gpu,
                                 estimate_key_find("sms", NULL));
}

/* Several block counts that come out alike under every policy. */
static bool blocks_alike(const struct report *r, const struct report_case *c)
{
    for (int tb = 1; tb < c->at->shown_tbs; tb++)
        for (int p = 0; p < r->plan->shown_policies; p++)
            if (report_point(r, c, (struct point){tb, p})->cycles !=
                report_point(r, c, (struct point){0, p})->cycles)
                return false;
    return c->at->shown_tbs > 1;
}

/* A grid with no more blocks than the GPU has SMs. */
static bool grid_is_small(uint64_t *blocks, int *sms, const struct report *r,
                          const struct report_case *c)
{
    *blocks = estimate_kernel_launch(c->at->kernel, 0)->blocks;
    *sms = sms_of(c->at);
    return !estimate_kernel_info(c->at->kernel)->application &&
           *blocks <= (uint64_t)*sms && blocks_alike(r, c);
}

static void put_gain(const struct page *page, const char *label,
                     const char *best, const char *base, struct gain g)
{
    bool tie = is_tie(g.lo, g.hi);
    if (tie && is_likely(g))
        page_put(page, INDENT,
                 "%s: try %s, likely %.1f %% fewer cycles than the default %s "
                 "(%.1f to %.1f)",
                 label, best, g.pct, base, g.lo, g.hi);
    else if (tie)
        page_put(page, INDENT,
                 "%s: keep the default %s, a tie with %s (%.1f to %.1f %% "
                 "fewer cycles)",
                 label, base, best, g.lo, g.hi);
    else if (g.pct > 0)
        page_put(page, INDENT,
                 "%s: use %s, %.1f %% fewer cycles than the default %s (%.1f "
                 "to %.1f)",
                 label, best, g.pct, base, g.lo, g.hi);
    else
        page_put(page, INDENT,
                 "%s: nothing in this sweep beats the default %s; the best "
                 "here, %s, takes %.1f %% more cycles (%.1f to %.1f)",
                 label, base, best, -g.pct, -g.hi, -g.lo);
}

/* tb says nothing: only policies are left to compare. */
static void put_small_grid(const struct page *page, const struct report *r,
                           const struct report_case *c, const char *label,
                           struct point best)
{
    uint64_t blocks;
    int sms;
    struct point base;
    char policy[POINT_MAX] = "", more[POINT_MAX + 96] = "";
    grid_is_small(&blocks, &sms, r, c);
    if (default_point(&base, r, c)) {
        struct gain g = gain_over_default(report_point(r, c, best),
                                          report_point(r, c, base));
        report_policy_label(policy, sizeof(policy), r, best.policy);
        if (best.policy != base.policy && g.pct > 0 && !is_tie(g.lo, g.hi))
            snprintf(more, sizeof(more),
                     "; %s takes %.1f %% fewer cycles than the default "
                     "scheduler",
                     policy, g.pct);
    }
    page_put(page, INDENT,
             "%s: the grid has %llu block%s for %d SMs: tb has no effect%s",
             label, (unsigned long long)blocks, blocks == 1 ? "" : "s", sms,
             more);
}

static void put_finished(const struct page *page, const struct report *r,
                         const struct report_case *c, const char *label,
                         struct point best)
{
    char best_name[POINT_MAX], base_name[POINT_MAX];
    struct point base;
    point_name(best_name, r, c, best);
    if (!default_point(&base, r, c)) {
        page_put(page, INDENT,
                 "%s: use %s (the default point is not in this sweep)", label,
                 best_name);
        return;
    }
    point_name(base_name, r, c, base);
    if (base.tb == best.tb && base.policy == best.policy)
        page_put(page, INDENT, "%s: use %s, the default", label, best_name);
    else
        put_gain(page, label, best_name, base_name,
                 gain_over_default(report_point(r, c, best),
                                   report_point(r, c, base)));
}

void put_verdict(const struct page *page, const struct report *r, size_t which)
{
    const struct report_case *c = &r->at[which];
    char label[LABEL];
    struct point best;
    uint64_t blocks;
    int sms, finished = finished_points(r, c);
    int asked = c->at->shown_tbs * r->plan->shown_policies;
    report_case_label(label, sizeof(label), r, which);
    if (finished < asked || !best_point(&best, r, c))
        page_put(page, INDENT, "%s: incomplete: %d of %d points", label,
                 finished, asked);
    else if (grid_is_small(&blocks, &sms, r, c))
        put_small_grid(page, r, c, label, best);
    else
        put_finished(page, r, c, label, best);
}

/* ---- launches ------------------------------------------------------------ */

/* The cases of one kernel and GPU under several launches. */
struct launch_group {
    const struct report *report;
    size_t first, step, count; /* cases first, first + step, ... */
};

static const struct report_case *case_at(const struct launch_group *g, size_t i)
{
    return &g->report->at[g->first + i * g->step];
}

static const struct estimate_point *best_of(const struct launch_group *g,
                                            size_t i)
{
    struct point best;
    const struct report_case *c = case_at(g, i);
    return best_point(&best, g->report, c) ? report_point(g->report, c, best)
                                           : NULL;
}

static void launch_text(char out[POINT_MAX], const struct launch_group *g,
                        size_t i)
{
    const struct plan *p = g->report->plan;
    int used = 0;
    for (size_t k = 0; k < p->launch_keys && used < POINT_MAX; k++) {
        char value[POINT_MAX / 4];
        plan_column_text(value, sizeof(value), p, case_at(g, i)->at, k);
        used += snprintf(out + used, (size_t)(POINT_MAX - used), "%s%s=%s",
                         k > 0 ? " " : "", plan_column_name(p, k), value);
    }
}

/* The launch with the fewest cycles but `other`; count: none finished. */
static size_t fastest(const struct launch_group *g, size_t other)
{
    size_t found = g->count;
    double cycles = HUGE_VAL;
    for (size_t i = 0; i < g->count; i++) {
        const struct estimate_point *p = i != other ? best_of(g, i) : NULL;
        if (p == NULL || p->cycles >= cycles)
            continue;
        cycles = p->cycles;
        found = i;
    }
    return found;
}

static void put_launch_verdict(const struct page *page,
                               const struct launch_group *g)
{
    char name[LABEL], first[POINT_MAX], second[POINT_MAX];
    const struct plan_case *c = case_at(g, 0)->at;
    size_t best = fastest(g, g->count), next = fastest(g, best);
    name_text(name, sizeof(name), case_kernel(c), g->report->options->mangled);
    if (next == g->count)
        return;
    launch_text(first, g, best);
    launch_text(second, g, next);
    const struct estimate_point *a = best_of(g, best), *b = best_of(g, next);
    double less = 100 * (1 - a->cycles / b->cycles);
    bool tie = is_tie(100 * (1 - a->cycles_hi / b->cycles_lo),
                      100 * (1 - a->cycles_lo / b->cycles_hi));
    page_put(page, INDENT,
             "%s on %s: use %s, %.1f %% fewer cycles%s than the next best, %s",
             name, case_gpu(c), first, less, tie ? " (a tie)" : "", second);
}

void put_launch_verdicts(const struct page *page, const struct report *r)
{
    size_t combinations = (size_t)launch_combinations(r->options);
    size_t variants = r->plan->variants, first = 0;
    if (combinations < 2)
        return;
    for (size_t i = 0; i < r->plan->inputs; i += combinations) {
        size_t kernels = r->plan->taken[i];
        for (size_t k = 0; k < kernels * variants; k++) {
            const struct launch_group g = {r, first + k, kernels * variants,
                                           combinations};
            put_launch_verdict(page, &g);
        }
        first += combinations * kernels * variants;
    }
}

/* ---- totals -------------------------------------------------------------- */

/* The kernels of one input on one GPU. */
struct total {
    struct figures figures;
    struct estimate_point here, best; /* cycles and intervals are set */
    double time_us;
    size_t launches;
    bool known; /* all of it is finished */
};

static void add_point(struct estimate_point *sum,
                      const struct estimate_point *p, double times)
{
    sum->cycles += times * p->cycles;
    sum->cycles_lo += times * p->cycles_lo;
    sum->cycles_hi += times * p->cycles_hi;
}

/* At the default point, or at the only one where there is none. */
static void add_case(struct total *t, const struct report *r,
                     const struct report_case *c)
{
    struct point best, base;
    if (finished_points(r, c) < c->at->shown_tbs * r->plan->shown_policies ||
        !best_point(&best, r, c)) {
        t->known = false;
        return;
    }
    if (!default_point(&base, r, c))
        base = (struct point){c->at->shown_tbs - 1, 0};
    double times = c->at->stands->times;
    add_point(&t->here, report_point(r, c, base), times);
    add_point(&t->best, report_point(r, c, best), times);
    t->time_us += times * report_point(r, c, base)->time_us;
    t->launches +=
        c->at->stands->launches * estimate_kernel_info(c->at->kernel)->launches;
}

static void put_total(const struct page *page, const struct report *r,
                      const struct total *t, const char *gpu)
{
    char cycles[FIGURE_MAX], interval[FIGURE_MAX], gain[64] = "";
    struct figures seen = {0};
    figures_see(&seen, &t->here);
    struct unit u = figures_unit(&seen, r->options->exact);
    figure_text(cycles, &u, t->here.cycles);
    half_width_text(interval, half_width_pct(&t->here));
    double less = 100 * (1 - t->best.cycles / t->here.cycles);
    if (less >= TIE_PCT)
        snprintf(gain, sizeof(gain),
                 "; each kernel at its best takes %.1f %% less", less);
    page_put(page, INDENT,
             "total of %zu launches on %s: %s%s%s cycles%s%s, %.4g us%s",
             t->launches, gpu, cycles, u.name[0] != '\0' ? " " : "", u.name,
             interval[0] != '\0' ? " " : "", interval, t->time_us, gain);
}

/* Kernels first..first+count-1 on each GPU variant. */
static void put_input_totals(const struct page *page, const struct report *r,
                             size_t first, size_t count)
{
    size_t variants = r->plan->variants;
    for (size_t v = 0; v < variants; v++) {
        struct total t = {.known = true};
        for (size_t k = first; k < first + count; k++)
            add_case(&t, r, &r->at[k * variants + v]);
        if (t.known && t.launches > 1)
            put_total(page, r, &t, case_gpu(r->at[first * variants + v].at));
    }
}

void put_totals(const struct page *page, const struct report *r)
{
    size_t first = 0;
    for (size_t i = 0; i < r->plan->inputs; i++) {
        size_t count = r->plan->taken[i];
        if (estimate_input_kernels(r->plan->input[i]) > 1 && count > 0)
            put_input_totals(page, r, first, count);
        first += count;
    }
}
