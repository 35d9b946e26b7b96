/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/paws.h"

#include <math.h>
#include <string.h>

/* Cycles from one moment to the next: a tenth of the shortest time that is of
 * interest, a memory access. */
#define PERIOD 50

/* What a core's moments come to while it is full: from the first moment with
 * most warps to the last one. */
struct over_time {
    double fullest;   /* warps in the phase with most, mean */
    double computing; /* share of moments with ALU instructions in flight */
    double silent;    /* ... without memory instructions */
    double variation; /* of the memory instructions in flight */
    double below;     /* share of moments with fewer warps than fit */
};

static uint32_t fullest_phase(const struct lab_moment *m)
{
    uint32_t most = 0;
    for (uint32_t p = 0; p < m->phases; p++)
        most = m->warps_in_phase[p] > most ? m->warps_in_phase[p] : most;
    return most;
}

static uint32_t most_warps(const struct lab_record *r)
{
    uint32_t most = 0;
    for (size_t i = 0; i < r->moments; i++)
        most =
            r->moment[i].active_warps > most ? r->moment[i].active_warps : most;
    return most;
}

static struct over_time sum_up(const struct lab_record *r)
{
    uint32_t most = most_warps(r);
    size_t first = 0, end = r->moments;
    while (first < end && r->moment[first].active_warps < most)
        first++;
    while (end > first && r->moment[end - 1].active_warps < most)
        end--;
    struct over_time t = {.fullest = 0};
    double sum = 0, squares = 0, n = (double)(end - first);
    for (size_t i = first; i < end; i++) {
        const struct lab_moment *m = &r->moment[i];
        t.fullest += fullest_phase(m) / n;
        t.computing += (m->alu_in_flight > 0) / n;
        t.silent += (m->mem_in_flight == 0) / n;
        t.below += (m->active_warps < most) / n;
        sum += m->mem_in_flight;
        squares += (double)m->mem_in_flight * m->mem_in_flight;
    }
    double mean = sum / n;
    t.variation = sqrt(fmax(squares / n - mean * mean, 0)) / mean;
    return t;
}

static const struct lab_record *watched(const struct view *v,
                                        const char *kernel,
                                        const char *policies, struct error *e)
{
    const struct point p = {
        .kernel = kernel, .policies = policies, .moments = PERIOD};
    return view_record(v, &p, e);
}

static bool two_levels(struct over_time *rr, struct over_time *gto,
                       const char *kernel, const struct view *v,
                       struct error *e)
{
    const struct lab_record *a = watched(v, kernel, "tlrr", e);
    const struct lab_record *b =
        a != NULL ? watched(v, kernel, "tlgto", e) : NULL;
    if (b == NULL)
        return false;
    *rr = sum_up(a);
    *gto = sum_up(b);
    return true;
}

/* By the sign rule. */
static bool clearly_above(double a, double b)
{
    return a > b * (1 + RULE_TIE);
}

bool measure_pile_up(struct finding *f, const struct claim *c,
                     const struct view *v, struct error *e)
{
    struct over_time rr, gto;
    if (!two_levels(&rr, &gto, c->kernels, v, e))
        return false;
    finding_add(f, clearly_above(rr.fullest, gto.fullest), 1, "pile-up");
    finding_add(f, clearly_above(gto.computing, rr.computing), 1,
                "ALUs idle for longer");
    finding_note(f,
                 "warps in the fullest phase %.1f under tlrr, %.1f under "
                 "tlgto; time with ALU instructions %.1f %%, %.1f %%",
                 rr.fullest, gto.fullest, 100 * rr.computing,
                 100 * gto.computing);
    return true;
}

bool measure_memory_gaps(struct finding *f, const struct claim *c,
                         const struct view *v, struct error *e)
{
    struct over_time rr, gto;
    if (!two_levels(&rr, &gto, c->kernels, v, e))
        return false;
    finding_add(f, clearly_above(gto.silent, rr.silent), 1,
                "more time without memory load under tlgto");
    finding_add(f, clearly_above(gto.variation, rr.variation), 1,
                "load varies more under tlgto");
    finding_note(f,
                 "without memory load %.1f %% of the time under tlrr, %.1f %% "
                 "under tlgto; its variation %.2f, %.2f",
                 100 * rr.silent, 100 * gto.silent, rr.variation,
                 gto.variation);
    return true;
}

/* Six blocks of a core take its time for all its blocks, in proportion; of it
 * the share with fewer warps. */
bool measure_tail(struct finding *f, const struct claim *c,
                  const struct view *v, struct error *e)
{
    const struct lab_record *r = watched(v, c->kernels, c->subject, e);
    if (r == NULL)
        return false;
    struct over_time t = sum_up(r);
    const struct sampler_counts *n = &r->run.counts;
    double sms = (double)(n->cycles_alu_only + n->cycles_mem_only +
                          n->cycles_both + n->cycles_neither) /
                 (double)n->cycles;
    double six = 6 * (double)n->cycles * sms / (double)n->blocks_done;
    finding_add(f, t.below * six, c->number, "%s", c->subject);
    finding_note(f, "%.1f %% of %.0f cycles for six blocks", 100 * t.below,
                 six);
    return true;
}
