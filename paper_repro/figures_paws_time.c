/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_paws.h"

#include <math.h>

#define PERIOD 50  /* cycles between two looks: those of the claims (paws.h) */
#define STEPS  120 /* that are drawn: means of as many looks as that takes */

static const struct lab_record *watched(const struct view *v,
                                        const char *kernel,
                                        const char *policies, struct error *e)
{
    const struct point p = {
        .kernel = kernel, .policies = policies, .moments = PERIOD};
    return view_record(v, &p, e);
}

/* What is looked at. */
typedef double moment_number(const struct lab_moment *m, uint32_t phase);

static double in_phase(const struct lab_moment *m, uint32_t phase)
{
    return phase < m->phases ? m->warps_in_phase[phase] : 0;
}

static double active(const struct lab_moment *m, uint32_t phase)
{
    (void)phase;
    return m->active_warps;
}

static double alu(const struct lab_moment *m, uint32_t phase)
{
    (void)phase;
    return m->alu_in_flight;
}

static double memory(const struct lab_moment *m, uint32_t phase)
{
    (void)phase;
    return m->mem_in_flight;
}

/* A line over the first `cycles`. */
struct line {
    int panel;
    const char *subject, *series;
    uint64_t cycles;
    moment_number *number;
    uint32_t phase;
};

static bool add_line(struct figure_data *d, const struct lab_record *r,
                     const struct line *l, struct error *e)
{
    size_t looks = l->cycles / PERIOD;
    size_t each = (looks + STEPS - 1) / STEPS;
    looks = looks < r->moments ? looks : r->moments;
    for (size_t i = 0; i < looks; i += each) {
        double sum = 0;
        size_t n = 0;
        for (; n < each && i + n < looks; n++)
            sum += l->number(&r->moment[i + n], l->phase);
        struct figure_value v =
            figure_value(l->panel, l->subject, l->series, sum / (double)n);
        v.cycle = (double)r->moment[i].cycle;
        if (!figure_add(d, &v, e))
            return false;
    }
    return true;
}

static bool add_phases(struct figure_data *d, const struct lab_record *r,
                       int panel, const char *policies, uint64_t cycles,
                       struct error *e)
{
    uint32_t phases = r->moments > 0 ? r->moment[0].phases : 0;
    for (uint32_t p = 0; p < phases && p < LAB_PHASES; p++) {
        char name[32];
        snprintf(name, sizeof(name), "phase %u", p + 1);
        if (!add_line(
                d, r,
                &(struct line){panel, policies, name, cycles, in_phase, p}, e))
            return false;
    }
    return true;
}

/* Two panels of a scheduler, one below the other. */
static bool add_scheduler(struct figure_data *d, const char *kernel,
                          const char *policies, int panel, uint64_t cycles,
                          const struct view *v, struct error *e)
{
    const struct lab_record *r = watched(v, kernel, policies, e);
    return r != NULL && add_phases(d, r, panel, policies, cycles, e) &&
           add_line(d, r,
                    &(struct line){panel + 2, policies, "ALU instructions",
                                   cycles, alu, 0},
                    e) &&
           add_line(d, r,
                    &(struct line){panel + 2, policies, "memory instructions",
                                   cycles, memory, 0},
                    e);
}

static bool fill_phases(struct figure_data *d, const char *kernel,
                        uint64_t cycles, const struct view *v, struct error *e)
{
    return add_scheduler(d, kernel, "tlrr", 0, cycles, v, e) &&
           add_scheduler(d, kernel, "tlgto", 1, cycles, v, e);
}

/* Twice what the text speaks of: "after cycle 4000". */
bool fill_bt_k2(struct figure_data *d, const struct figure *f,
                const struct view *v, struct error *e)
{
    (void)f;
    return fill_phases(d, "bt-k2", 8000, v, e);
}

/* The first blocks of a core, to where the second ones are under way. */
bool fill_cfd(struct figure_data *d, const struct figure *f,
              const struct view *v, struct error *e)
{
    (void)f;
    return fill_phases(d, "cfd", 12000, v, e);
}

bool fill_tail(struct figure_data *d, const struct figure *f,
               const struct view *v, struct error *e)
{
    static const char *const policies[] = {"tlgto", "tlrr"};
    (void)f;
    for (int i = 0; i < 2; i++) {
        const struct lab_record *r = watched(v, "lud", policies[i], e);
        if (r == NULL ||
            !add_line(d, r,
                      &(struct line){i, policies[i], "lud", 30000, active, 0},
                      e))
            return false;
    }
    return true;
}
