/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_paws.h"

#include "kernels/load.h"
#include "paper_repro/tables.h"

#include <math.h>

/* ---- Table II ----------------------------------------------------------- */

static double phase_length(const struct kernel *k, bool longest)
{
    double best = k->phase[0].length;
    for (uint32_t i = 1; i < k->phase_count; i++)
        best = longest ? fmax(best, k->phase[i].length)
                       : fmin(best, k->phase[i].length);
    return best;
}

/* A kernel's row: the table's and ours. */
static bool add_row(struct figure_data *d, const struct paws_row *row,
                    const struct kernel *k, const struct gpu *g,
                    struct error *e)
{
    const struct {
        const char *name;
        double ours, paper;
    } column[] = {
        {"blocks", (double)k->blocks, (double)row->total_blocks},
        {"threads a block", k->threads_per_block, row->threads},
        {"blocks a core", occupancy_blocks(g, k, NULL), row->blocks_per_core},
        {"phases", k->phase_count, row->phases},
        {"longest phase (cycles)", phase_length(k, true), row->longest},
        {"shortest phase (cycles)", phase_length(k, false), row->shortest},
    };
    for (size_t i = 0; i < sizeof(column) / sizeof(column[0]); i++) {
        struct figure_value v =
            figure_value(0, row->kernel, column[i].name, column[i].ours);
        v.paper = column[i].paper;
        if (!figure_add(d, &v, e))
            return false;
    }
    return true;
}

bool fill_table2(struct figure_data *d, const struct figure *f,
                 const struct view *v, struct error *e)
{
    struct gpu g;
    bool ok = gpu_load(&g, v->gpu, NULL, 0, e);
    (void)f;
    for (size_t i = 0; ok && i < paws_table2_rows; i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        ok = kernel_load(&list, paws_table2[i].kernel, &load, e);
        if (ok) {
            ok = add_row(d, &paws_table2[i], list.kernel[0], &g, e);
            kernel_list_free(&list);
        }
    }
    return ok;
}

/* ---- Fig. 4 ------------------------------------------------------------- */

bool fill_vector_add(struct figure_data *d, const struct figure *f,
                     const struct view *v, struct error *e)
{
    static const double paper[] = {18, 10};
    struct kernel_list list;
    struct load_options load = load_options_default();
    bool ok = kernel_load(&list, "vector-add", &load, e);
    if (!ok)
        return false;
    (void)f;
    (void)v;
    const struct kernel *k = list.kernel[0];
    for (uint32_t i = 0; ok && i < k->phase_count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "phase %u", i + 1);
        struct figure_value length =
            figure_value(0, name, "length (cycles)", k->phase[i].length);
        struct figure_value count =
            figure_value(0, name, "instructions", k->phase[i].count);
        length.paper = i < 2 ? paper[i] : NAN;
        ok = figure_add(d, &length, e) && figure_add(d, &count, e);
    }
    kernel_list_free(&list);
    return ok;
}
