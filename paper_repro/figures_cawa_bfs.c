/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_cawa.h"

#include "paper_repro/lives.h"

#include <math.h>
#include <stdio.h>

/* ---- Fig. 2 ------------------------------------------------------------- */

static bool add_warp(struct figure_data *d, int panel, int rank,
                     const char *series, double percent, struct error *e)
{
    char subject[16];
    snprintf(subject, sizeof(subject), "%d", rank);
    const struct figure_value value =
        figure_value(panel, subject, series, percent);
    return figure_add(d, &value, e);
}

static const struct lab_record *lives_of(struct lives *out, const char *kernel,
                                         bool waits, const struct view *v,
                                         struct error *e)
{
    const struct point p = {
        .kernel = kernel, .policies = "lrr", .warps = true, .waits = waits};
    const struct lab_record *r = view_record(v, &p, e);
    return r != NULL && lives_look(out, r, e) ? r : NULL;
}

/* In percent of the slowest's time and of the most instructions. */
static bool add_block(struct figure_data *d, int panel, const struct lives *l,
                      struct error *e)
{
    double most = 1;
    for (int i = 0; i < l->warps; i++)
        most = fmax(most, (double)l->warp[i].insts);
    for (int i = 0; i < l->warps; i++) {
        double time =
            lives_time(&l->warp[i]) / lives_time(&l->warp[l->warps - 1]);
        double insts = (double)l->warp[i].insts / most;
        if (!add_warp(d, panel, i + 1, "time", 100 * time, e) ||
            !add_warp(d, panel, i + 1, "instructions", 100 * insts, e))
            return false;
    }
    return true;
}

static double waited(const struct lab_record *r, const struct sampler_warp *w)
{
    for (size_t i = 0; i < r->waits; i++)
        if (r->warp[i].kernel == w->kernel && r->warp[i].block == w->block &&
            r->warp[i].warp == w->warp)
            return (double)r->wait[i];
    return NAN;
}

static bool add_waits(struct figure_data *d, int panel, const struct lives *l,
                      const struct lab_record *r, struct error *e)
{
    for (int i = 0; i < l->warps; i++)
        if (!add_warp(d, panel, i + 1, "waits for memory",
                      100 * waited(r, &l->warp[i]) / lives_time(&l->warp[i]),
                      e))
            return false;
    return true;
}

bool fill_disparity(struct figure_data *d, const struct figure *f,
                    const struct view *v, struct error *e)
{
    (void)f;
    struct lives tree, balanced;
    const struct lab_record *r = lives_of(&tree, "bfs", true, v, e);
    return r != NULL &&
           lives_of(&balanced, "bfs-balanced", false, v, e) != NULL &&
           add_block(d, 0, &tree, e) && add_block(d, 1, &balanced, e) &&
           add_waits(d, 2, &tree, r, e);
}

/* ---- Fig. 8 ------------------------------------------------------------- */

static bool add_use(struct figure_data *d, int panel, const char *subject,
                    const char *series, uint64_t lines,
                    const struct lab_reuse *of, struct error *e)
{
    const struct figure_value value =
        figure_value(panel, subject, series,
                     100 * (double)lines / fmax(1, (double)of->brought));
    return figure_add(d, &value, e);
}

static bool add_instruction(struct figure_data *d, int panel,
                            const struct lab_reuse *of, struct error *e)
{
    char subject[32];
    snprintf(subject, sizeof(subject), "line %u", of->line);
    uint64_t again = of->by_critical + of->by_others;
    return add_use(d, panel, subject, "again by a critical warp",
                   of->by_critical, of, e) &&
           add_use(d, panel, subject, "by others alone", of->by_others, of,
                   e) &&
           add_use(d, panel, subject, "not again", of->brought - again, of, e);
}

bool fill_reuse(struct figure_data *d, const struct figure *f,
                const struct view *v, struct error *e)
{
    static const char *const keys[] = {"l1.size_kb=256", ""};
    (void)f;
    for (int panel = 0; panel < 2; panel++) {
        const struct point p = {.kernel = "bfs",
                                .policies = "lrr",
                                .keys = keys[panel],
                                .criticality = true,
                                .lines = true};
        const struct lab_record *r = view_record(v, &p, e);
        if (r == NULL)
            return false;
        for (size_t i = 0; i < r->reuses; i++)
            if (!add_instruction(d, panel, &r->reuse[i], e))
                return false;
    }
    return true;
}

/* ---- Fig. 12 ------------------------------------------------------------ */

#define STEPS 120 /* that are drawn: means of as many ranks as that takes */

static bool add_ranks(struct figure_data *d, int panel, const char *policies,
                      const struct lab_record *r, struct error *e)
{
    size_t each = (r->ranks + STEPS - 1) / STEPS;
    for (size_t i = 0; i < r->ranks; i += each) {
        double sum = 0;
        size_t n = 0;
        for (; n < each && i + n < r->ranks; n++)
            sum += r->rank[i + n].rank;
        struct figure_value v =
            figure_value(panel, "", policies, sum / (double)n);
        v.cycle = (double)r->rank[i].cycle;
        if (!figure_add(d, &v, e))
            return false;
    }
    return true;
}

bool fill_rank(struct figure_data *d, const struct figure *f,
               const struct view *v, struct error *e)
{
    static const char *const policies[] = {"lrr", "gcaws"};
    (void)f;
    struct lives lives;
    if (lives_of(&lives, "bfs", false, v, e) == NULL)
        return false;
    /* One whose warps have work: that of the most instructions. */
    const struct lab_warp slowest = {lives.busiest.kernel + 1,
                                     lives.busiest.block, lives.busiest.warp};
    for (int i = 0; i < 2 && lives.busiest_insts > 0; i++) {
        const struct point p = {.kernel = "bfs",
                                .policies = policies[i],
                                .criticality = true,
                                .follow = slowest};
        const struct lab_record *r = view_record(v, &p, e);
        if (r == NULL || !add_ranks(d, i, policies[i], r, e))
            return false;
    }
    return true;
}
