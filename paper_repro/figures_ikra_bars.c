/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/claim.h"
#include "paper_repro/figures_ikra.h"
#include "paper_repro/ikra.h"
#include "paper_repro/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCHEDULERS 5
static const struct {
    const char *name, *policies, *letter;
} scheduler[SCHEDULERS] = {{"rr", "gto/rr", "G"},
                           {"chunk", "gto/chunk", "C"},
                           {"reset", "gto/reset", "R"},
                           {"flip", "gto/flip", "F"},
                           {"steal", "gto/steal", "S"}};

#define MOST_KERNELS 16
enum { TIME, ENERGY, TRAFFIC, SERVED, PANELS };

static bool add(struct figure_data *d, int panel, const char *subject,
                const char *series, double ours, struct error *e)
{
    struct figure_value row = figure_value(panel, subject, series, ours);
    return figure_add(d, &row, e);
}

/* "hotspot" of "ikra-hotspot". */
static const char *plain(const char *kernel)
{
    return kernel + strlen("ikra-");
}

/* ---- parts of a bar ----------------------------------------------------- */

#define MOST_PARTS 5
struct parts {
    const char *name[MOST_PARTS];
    int count;
    void (*of)(const struct sampler_run *r, double part[MOST_PARTS]);
};

static void energy_parts(const struct sampler_run *r, double part[MOST_PARTS])
{
    for (int i = 0; i < MOST_PARTS; i++)
        part[i] = r->energy.part[i];
}

static void traffic_parts(const struct sampler_run *r, double part[MOST_PARTS])
{
    for (int i = 0; i < NOC_CLASSES; i++)
        part[i] = (double)r->counts.noc_crossings[i];
}

static void served_parts(const struct sampler_run *r, double part[MOST_PARTS])
{
    const struct sampler_counts *c = &r->counts;
    part[0] = (double)c->served_l1;
    part[1] = (double)c->served_remote;
    part[2] = (double)c->served_l2;
    part[3] = (double)c->served_memory;
}

/* Of the panels but the first; energy without memory behind the L2. */
static const struct parts parts[PANELS] = {
    [ENERGY] = {{"core", "L1", "scratchpad", "L2", "network"}, 5, energy_parts},
    [TRAFFIC] = {{"read", "write", "write-back"}, 3, traffic_parts},
    [SERVED] = {{"L1", "remote L1", "L2", "memory"}, 4, served_parts},
};

/* Parts of a run's bar over the sum of rr's. */
static bool add_stack(struct figure_data *d, int panel, const char *subject,
                      const struct sampler_run *r, const struct sampler_run *rr,
                      struct error *e)
{
    const struct parts *p = &parts[panel];
    double part[MOST_PARTS], base[MOST_PARTS], sum = 0;
    p->of(r, part);
    p->of(rr, base);
    for (int i = 0; i < p->count; i++)
        sum += base[i];
    for (int i = 0; i < p->count; i++)
        if (!add(d, panel, subject, p->name[i], part[i] / sum, e))
            return false;
    return true;
}

/* A kernel's bars under a scheduler. */
static bool add_bars(struct figure_data *d, const char *kernel, int which,
                     const struct sampler_run *r, const struct sampler_run *rr,
                     struct error *e)
{
    char bar[64];
    snprintf(bar, sizeof(bar), "%s %s", plain(kernel), scheduler[which].letter);
    if (!add(d, TIME, plain(kernel), scheduler[which].name,
             duration(r) / duration(rr), e))
        return false;
    for (int panel = ENERGY; panel < PANELS; panel++)
        if (!add_stack(d, panel, bar, r, rr, e))
            return false;
    return true;
}

bool fill_ikra_bars(struct figure_data *d, const struct figure *f,
                    const struct view *v, struct error *e)
{
    const char *kernels = f->group[0].kernels;
    char kernel[64];
    double mean[SCHEDULERS] = {0};
    int count = 0;
    for (; next_word(kernel, sizeof(kernel), &kernels); count++)
        for (int s = 0; s < SCHEDULERS; s++) {
            struct point p = {.kernel = kernel,
                              .policies = scheduler[s].policies};
            const struct sampler_run *r = view_run(v, &p, e);
            p.policies = scheduler[0].policies;
            const struct sampler_run *rr = r != NULL ? view_run(v, &p, e) : r;
            if (rr == NULL || !add_bars(d, kernel, s, r, rr, e))
                return false;
            mean[s] += duration(r) / duration(rr);
        }
    for (int s = 0; s < SCHEDULERS && f->group[0].mean != NULL; s++)
        if (!add(d, TIME, f->group[0].mean, scheduler[s].name, mean[s] / count,
                 e))
            return false;
    return true;
}

/* ---- Fig. 7 and 8 ------------------------------------------------------- */

/* Over rr with the L1 of 128 KB, the usual one. */
bool fill_ikra_sizes(struct figure_data *d, const struct figure *f,
                     const struct view *v, struct error *e)
{
    const char *kernels = f->group[0].kernels;
    char kernel[64], size[16];
    for (int panel = 0; next_word(kernel, sizeof(kernel), &kernels); panel++)
        for (int i = 0; i < IKRA_L1_SIZES; i++)
            for (int s = 0; s < SCHEDULERS; s++) {
                struct point p = {.kernel = kernel,
                                  .policies = scheduler[s].policies,
                                  .keys = ikra_l1_keys[i]};
                const struct sampler_run *r = view_run(v, &p, e);
                p.policies = scheduler[0].policies;
                p.keys = ikra_l1_keys[IKRA_L1_USUAL];
                const struct sampler_run *rr =
                    r != NULL ? view_run(v, &p, e) : r;
                snprintf(size, sizeof(size), "%d KB", 16 << i);
                if (rr == NULL || !add(d, panel, size, scheduler[s].name,
                                       duration(r) / duration(rr), e))
                    return false;
            }
    return true;
}

static bool add_group(struct figure_data *d, const struct figure_group *g,
                      int which, const struct view *v, struct error *e)
{
    const char *kernels = g->kernels;
    char kernel[64];
    double sum = 0;
    int count = 0;
    for (; next_word(kernel, sizeof(kernel), &kernels); count++) {
        struct point p = {.kernel = kernel,
                          .policies = scheduler[which].policies,
                          .keys = "coherence=gpu"};
        const struct sampler_run *r = view_run(v, &p, e);
        p.policies = scheduler[0].policies;
        const struct sampler_run *rr = r != NULL ? view_run(v, &p, e) : r;
        if (rr == NULL || !add(d, 0, plain(kernel), scheduler[which].name,
                               duration(r) / duration(rr), e))
            return false;
        sum += duration(r) / duration(rr);
    }
    return add(d, 0, g->mean, scheduler[which].name, sum / count, e);
}

bool fill_ikra_gpu_coherence(struct figure_data *d, const struct figure *f,
                             const struct view *v, struct error *e)
{
    for (const struct figure_group *g = f->group; g->kernels != NULL; g++)
        for (int s = 0; s < SCHEDULERS; s++)
            if (!add_group(d, g, s, v, e))
                return false;
    return true;
}
