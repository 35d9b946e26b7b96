/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_paws.h"
#include "paper_repro/metrics.h"
#include "paper_repro/paws.h"

#include <math.h>
#include <string.h>

static const char *const kernels[] = {"bp-k1", "bt-k2", "heartwall", "cfd"};
static const char *const schedulers[] = {"lrr",  "gto",   "paws",
                                         "tlrr", "tlgto", "tlpaws"};
#define KERNELS    (int)(sizeof(kernels) / sizeof(kernels[0]))
#define SCHEDULERS (sizeof(schedulers) / sizeof(schedulers[0]))

/* What a panel shows of a run. */
struct shown {
    const char *name;
    double (*metric)(const struct sampler_run *r);
};

static double cores_cycles(const struct sampler_run *r)
{
    const struct sampler_counts *c = &r->counts;
    return (double)(c->cycles_both + c->cycles_alu_only + c->cycles_mem_only +
                    c->cycles_neither);
}

/* Percent of all cores' cycles. */
static double of_cycles(const struct sampler_run *r, uint64_t cycles)
{
    return 100 * (double)cycles / cores_cycles(r);
}

static double both(const struct sampler_run *r)
{
    return of_cycles(r, r->counts.cycles_both);
}

static double alu_only(const struct sampler_run *r)
{
    return of_cycles(r, r->counts.cycles_alu_only);
}

static double mem_only(const struct sampler_run *r)
{
    return of_cycles(r, r->counts.cycles_mem_only);
}

static double neither(const struct sampler_run *r)
{
    return of_cycles(r, r->counts.cycles_neither);
}

static double core_alu_load(const struct sampler_run *r)
{
    return (double)r->counts.alu_in_flight / cores_cycles(r);
}

static double core_memory_load(const struct sampler_run *r)
{
    return (double)r->counts.mem_in_flight / cores_cycles(r);
}

static bool fill_panels(struct figure_data *d, const struct shown *shown,
                        bool halves, const struct view *v, struct error *e)
{
    for (int k = 0; k < KERNELS; k++)
        for (size_t s = 0; s < SCHEDULERS; s++)
            for (const struct shown *m = shown; m->name != NULL; m++) {
                struct point p = {.kernel = kernels[k],
                                  .policies = schedulers[s]};
                struct figure_measured measured;
                struct figure_value row =
                    figure_value(k, schedulers[s], m->name, NAN);
                if (!figure_measure(&measured, v, &p, m->metric, e))
                    return false;
                if (!halves)
                    measured.half = NAN;
                figure_ratio(&row, &measured, NULL);
                if (!figure_add(d, &row, e))
                    return false;
            }
    return true;
}

bool fill_breakdown(struct figure_data *d, const struct figure *f,
                    const struct view *v, struct error *e)
{
    static const struct shown shown[] = {{"ALU alone", alu_only},
                                         {"both", both},
                                         {"memory alone", mem_only},
                                         {"neither", neither},
                                         {NULL, NULL}};
    (void)f;
    return fill_panels(d, shown, false, v, e);
}

bool fill_loads(struct figure_data *d, const struct figure *f,
                const struct view *v, struct error *e)
{
    static const struct shown shown[] = {
        {"ALU instructions", core_alu_load},
        {"memory instructions", core_memory_load},
        {NULL, NULL}};
    (void)f;
    return fill_panels(d, shown, true, v, e);
}

/* ---- Fig. 12 ------------------------------------------------------------ */

#define MOST_KERNELS 32

/* A scheduler's idle time over round robin's in the kernels of a type. */
static bool add_idle(struct figure_data *d, const char *subject,
                     const char *list, const char *policies,
                     const char *baseline, const struct view *v,
                     struct error *e)
{
    double value[MOST_KERNELS], base[MOST_KERNELS];
    char kernel[32];
    size_t n = 0;
    for (; n < MOST_KERNELS && next_word(kernel, sizeof(kernel), &list); n++) {
        struct point p = {.kernel = kernel, .policies = policies},
                     q = {.kernel = kernel, .policies = baseline};
        const struct sampler_run *a = view_run(v, &p, e);
        const struct sampler_run *b = a != NULL ? view_run(v, &q, e) : NULL;
        if (b == NULL)
            return false;
        value[n] = idle_share(a);
        base[n] = idle_share(b);
    }
    bool two = strncmp(policies, "tl", 2) == 0;
    struct figure_value row =
        figure_value(0, subject, policies + (two ? 2 : 0), NAN);
    figure_mean(&row, value, base, n, RATIO_OF_MEANS);
    return figure_add(d, &row, e);
}

bool fill_idle(struct figure_data *d, const struct figure *f,
               const struct view *v, struct error *e)
{
    static const struct {
        const char *name, *kernels, *gto, *paws, *rr;
    } bar[] = {{"A, single level", A_SINGLE, "gto", "paws", "lrr"},
               {"A, two levels", A_TWO, "tlgto", "tlpaws", "tlrr"},
               {"B, single level", B_SINGLE, "gto", "paws", "lrr"},
               {"B, two levels", B_TWO, "tlgto", "tlpaws", "tlrr"}};
    (void)f;
    for (size_t i = 0; i < sizeof(bar) / sizeof(bar[0]); i++)
        if (!add_idle(d, bar[i].name, bar[i].kernels, bar[i].gto, bar[i].rr, v,
                      e) ||
            !add_idle(d, bar[i].name, bar[i].kernels, bar[i].paws, bar[i].rr, v,
                      e))
            return false;
    return true;
}
