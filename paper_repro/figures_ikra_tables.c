/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figures_ikra.h"

#include "kernels/form/depend.h"
#include "kernels/load.h"
#include "paper_repro/tables.h"

#include <math.h>

static bool add(struct figure_data *d, const char *subject, const char *series,
                double ours, double paper, struct error *e)
{
    struct figure_value row = figure_value(0, subject, series, ours);
    row.paper = paper;
    return figure_add(d, &row, e);
}

/* ---- Table 1 ------------------------------------------------------------ */

static bool add_dependences(struct figure_data *d, const struct ikra_row *row,
                            const struct kernel_list *list, struct error *e)
{
    struct depend_counts c;
    return depend_count(&c, NULL, list->kernel, list->count, e) &&
           add(d, row->kernel, "self (%)", depend_percent(&c, c.self),
               row->self, e) &&
           add(d, row->kernel, "ghost (%)", depend_percent(&c, c.ghost),
               row->ghost, e) &&
           add(d, row->kernel, "other (%)", depend_percent(&c, c.other),
               row->other, e);
}

bool fill_ikra_dependences(struct figure_data *d, const struct figure *f,
                           const struct view *v, struct error *e)
{
    bool ok = true;
    (void)f;
    for (size_t i = 0; ok && i < ikra_table1_rows && !lab_listening(v->lab);
         i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        ok = kernel_load(&list, ikra_table1[i].kernel, &load, e);
        if (ok) {
            ok = add_dependences(d, &ikra_table1[i], &list, e);
            kernel_list_free(&list);
        }
    }
    return ok;
}

/* ---- Table 2 ------------------------------------------------------------ */

struct setting {
    const char *what;
    double ours, paper;
};

static bool add_machine(struct figure_data *d, const char *name,
                        const double paper[3], struct error *e)
{
    struct gpu g;
    if (!gpu_load(&g, name, NULL, 0, e))
        return false;
    const struct setting row[] = {
        {"compute units", g.sms, paper[0]},
        {"clock (MHz)", g.clock.core_mhz, 700},
        {"L1 (KB)", g.l1.size_kb, paper[1]},
        {"L1 (ways)", g.l1.ways, 8},
        {"L1 hit (cycles)", g.l1.latency, 1},
        {"L2 (KB)", g.l2.size_kb, paper[2]},
        {"L2 banks", g.l2.banks, 16},
        {"L2 hit, nearest (cycles)", g.mesh.l2_near, 29},
        {"L2 hit, farthest (cycles)", g.mesh.l2_far, 61},
        {"remote L1 hit, nearest (cycles)", g.mesh.remote_near, 35},
        {"remote L1 hit, farthest (cycles)", g.mesh.remote_far, 83},
        {"memory, nearest (cycles)", g.mesh.memory_near, 197},
        {"memory, farthest (cycles)", g.mesh.memory_far, 261},
        {"MSHRs of an L1", g.l1.mshr, 64},
        {"warps a unit", g.sm.max_warps, 48},
        {"thread blocks a unit", g.sm.max_blocks, 8},
        {"bytes of a flit", g.icnt.flit_bytes, NAN},
        {"flits a link passes a cycle", g.mesh.link_flits, NAN},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        if (!add(d, row[i].what, name, row[i].ours, row[i].paper, e))
            return false;
    return true;
}

bool fill_ikra_machine(struct figure_data *d, const struct figure *f,
                       const struct view *v, struct error *e)
{
    static const double large[] = {15, 128, 4096}, small[] = {3, 32, 256};
    (void)f;
    (void)v;
    return add_machine(d, "ikra", large, e) &&
           add_machine(d, "ikra-micro", small, e);
}

/* ---- Table 3 ------------------------------------------------------------ */

static bool add_application(struct figure_data *d,
                            const struct ikra_application *row,
                            const struct kernel_list *list, struct error *e)
{
    double threads = 0, blocks = 0, bytes = 0;
    const struct kernel *first = list->kernel[0];
    for (size_t i = 0; i < list->count; i++) {
        threads = fmax(threads, list->kernel[i]->threads_per_block);
        blocks = fmax(blocks, (double)list->kernel[i]->blocks);
    }
    for (uint32_t i = 0; i < first->buffers; i++)
        bytes += (double)first->buffer[i].bytes;
    return add(d, row->kernel, "threads a block, most", threads, row->threads,
               e) &&
           add(d, row->kernel, "blocks, most", blocks, row->blocks, e) &&
           add(d, row->kernel, "buffers (KB)", bytes / 1024, row->kilobytes,
               e) &&
           add(d, row->kernel, "launches", (double)list->count, NAN, e);
}

bool fill_ikra_applications(struct figure_data *d, const struct figure *f,
                            const struct view *v, struct error *e)
{
    bool ok = true;
    (void)f;
    (void)v;
    for (size_t i = 0; ok && i < ikra_table3_rows; i++) {
        struct kernel_list list;
        struct load_options load = load_options_default();
        ok = kernel_load(&list, ikra_table3[i].kernel, &load, e);
        if (ok) {
            ok = add_application(d, &ikra_table3[i], &list, e);
            kernel_list_free(&list);
        }
    }
    return ok;
}
