/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact figures of the thread-block saturation paper ("perfsat"): the largest
 * block counts of its Table II. */
#include "kernels/load.h"
#include "paper_repro/claim.h"
#include "paper_repro/tables.h"

#define BUILT "the kernel files state the registers of this table"

static bool add_blocks(struct finding *f, const char *gpu,
                       const struct perfsat_row *row, int paper,
                       struct error *e)
{
    struct gpu g;
    struct kernel_list list;
    struct load_options load = load_options_default();
    if (!gpu_load(&g, gpu, NULL, 0, e) ||
        !kernel_load(&list, row->kernel, &load, e))
        return false;
    finding_add(f, occupancy_blocks(&g, list.kernel[0], NULL), paper, "%s",
                row->kernel);
    kernel_list_free(&list);
    return true;
}

static bool measure_m2090(struct finding *f, const struct claim *c,
                          const struct view *v, struct error *e)
{
    (void)c;
    (void)v;
    bool ok = true;
    for (size_t i = 0; ok && i < perfsat_table2_rows; i++)
        ok = add_blocks(f, "m2090", &perfsat_table2[i],
                        perfsat_table2[i].m2090_max, e);
    return ok;
}

static bool measure_k20x(struct finding *f, const struct claim *c,
                         const struct view *v, struct error *e)
{
    (void)c;
    (void)v;
    bool ok = true;
    for (size_t i = 0; ok && i < perfsat_table2_rows; i++)
        ok = add_blocks(f, "k20x", &perfsat_table2[i],
                        perfsat_table2[i].k20x_max, e);
    return ok;
}

static const struct claim claims[] = {
    {"perfsat-01", KIND_EXACT,
     "Table II: largest number of blocks an SM of the M2090", "16 values",
     .rule = EXACT, .measure = measure_m2090, .input = BUILT},
    {"perfsat-02", KIND_EXACT,
     "Table II: largest number of blocks an SM of the K20X", "16 values",
     .rule = EXACT, .measure = measure_k20x, .input = BUILT},
    {"perfsat-03", KIND_MAGNITUDE,
     "Table II: 16 kernels on M2090: optimal blocks by exhaustive search with "
     "the 2% rule, detailed sweep equals",
     "as in the table: count", .cannot = NOT_YET},
    {"perfsat-04", KIND_MAGNITUDE,
     "Table II: 16 kernels on K20X: optimal blocks by exhaustive search with "
     "the 2% rule, detailed sweep equals",
     "as in the table: count", .cannot = NOT_YET},
    {"perfsat-05", KIND_MAGNITUDE,
     "Table II: 16 kernels on both GPUs (BP-2 and CFD on M2090 break the class "
     "rule): class C-strong C-weak or MEM, detailed sweep equals",
     "as in the table: class", .cannot = NOT_YET},
    {"perfsat-06", KIND_MAGNITUDE,
     "Sec.V-B Fig.7: M2090: detection accuracy, perfsat equals exhaustive",
     "94.25 %", .cannot = NOT_YET},
    {"perfsat-07", KIND_MAGNITUDE,
     "Sec.V-B Fig.7: K20X: detection accuracy, perfsat equals exhaustive",
     "85.12 %", .cannot = NOT_YET},
    {"perfsat-08", KIND_MAGNITUDE,
     "Sec.V-C Fig.8: C-strong and C-weak on M2090: performance loss, perfsat "
     "against baseline",
     "0.51 %", .cannot = NOT_YET},
    {"perfsat-09", KIND_MAGNITUDE,
     "Sec.V-C Fig.8: C-strong and C-weak on K20X: performance loss, perfsat "
     "against baseline",
     "0.88 %", .cannot = NOT_YET},
    {"perfsat-10", KIND_MAGNITUDE,
     "Sec.V-C Fig.8: MEM on both GPUs: performance gain, perfsat over baseline",
     "4.95 %", .cannot = NOT_YET},
    {"perfsat-11", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: C-strong: resource saving, perfsat against baseline",
     "0.97 %", .cannot = NOT_YET},
    {"perfsat-12", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: C-weak on M2090: resource saving, perfsat against "
     "baseline",
     "14.32 %", .cannot = NOT_YET},
    {"perfsat-13", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: C-weak on K20X: resource saving, perfsat against baseline",
     "35.35 %", .cannot = NOT_YET},
    {"perfsat-14", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: MEM on M2090: resource saving, perfsat against baseline",
     "25.31 %", .cannot = NOT_YET},
    {"perfsat-15", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: MEM on K20X: resource saving, perfsat against baseline",
     "31.48 %", .cannot = NOT_YET},
    {"perfsat-16", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: all kernels on M2090: resource saving, perfsat against "
     "baseline",
     "10.45 %", .cannot = NOT_YET},
    {"perfsat-17", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: all kernels on K20X: resource saving, perfsat against "
     "baseline",
     "25.51 %", .cannot = NOT_YET},
    {"perfsat-18", KIND_MAGNITUDE,
     "Sec.V-D Fig.9: all kernels both GPUs: resource saving, perfsat against "
     "baseline",
     "18.32 %", .cannot = NOT_YET},
    {"perfsat-19", KIND_SHAPE,
     "Fig.5a: C-strong from 1 to max blocks: scoreboard stalls fall and "
     "pipeline stalls rise by less, stall breakdown shape",
     "shape", .cannot = NOT_YET},
    {"perfsat-20", KIND_SHAPE,
     "Fig.5b: SRAD on M2090: stall sum plateaus at five blocks, stall "
     "breakdown shape",
     "5 blocks", .cannot = NOT_YET},
    {"perfsat-21", KIND_SHAPE,
     "Fig.5c: LUD on M2090: performance falls beyond five blocks with a rising "
     "L1 miss rate, stall breakdown shape",
     "5 blocks", .cannot = NOT_YET},
    {"perfsat-22", KIND_SHAPE,
     "Fig.1: SRAD-6 B+Tree scale; SRAD-5 BP-2 saturate; CFD Gaussian fall "
     "(M2090): speedup against block count, detailed sweep shape",
     "shape", .cannot = NOT_YET},
};

const struct claims perfsat_claims = {"perfsat", claims,
                                      sizeof(claims) / sizeof(claims[0])};
